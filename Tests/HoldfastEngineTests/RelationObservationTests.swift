import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import Testing

@testable import HoldfastEngine

/// Deleting and observing by predicates across relations.
struct RelationObservationTests {
    func book(_ id: String, by author: Author?, pages: Int? = nil) -> Book {
        Book(id: id, pages: pages, author: LazyReference(author), shelf: LazyReference(nil))
    }

    func ids(_ snapshot: QuerySnapshot<Book>?) -> String? { snapshot.map { $0.items.map(\.id).joined() } }

    @Test(arguments: EngineAdapter.all, [Int.max, 0])
    func whatAPredicateAcrossRelationsSelectsIsDeleted(adapter: EngineAdapter, limit: Int) async throws {
        let library = try await Library(adapter, relatedKeyLimit: limit)
        let store = library.store
        let doomed = library.nodes(of: "Review").filter { index in
            library.passes(index, ["book", "author", "name"]) { $0.string == "n1" }
        }
        #expect(!doomed.isEmpty)
        #expect(try await store.delete(Review.self, where: field("book.author.name") == "n1") == doomed.count)
        let left = Set(library.nodes(of: "Review")).subtracting(doomed).map { library.nodes[$0].id }.sorted()
        #expect(try await store.query(Review.self).map(\.id) == left)
    }

    @Test(arguments: EngineAdapter.all)
    func changesAreSelectedByRelatedRecords(adapter: EngineAdapter) async throws {
        let store = try await DataStore.open(adapter.make(), models: Library.models)
        let (one, other) = (Author(id: "1", name: "one"), Author(id: "2", name: "other"))
        try await store.save([one, other])
        var changes = try store.observe(Book.self, where: field("author.name") == "one").makeAsyncIterator()
        try await store.save([book("a", by: one), book("b", by: other), book("c", by: nil), book("d", by: one)])
        try await store.save(book("b", by: one))
        try await store.delete(Book.self, withId: "c")
        try await store.delete(one)
        var seen: [String] = []
        for _ in 0..<3 {
            let change = try #require(try await changes.next())
            seen.append("\(change.kind) \(change.model.id)")
        }
        // The author is gone when the first changes are consumed, but was deleted together with its books.
        #expect(seen == ["deleted a", "deleted b", "deleted d"] || seen == ["deleted d", "deleted b", "deleted a"])
    }

    @Test(arguments: EngineAdapter.all)
    func aLiveQueryFollowsRelatedRecords(adapter: EngineAdapter) async throws {
        let store = try await DataStore.open(adapter.make(), models: Library.models)
        var authors = ["one", "two"].map { Author(id: $0, name: $0) }
        try await store.save(authors)
        try await store.save([book("a", by: authors[0]), book("b", by: authors[1]), book("c", by: nil)])
        var live = try store.observeQuery(
            Book.self, where: field("author.name") != "one", sort: .descending("author.name")
        ).makeAsyncIterator()
        #expect(ids(try await live.next()) == "bc")
        authors[0].name = "three"
        try await store.save(authors[0])
        #expect(ids(try await live.next()) == "bac")
        authors[1].name = "alpha"
        try await store.save(authors[1])
        #expect(ids(try await live.next()) == "abc")
        try await store.save(book("c", by: authors[0]))
        #expect(ids(try await live.next()) == "acb")
        try await store.save(Review(id: "r", stars: 1, book: LazyReference(nil)))
        try await store.save(Author(id: "three", name: "unrelated"))
        try await store.delete(authors[0])
        #expect(ids(try await live.next()) == "b")
        try await store.close()
        #expect(try await live.next() == nil)
    }

    @Test(arguments: EngineAdapter.all)
    func atEveryQuietPointALiveQueryIsTheQuery(adapter: EngineAdapter) async throws {
        let library = try await Library(adapter)
        let store = library.store
        let predicate = field("reviews.stars") >= 2 || field("author.born") == nil
        let sort = QuerySortInput.by(.ascending("author.name"), .descending("pages"))
        var live = try store.observeQuery(Book.self, where: predicate, sort: sort).makeAsyncIterator()
        var newest = try await live.next()
        var random = library.random
        let authors = try await store.query(Author.self)
        for step in 0..<25 {
            let before = try await store.query(Book.self, where: predicate, sort: sort)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                var author = authors[Int.random(in: 0..<authors.count, using: &random)]
                author.name = "n\(step)"
                author.born = random.number(below: 2, orNilOneIn: 2)
                try await store.save(author)
            case 1:
                let review = Review(
                    id: "new\(step % 4)", stars: random.number(below: 4, orNilOneIn: 3),
                    book: LazyReference(before.randomElement(using: &random)))
                try await store.save(review)
            default: try await store.save(book("x\(step % 3)", by: authors.randomElement(using: &random), pages: step))
            }
            let after = try await store.query(Book.self, where: predicate, sort: sort)
            if after.map(\.id) != before.map(\.id) { newest = try await live.next() }
            #expect(newest?.items.map(\.id) == after.map(\.id))
        }
    }
}
