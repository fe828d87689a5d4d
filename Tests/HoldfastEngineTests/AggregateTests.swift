import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import Testing

@testable import HoldfastEngine

/// Aggregates over records, against aggregates computed from all of them.
@Suite struct AggregateTests {
    static let predicates: [(predicate: (any QueryPredicate)?, holds: @Sendable (Library, Int) -> Bool)] = [
        (nil, { _, _ in true }),
        (Book.keys.title == "t1", { $0.nodes[$1].fields["title"]?.string == "t1" }),
        (
            field("author.name") != "n1",
            { library, index in library.passes(index, ["author", "name"]) { $0.string != "n1" } }
        ),
        (
            field("reviews.stars") >= 2,
            { library, index in library.passes(index, ["reviews", "stars"]) { $0.int.map { $0 >= 2 } ?? false } }
        ),
        (Book.keys.title == "none", { _, _ in false }),
    ]

    @Test(arguments: EngineAdapter.all, [Int.max, 0])
    func sumsAndAveragesAreThoseOfTheMatchingRecords(adapter: EngineAdapter, limit: Int) async throws {
        let library = try await Library(adapter, relatedKeyLimit: limit)
        let store = library.store
        for (predicate, holds) in Self.predicates {
            let books = library.nodes(of: "Book").filter { holds(library, $0) }.map { library.nodes[$0].fields }
            let pages = books.compactMap { $0["pages"]?.int }
            let prices = books.compactMap { $0["price"].flatMap { Double(storageValue: $0) } }
            #expect(try await store.sum(Book.self, of: Book.keys.pages, where: predicate) == pages.reduce(0, +))
            #expect(
                try await store.sum(Book.self, of: Book.keys.pages, where: predicate, as: Double.self)
                    == Double(pages.reduce(0, +)))
            #expect(try await store.sum(Book.self, of: Book.keys.price, where: predicate) == prices.reduce(0, +))
            let average = try await store.average(Book.self, of: Book.keys.pages, where: predicate)
            #expect(average == (pages.isEmpty ? nil : Double(pages.reduce(0, +)) / Double(pages.count)))
        }
    }

    @Test(arguments: EngineAdapter.all, [Int.max, 0])
    func minimaAndMaximaAreThoseOfTheMatchingRecords(adapter: EngineAdapter, limit: Int) async throws {
        let library = try await Library(adapter, relatedKeyLimit: limit)
        let store = library.store
        for (predicate, holds) in Self.predicates {
            let books = library.nodes(of: "Book").filter { holds(library, $0) }.map { library.nodes[$0].fields }
            let pages = books.compactMap { $0["pages"]?.int }
            let printed = books.compactMap { $0["printed"].flatMap { Temporal.DateTime(storageValue: $0) } }
            #expect(try await store.minimum(Book.self, of: Book.keys.pages, where: predicate) == pages.min())
            #expect(
                try await store.maximum(Book.self, of: Book.path.pages, where: predicate, as: Int64.self)
                    == pages.max().map(Int64.init))
            #expect(try await store.minimum(Book.self, of: Book.keys.printed, where: predicate) == printed.min())
            #expect(
                try await store.maximum(Book.self, of: Book.keys.title, where: predicate)
                    == books.compactMap { $0["title"]?.string }.max())
        }
    }

    @Test(arguments: EngineAdapter.all, [Int.max, 0])
    func distinctValuesAreThoseOfTheMatchingRecords(adapter: EngineAdapter, limit: Int) async throws {
        let library = try await Library(adapter, relatedKeyLimit: limit)
        let store = library.store
        for (predicate, holds) in Self.predicates {
            let books = library.nodes(of: "Book").filter { holds(library, $0) }.map { library.nodes[$0].fields }
            let pages = Set(books.compactMap { $0["pages"]?.int }).sorted()
            let titles = books.map { $0["title"]?.string }
            let distinct: [Int] = try await store.distinct(Book.self, of: Book.keys.pages, where: predicate)
            #expect(distinct == pages)
            let withNull: [String?] = try await store.distinct(Book.self, of: Book.keys.title, where: predicate)
            #expect(withNull == (titles.contains(nil) ? [nil] : []) + Set(titles.compactMap(\.self)).sorted())
            for limit in 0...3 {
                let few: [Int] = try await store.distinct(
                    Book.self, of: Book.keys.pages, where: predicate, limit: limit)
                #expect(few == Array(pages.prefix(limit)))
            }
            let authors: [String] = try await store.distinct(Book.self, of: Book.keys.author, where: predicate)
            #expect(authors == Set(books.compactMap { $0["authorId"]?.string }).sorted())
        }
    }

    @Test(arguments: EngineAdapter.all)
    func aTransactionCountsWhatItWrote(adapter: EngineAdapter) async throws {
        let library = try await Library(adapter)
        let store = library.store
        let before: Int = try await store.sum(Book.self, of: Book.keys.pages)
        try await store.transaction { transaction in
            let author = Author(id: "new", name: "new")
            try await transaction.save(author)
            for pages in [100, 200, 200] {
                try await transaction.save(
                    Book(id: "z\(pages)", pages: pages, author: LazyReference(author), shelf: LazyReference(nil)))
            }
            #expect(try await transaction.sum(Book.self, of: Book.keys.pages) == before + 300)
            let byNew = field("author.name") == "new"
            #expect(try await transaction.count(Book.self, where: byNew) == 2)
            #expect(try await transaction.average(Book.self, of: Book.keys.pages, where: byNew) == 150)
            #expect(try await transaction.minimum(Book.self, of: Book.keys.pages, where: byNew) == 100)
            #expect(try await transaction.maximum(Book.self, of: Book.keys.pages) == 200)
            #expect(try await transaction.distinct(Book.self, of: Book.keys.pages, where: byNew) == [100, 200])
            #expect(try await transaction.query(Book.self, where: byNew, sort: .descending("author.name")).count == 2)
            #expect(try await transaction.query(Author.self, where: field("books.pages") == 200).map(\.id) == ["new"])
            #expect(try await transaction.delete(Book.self, where: byNew) == 2)
            #expect(try await transaction.query(Author.self, where: field("books.pages") == 200).isEmpty)
        }
        #expect(try await store.sum(Book.self, of: Book.keys.pages) == before)
    }

    @Test(arguments: EngineAdapter.all)
    func longRunsOfOneValueAreSkipped(adapter: EngineAdapter) async throws {
        let store = try await DataStore.open(adapter.make(), models: Library.models)
        let none = LazyReference<Author>(nil)
        try await store.save(
            (0..<9_000).map { number in
                Book(id: "\(number)", pages: number / 4_000, author: none, shelf: LazyReference(nil))
            })
        #expect(try await store.distinct(Book.self, of: Book.keys.pages) == [0, 1, 2])
        #expect(try await store.distinct(Book.self, of: Book.keys.pages, limit: 2) == [0, 1])
        #expect(try await store.distinct(Book.self, of: Book.keys.author, as: String?.self) == [nil])
    }

    @Test(arguments: EngineAdapter.all)
    func impossibleAggregatesAreTypedErrors(adapter: EngineAdapter) async throws {
        let store = try await Library(adapter).store
        await #expect(throws: StorageError.self) {
            _ = try await store.sum(Book.self, of: Book.keys.title, as: Int.self)
        }
        await #expect(throws: StorageError.self) {
            _ = try await store.distinct(Book.self, of: Book.keys.pages, limit: -1, as: Int.self)
        }
        for field in [field("author.name"), field("shelf"), field("reviews"), field("nothing")] {
            await #expect(throws: ModelError.self) {
                _ = try await store.maximum(Book.self, of: field, as: String.self)
            }
        }
        await #expect(throws: ModelError.self) {
            _ = try await store.maximum(Book.self, of: Book.keys.pages, as: String.self)
        }
        try await store.save(
            [Int.max, 1].enumerated().map { number, pages in
                Book(id: "big\(number)", pages: pages, author: LazyReference(nil), shelf: LazyReference(nil))
            })
        await #expect(throws: StorageError.self) {
            _ = try await store.sum(Book.self, of: Book.keys.pages, as: Int.self)
        }
    }
}
