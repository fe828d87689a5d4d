import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension Clause {
    /// What a service says comes in, and what is unsent survives it.
    static let engineSync = [
        eng(
            "ENG-088",
            "A record with its unsent changes taken back is exactly the service's record at the version that is known.",
            catches: "A cell of an entry, an entry, or the version gets lost: edits are sent on a base that never was.",
            witness: "entries taken back", protectsData: true
        ) { context in
            for number in 0..<4 {
                let seed = context.seed &+ UInt64(number)
                var run = try await SyncRun(context, seed: seed)
                for step in 0..<100 {
                    try await run.step()
                    context.witness(try await run.check("seed \(seed), step \(step)"))
                }
                try await run.settle("seed \(seed), end")
            }
        },
        eng(
            "ENG-089", "A page of a service goes in with its versions and the model's state in one commit, once.",
            catches: "The state comes before its records, and what a crash has lost is never asked for again.",
            witness: "records", protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let fence = try await store.claim()
            let changes = try store.data.observe(Bookshop.Book.self)
            let books = Bookshop.books(60)
            let page = try books.map { try Bookshop.remote($0, 3) }
            let state = ModelState(model: "Book", lastSync: 7, generation: 2, token: "next", tokenMode: "base")
            let batch = RemoteBatch(model: "Book", records: page, generation: 2, state: state)
            let report = try await store.data.apply(batch, fence)
            try context.expectEqual(report.count(.created), books.count, "the books that came")
            for entity in ["Book", "__record_metadata", "__model_state"] {
                let versions = Set(try await store.rows(of: entity).map(\.version))
                try context.expectEqual(
                    versions, Set(try await store.rows(of: "__model_state").map(\.version)), "the commit of \(entity)")
            }
            try context.expectEqual(try await store.data.modelState(of: "Book"), state, "the state")
            try context.expectEqual(try await store.data.outboxCount(), 0, "the entries of the outbox")
            let again = try await store.data.apply(batch, fence)
            try context.expectEqual(again.droppedCount, books.count, "the books that are known already")
            try context.expectEqual(again.changes.count, 0, "the changes by what is known already")
            let first = Bookshop.Book(books[0].id, title: "first")
            let second = Bookshop.Book(books[0].id, title: "second")
            try await store.apply(
                [
                    try Bookshop.remote(second, 5), try Bookshop.remote(first, 4),
                    Bookshop.tombstone(books[1].id, 4),
                ], fence, generation: 2)
            try await store.compare([second] + books[2...], "")
            let seen = try await store.close(collecting: changes)
            try context.expectEqual(
                seen.map(\.kind), Array(repeating: .created, count: books.count) + [.updated, .deleted],
                "what observers saw")
            try context.expectEqual(
                seen.map(\.serviceVersion), Array(repeating: 3, count: books.count) + [5, 4],
                "the versions that observers saw")
            try context.expect(seen.allSatisfy { $0.origin == .remote }, "A change of the service was seen as local.")
            context.witness(books.count)
        },
        eng(
            "ENG-090", "Versions of one record lead to the same record in any order in which they come.",
            catches: "Versions are read from an old state: what came last wins instead of what is newest.",
            witness: "orders", protectsData: true
        ) { context in
            let versions = try [
                Bookshop.remote(Bookshop.Book("p", title: "1"), 1), Bookshop.tombstone("p", 2),
                Bookshop.remote(Bookshop.Book("p", title: "3"), 3), Bookshop.remote(Bookshop.Book("p", title: "4"), 4),
            ]
            for (last, newest) in [(4, "4"), (2, nil)] as [(Int, String?)] {
                for order in Self.orders(Array(0..<last)) {
                    let store = try await context.openEngine()
                    let fence = try await store.claim()
                    for index in order { try await store.apply([versions[index]], fence) }
                    try context.expectEqual(
                        try await store.titles(), newest.map { [$0] } ?? [], "the book after the order \(order)")
                    let metadata = try await store.data.recordMetadata(["p"], of: "Book").first
                    try context.expectEqual(
                        metadata??.version, Int64(last), "the version after the order \(order)")
                    context.witness()
                }
            }
        },
        eng(
            "ENG-091",
            "An unsent change of other fields is applied on top of what a service says; one of the same fields makes it wait.",
            catches: "The service's record replaces a local edit, or is lost while the edit is on its way.",
            witness: "changes kept", protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let fence = try await store.claim()
            try await store.apply(
                try ["p", "q", "r"].map { try Bookshop.remote(Bookshop.Book($0, title: "old", pages: 1), 1) }, fence)
            try await store.data.save(["p", "q", "r"].map { Bookshop.Book($0, title: "mine", pages: 1) })
            let sent = try await store.data.take(1, fence)
            try context.expectEqual(sent.map(\.recordKey), [RecordKey("p")], "the change in flight")
            let report = try await store.apply(
                try [("p", "old", 2), ("q", "old", 2), ("r", "theirs", 2)].map {
                    try Bookshop.remote(Bookshop.Book($0.0, title: $0.1, pages: $0.2), 2)
                }, fence)
            try context.expectEqual(report.rebasedCount, 1, "the edits that were applied on top")
            try context.expectEqual(report.shelvedCount, 2, "the records that wait")
            let books = { (p: Int, q: Int, r: Int) in
                [("p", p), ("q", q), ("r", r)].map { Bookshop.Book($0.0, title: "mine", pages: $0.1) }
            }
            try await store.compare(books(1, 2, 1), " after the page")
            let shelf = try await store.rows(of: "__shelf").compactMap { ShelfItem($0.cells[...]) }
            try context.expectEqual(shelf.map(\.key), ["p", "r"], "what waits")
            try context.expectEqual(shelf.map(\.reason), [.inFlight, .conflict], "why it waits")
            let metadata = try await store.data.recordMetadata(["p", "q", "r"], of: "Book")
            try context.expectEqual(metadata.map { $0?.version }, [1, 2, 1], "the versions")
            // The service has taken the change of p as its third version; what waited is older.
            let answer = try Bookshop.remote(Bookshop.Book("p", title: "mine", pages: 2), 3)
            _ = try await store.data.settle([.accepted(sent[0].id, answer)], fence)
            // The change of r is refused: the record that waited takes its place.
            let rest = try await store.data.take(8, fence)
            try context.expectEqual(rest.map(\.recordKey), [RecordKey("q"), RecordKey("r")], "the rest")
            try context.expectEqual(rest.map(\.version), [2, 1], "the versions that the rest builds on")
            _ = try await store.data.settle(
                [
                    .accepted(rest[0].id, try Bookshop.remote(Bookshop.Book("q", title: "mine", pages: 2), 3)),
                    .refused(rest[1].id, errorType: "Conflict", message: nil, remote: nil),
                ], fence)
            try await store.compare(
                books(2, 2, 0).dropLast() + [Bookshop.Book("r", title: "theirs", pages: 2)], " at the end")
            try context.expectEqual(try await store.rows(of: "__shelf").count, 0, "what waits at the end")
            context.witness(3)
        },
        eng(
            "ENG-092", "A full sync removes what the service no longer has, and nothing that is unsent.",
            catches: "A page of the search is left out, or records without a number count as seen.",
            witness: "records removed", protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let fence = try await store.claim()
            let books = Bookshop.books(2_205)
            // Some have no number, since they came before there was a full sync.
            for (start, generation) in [(0, 0), (700, 1), (1_400, 1)] as [(Int, Int64)] {
                let part = books[start..<min(start + 700, books.count)]
                try await store.apply(try part.map { try Bookshop.remote($0, 1) }, fence, generation: generation)
            }
            try await store.apply(try books[2_100...].map { try Bookshop.remote($0, 1) }, fence, generation: 1)
            let kept = [books[3], books[1_500], books[2_100]]
            try await store.apply(try kept.map { try Bookshop.remote($0, 1) }, fence, generation: 2)
            let edited = Bookshop.Book(books[2_104].id, title: "mine")
            let own = Bookshop.Book("own")
            try await store.data.save([edited, own])
            let report = try await store.data.sweep("Book", 2, fence)
            try context.expectEqual(report.count(.deleted), books.count - 4, "the books removed")
            try await store.compare(kept + [edited, own], " after the sweep")
            try context.expectEqual(
                try await store.rows(of: "__record_metadata").count, 4, "the records that the service has spoken of")
            try context.expectEqual(
                try await store.outbox(),
                [
                    "update Book \(edited.id)", "create Book own",
                ], "the outbox")
            context.witness(report.count(.deleted))
        },
        eng(
            "ENG-093",
            "A record whose parent has not come yet is kept and not shown to eager readers until the parent comes.",
            catches: "A parent is invented, or one orphan makes a whole query fail.", witness: "records hidden"
        ) { context in
            let store = try await context.openEngine()
            let fence = try await store.claim()
            let book = Bookshop.Book("p", title: "t")
            let reviews = ["a", "b"].map { Bookshop.Review($0, stars: 1, book: book) }
            var live = try store.data.observeQuery(Bookshop.Review.self).makeAsyncIterator()
            _ = try await live.next()
            let changes = try store.data.observe(Bookshop.Review.self)
            _ = try await store.data.apply(
                RemoteBatch(model: "Review", records: try reviews.map { try Bookshop.remote($0, 1) }), fence)
            try context.expectEqual(try await store.data.query(Bookshop.Review.self).count, 0, "the reviews shown")
            let one = try await store.data.query(Bookshop.Review.self, byId: "a")
            try context.expectEqual(one?.id, nil, "a review by key")
            var streamed = 0
            for try await _ in try store.data.stream(Bookshop.Review.self) { streamed += 1 }
            try context.expectEqual(streamed, 0, "the reviews of a stream")
            try context.expectEqual(try await store.rows(of: "Review").count, 2, "the reviews kept")
            context.witness(2)
            try await store.apply([try Bookshop.remote(book, 1)], fence)
            let shown = try await store.data.query(Bookshop.Review.self)
            try context.expectEqual(shown.map(\.id), ["a", "b"], "the reviews shown with their book")
            try context.expectEqual(shown.map(\.book.title), ["t", "t"], "the titles of their book")
            try context.expectEqual(try await live.next()?.items.map(\.id), ["a", "b"], "the live query")
            // An observer that takes them only now could read them in the first page, too.
            let seen = try await store.close(collecting: changes)
            try context.expectEqual(seen.map(\.model.id), ["a", "b"], "the reviews that observers saw")
            try context.expect(seen.allSatisfy { $0.kind == .created }, "A review was not seen as new.")
        },
        eng(
            "ENG-094", "A deletion by the service takes one record: those that belong to it stay.",
            catches: "The back end deletes what refers to a deleted record.", witness: "records that stay",
            protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let fence = try await store.claim()
            let author = Bookshop.Author("a")
            let books = ["p", "q"].map { Bookshop.Book($0, author: author) }
            _ = try await store.data.apply(
                RemoteBatch(model: "Author", records: [try Bookshop.remote(author, 1)]), fence)
            try await store.apply(try books.map { try Bookshop.remote($0, 1) }, fence)
            let report = try await store.data.apply(
                RemoteBatch(model: "Author", records: [Bookshop.tombstone("a", 2)]), fence)
            try context.expectEqual(report.count(.deleted), 1, "the records deleted")
            try context.expectEqual(try await store.rows(of: "Author").count, 0, "the authors")
            try await store.compare(books, " after the deletion of their author")
            try context.expectEqual(try await store.data.outboxCount(), 0, "the entries of the outbox")
            context.witness(books.count)
        },
    ]

    /// All orders of some indexes.
    private static func orders(_ indexes: [Int]) -> [[Int]] {
        if indexes.count < 2 { return [indexes] }
        return indexes.flatMap { first in orders(indexes.filter { $0 != first }).map { [first] + $0 } }
    }
}
