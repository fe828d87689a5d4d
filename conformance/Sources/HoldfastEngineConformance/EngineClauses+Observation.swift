import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension Clause {
    static let engineObservation = [
        eng(
            "ENG-059",
            "Every change is observed once, after its commit, with the record as it became; a deletion as it was.",
            catches: "Changes are reported before they are readable, or with what an older read had.",
            witness: "changes observed"
        ) { context in
            let store = try await context.openEngine()
            let changes = try store.data.observe(Bookshop.Book.self)
            var iterator = changes.makeAsyncIterator()
            var expected: [String] = []
            func next() async throws -> String? {
                try await iterator.next().map { change in
                    "\(change.kind) \(change.model.id) \(change.model.title ?? "-")"
                }
            }
            for (number, title) in ["one", nil, "two", "", "two"].enumerated() {
                for id in ["a", "b"] {
                    try await store.data.save(Bookshop.Book(id, title: title))
                    expected.append("\(number == 0 ? "created" : "updated") \(id) \(title ?? "-")")
                    let seen = try await next()
                    try context.expectEqual(seen, expected.last, "the change observed")
                    let read = try await store.data.query(Bookshop.Book.self, byId: id)
                    try context.expectEqual(read?.title, title, "the record read when its change is observed")
                    context.witness()
                }
            }
            try await store.data.save(Bookshop.Book("b", title: "last"))
            try await store.data.delete(Bookshop.Book.self, where: Bookshop.Book.keys.id >= "a")
            let update = try await next()
            try context.expectEqual(update, "updated b last", "the change observed")
            let deletions = [try await next(), try await next()].map { $0 ?? "nothing" }.sorted()
            try context.expectEqual(deletions, ["deleted a two", "deleted b last"], "the deletions observed")
            try await store.data.close()
            try context.expectEqual(try await next(), nil, "the changes left")
        },
        eng(
            "ENG-060", "What concurrent writers commit is observed in the order of the commits by every observer.",
            catches: "Changes are reported in the order in which calls return.", witness: "changes observed",
            protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let observers = try (0..<2).map { _ in try store.data.observe(Bookshop.Book.self) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        for number in 0..<5 {
                            let book = Bookshop.Book("\(task)-\(number)")
                            try await store.data.save([
                                book, Bookshop.Book("shared\(task % 3)", title: "\(task)-\(number)"),
                            ])
                            if number % 3 == 2 { try await store.data.delete(book) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let kept = try await store.data.query(Bookshop.Book.self).map { "\($0.id) \($0.title ?? "-")" }
            for observer in observers {
                var state: [String: String] = [:]
                let seen = try await store.close(collecting: observer)
                for change in seen {
                    try context.expectEqual(
                        change.kind == .created, state[change.model.id] == nil,
                        "a creation of \(change.model.id), after what was observed before")
                    state[change.model.id] = change.kind == .deleted ? nil : change.model.title ?? "-"
                    context.witness()
                }
                try context.expectEqual(seen.count, 88, "the changes observed")
                try context.expectEqual(
                    state.map { "\($0) \($1)" }.sorted(), kept.sorted(), "what was observed, against what is kept")
            }
        },
        eng(
            "ENG-061",
            "An observer with a condition sees the changes of records that satisfy it, with related records too.",
            catches: "Deletions are not compared, or compared with nothing.", witness: "changes observed"
        ) { context in
            let store = try await context.openEngine()
            let keys = Bookshop.Book.keys
            let authors = [Bookshop.Author("1", name: "one"), Bookshop.Author("2", name: "two")]
            try await store.data.save(authors)
            let long = try store.data.observe(Bookshop.Book.self, where: keys.pages > 5)
            var byOne = try store.data.observe(Bookshop.Book.self, where: field("author.name") == "one")
                .makeAsyncIterator()
            try await store.data.save([
                Bookshop.Book("a", pages: 9, author: authors[0]), Bookshop.Book("b", pages: 1, author: authors[1]),
                Bookshop.Book("c", pages: 9),
            ])
            var seen = try await byOne.next()
            try context.expectEqual(seen.map { "\($0.kind) \($0.model.id)" }, "created a", "the change by one")
            try await store.data.save(Bookshop.Book("b", pages: 6, author: authors[0]))
            seen = try await byOne.next()
            try context.expectEqual(seen.map { "\($0.kind) \($0.model.id)" }, "updated b", "the change by one")
            try await store.data.save(Bookshop.Book("c", pages: 2))
            try await store.data.delete(authors[0])
            seen = try await byOne.next()
            try context.expectEqual(seen?.kind, .deleted, "the change by one")
            let all = try await store.close(collecting: long).map { "\($0.kind) \($0.model.id)" }
            try context.expectEqual(Array(all.prefix(3)), ["created a", "created c", "updated b"], "the long books")
            try context.expectEqual(Set(all.dropFirst(3)), ["deleted a", "deleted b"], "the long books deleted")
            context.witness(all.count + 3)
        },
        eng(
            "ENG-062", "Writes that fail are not observed, and observing ends without an error when the store closes.",
            catches: "Changes are reported when they are sent, not when they are committed.", witness: "writes refused"
        ) { context in
            let store = try await context.openEngine()
            try await store.data.save(Bookshop.Book("a", pages: 1))
            let changes = try store.data.observe(Bookshop.Book.self)
            for _ in 0..<2 {
                try await context.expectModelError(.conditionFailed, from: "a save whose condition fails") {
                    try await store.data.save(Bookshop.Book("a"), where: Bookshop.Book.keys.pages == 2)
                }
                try await context.expectModelError(.brokenRelation, from: "a save without its parent") {
                    try await store.data.save(Bookshop.Book("b", author: Bookshop.Author("none")))
                }
                context.witness(2)
            }
            try await store.data.save(Bookshop.Book("c"))
            let seen = try await store.close(collecting: changes).map { "\($0.kind) \($0.model.id)" }
            try context.expectEqual(seen, ["created c"], "the changes observed")
            try await context.expectError(.closed, from: "observing a closed store") {
                _ = try store.data.observe(Bookshop.Book.self)
            }
        },
        eng(
            "ENG-063", "An observer that falls far behind gets the newest state of every record, and blocks no writer.",
            catches: "A bounded queue drops what was newest, or writers wait for the slowest reader.",
            witness: "changes observed"
        ) { context in
            let store = try await context.openEngine(
                [Bookshop.Lock.self, Bookshop.Key.self], DataStoreOptions(recordsMutations: false))
            let changes = try store.data.observe(Bookshop.Lock.self)
            let keys = (0..<7).map { Bookshop.Key("k\($0)") }
            try await store.data.save(keys)
            let locks = { (round: Int) in (0..<600).map { Bookshop.Lock("l\(1_000 + $0)", key: keys[round % 7]) } }
            for round in 0..<18 { try await store.data.save(locks(round)) }
            try await store.data.delete(Bookshop.Lock.self, where: Bookshop.Lock.CodingKeys.id < "l1010")
            var state: [String: String] = [:]
            let seen = try await store.close(collecting: changes)
            for change in seen {
                state[change.model.id] = change.kind == .deleted ? nil : change.model.key.keyText
            }
            try context.expect(seen.count < 10_800, "Nothing was folded: \(seen.count) changes.")
            try context.expectEqual(state.count, 590, "the records that are left by what was observed")
            try context.expectEqual(Set(state.values), ["k3"], "the newest state of the records")
            context.witness(seen.count)
        },
        eng(
            "ENG-064", "Cancelling the task that observes ends its iteration without an error; others continue.",
            catches: "The iteration hangs, or takes the store's connection with it.", witness: "iterations ended"
        ) { context in
            let store = try await context.openEngine()
            let changes = try store.data.observe(Bookshop.Book.self)
            let live = try store.data.observeQuery(Bookshop.Book.self)
            let (began, begins) = AsyncStream<Int>.makeStream()
            let tasks = [
                Task {
                    var count = 0
                    for try await _ in changes {
                        count += 1
                        begins.yield(1)
                    }
                    return count
                },
                Task {
                    var count = 0
                    for try await snapshot in live where !snapshot.items.isEmpty {
                        count += 1
                        begins.yield(2)
                    }
                    return count
                },
            ]
            try await store.data.save(Bookshop.Book("a"))
            var seen: Set<Int> = []
            for await number in began {
                seen.insert(number)
                if seen.count == 2 { break }
            }
            for task in tasks {
                task.cancel()
                // A live query may show the same result twice if its first query ran beside the save.
                let count = try await task.value
                try context.expect(count > 0, "a cancelled iteration saw nothing")
                context.witness()
            }
            try await store.data.save(Bookshop.Book("b"))
            try await store.compare([Bookshop.Book("a"), Bookshop.Book("b")], "")
        },
    ]

    static let engineLiveQueries = [
        eng(
            "ENG-065", "A live query, kept up to date from changes, is at every quiet point what the query says.",
            catches:
                "What a change does to a sorted, filtered result is worked out otherwise than the back end does it.",
            witness: "quiet points"
        ) { context in
            let keys = Bookshop.Book.keys
            // The changes of this store alone, which a change feed could make up for.
            var options = DataStoreOptions()
            options.observesOtherHandles = false
            let store = try await context.openEngine(Bookshop.models, options)
            var random = SplitMix64(seed: context.seed &+ 65)
            let authors = (0..<3).map { Bookshop.Author("a\($0)", name: "n\($0)") }
            try await store.data.save(authors)
            try await store.data.save(Bookshop.books(6))
            let queries: [((any QueryPredicate)?, QuerySortInput?)] = [
                (nil, nil), (keys.pages > 2, .descending(keys.pages)),
                (keys.title != "x", .by(.ascending(keys.title), .descending(keys.pages))),
                (not(keys.pages == 3 || keys.price > 0.5), .ascending(keys.price)),
                (keys.author == "a1", .ascending(keys.title)),
            ]
            var lives: [LiveQuery<Bookshop.Book>.Iterator] = []
            for (predicate, sort) in queries {
                lives.append(
                    try store.data.observeQuery(Bookshop.Book.self, where: predicate, sort: sort).makeAsyncIterator())
            }
            var newest: [[String]?] = Array(repeating: nil, count: queries.count)
            for _ in 0..<20 {
                let before = newest
                let id = "b\(10_000 + random.below(9))"
                switch random.below(5) {
                case 0: try await store.data.delete(Bookshop.Book(id))
                case 1: try await store.data.delete(Bookshop.Book.self, where: keys.pages == random.below(6))
                case 2:
                    try await store.data.save(Bookshop.books(3, from: random.below(8), pages: random.below(6)))
                default:
                    try await store.data.save(
                        Bookshop.Book(
                            id, title: random.pick([nil, "x", "y"]), pages: random.chance(20) ? nil : random.below(6),
                            price: random.pick([nil, 0.5, 1]),
                            author: random.chance(40) ? nil : random.pick(authors)))
                }
                for index in queries.indices {
                    let asked = try await store.data.query(
                        Bookshop.Book.self, where: queries[index].0, sort: queries[index].1
                    ).map { try $0.row()[0].description }
                    if newest[index] != asked {
                        newest[index] = try await lives[index].next().map { snapshot in
                            try snapshot.items.map { try $0.row()[0].description }
                        }
                    }
                    try context.expectEqual(newest[index], asked, "live query \(index), against the query")
                    if before[index] != asked { context.witness() }
                }
            }

            // A model that holds its parents; one of its records changes each time.
            let beat = Bookshop.Book("beat")
            let books = Bookshop.books(3)
            try await store.data.save(books + [beat])
            var reviews = try store.data.observeQuery(Bookshop.Review.self).makeAsyncIterator()
            for step in 0..<20 {
                let book = random.pick(books)
                if step.isMultiple(of: 3) {
                    try await store.data.save(
                        Bookshop.Review("r\(step % 4)", book: book, reviewer: random.pick([nil] + authors)))
                }
                try await store.data.save(Bookshop.Review("z", stars: step, book: beat))
                try await store.data.save(
                    Bookshop.Author("a\(random.below(3))", name: "n\(random.below(3))", born: random.below(3)))
                try await store.data.save(Bookshop.Book(book.id, title: "t\(step)"))
                let asked = try await store.data.query(Bookshop.Review.self).map(\.withParents)
                let shown = try await reviews.next()?.items.map(\.withParents)
                try context.expectEqual(shown, asked, "the live query of records with parents, against the query")
                context.witness()
            }
        },
        eng(
            "ENG-066", "A live query across relations answers again when a related record changes its result.",
            catches: "Only the queried model is watched.", witness: "answers"
        ) { context in
            let store = try await context.openEngine()
            var authors = ["one", "two"].map { Bookshop.Author($0, name: $0) }
            try await store.data.save(authors)
            try await store.data.save([
                Bookshop.Book("a", author: authors[0]), Bookshop.Book("b", author: authors[1]), Bookshop.Book("c"),
            ])
            var live = try store.data.observeQuery(
                Bookshop.Book.self, where: field("author.name") != "one", sort: .descending("author.name")
            ).makeAsyncIterator()
            func expectNext(_ ids: String) async throws {
                let found = try await live.next()?.items.map(\.id).joined()
                try context.expectEqual(found, ids, "the answer of the live query")
                context.witness()
            }
            try await expectNext("bc")
            authors[0].name = "three"
            try await store.data.save(authors[0])
            try await expectNext("bac")
            authors[1].name = "alpha"
            try await store.data.save(authors[1])
            try await expectNext("abc")
            try await store.data.save(Bookshop.Book("c", author: authors[0]))
            try await expectNext("acb")
            try await store.data.save(Bookshop.Author("three", name: "unrelated"))
            try await store.data.delete(authors[0])
            try await expectNext("b")
        },
        eng(
            "ENG-067",
            "A live query that was not listened to yields the newest result, never one older than a commit before it.",
            catches: "Results pile up, or the first is read beside the changes that follow it.", witness: "results"
        ) { context in
            let store = try await context.openEngine()
            try await store.data.save(Bookshop.Book("a", pages: 5))
            var live = try store.data.observeQuery(
                Bookshop.Book.self, where: Bookshop.Book.keys.pages > 3, sort: .descending(Bookshop.Book.keys.pages)
            ).makeAsyncIterator()
            let first = try await live.next()?.items.map(\.id)
            try context.expectEqual(first, ["a"], "the first result")
            for number in 4...9 { try await store.data.save(Bookshop.Book("\(number)", pages: number)) }
            let newest = try await live.next()?.items.map(\.id)
            try context.expectEqual(newest, ["9", "8", "7", "6", "5", "a", "4"], "the newest result")
            var growing = try store.data.observeQuery(Bookshop.Author.self).makeAsyncIterator()
            async let writing: Void = {
                for number in 0..<20 { try await store.data.save(Bookshop.Author("a\(100 + number)")) }
            }()
            var last = -1
            while last < 20, let snapshot = try await growing.next() {
                try context.expect(snapshot.items.count >= last, "A result is older than the one before it.")
                last = snapshot.items.count
                context.witness()
            }
            try await writing
            try context.expectEqual(last, 20, "the records of the last result")
        },
        eng(
            "ENG-068", "Live results and changes of models that hold their parents hold them as they are.",
            catches:
                "Parents are read from another moment, are missing once they are deleted too, or stay as they were.",
            witness: "records with their parents"
        ) { context in
            let store = try await context.openEngine()
            let reader = Bookshop.Author("r", name: "Reader")
            let book = Bookshop.Book("b", title: "Book")
            try await store.data.save(reader)
            try await store.data.save(book)
            let changes = try store.data.observe(Bookshop.Review.self)
            var live = try store.data.observeQuery(Bookshop.Review.self).makeAsyncIterator()
            _ = try await live.next()
            for id in ["v1", "v2", "v3"] {
                try await store.data.save(Bookshop.Review(id, book: book, reviewer: reader))
            }
            let items = try await live.next()?.items ?? []
            try context.expectEqual(items.map(\.id), ["v1", "v2", "v3"], "the records of the live query")
            try context.expectEqual(
                items.map { "\($0.book.title ?? "-") \($0.reviewer?.name ?? "-")" },
                Array(repeating: "Book Reader", count: 3), "the parents in the live query")
            var seen: [String] = []
            var iterator = changes.makeAsyncIterator()
            while seen.count < 3, let change = try await iterator.next() {
                seen.append("\(change.kind) \(change.model.id) \(change.model.book.title ?? "-")")
            }
            try context.expectEqual(
                seen, ["created v1 Book", "created v2 Book", "created v3 Book"], "the changes and their parents")
            try await store.data.delete(book)
            seen = []
            while seen.count < 3, let change = try await iterator.next() {
                seen.append("\(change.kind) \(change.model.id) \(change.model.book.title ?? "-")")
            }
            try context.expectEqual(
                seen.sorted(), ["deleted v1 Book", "deleted v2 Book", "deleted v3 Book"], "deletions with parents")
            context.witness(9)

            // A parent that changes, and one that comes after the record that requires it. The last record, of a book
            // of its own, changes each time, so that there is a result to wait for.
            var other = Bookshop.Book("c", title: "old")
            let beat = Bookshop.Book("beat", title: "beat")
            try await store.data.save([other, beat])
            try await store.data.save(Bookshop.Review("w1", book: other, reviewer: reader))
            _ = try await store.adapter.commit(
                CommitRequest(operations: [
                    .put(
                        entity: "Review", rows: try Bookshop.Review("w2", book: Bookshop.Book("late")).row(),
                        mode: .insert)
                ]))
            store.data.refresh()
            for (step, expected) in [
                "w1 old Reader, z beat -", "w1 new Reader, z beat -", "w1 new Reader, w2 late -, z beat -",
                "w1 new Renamed, w2 late -, z beat -",
            ].enumerated() {
                switch step {
                case 1:
                    other.title = "new"
                    try await store.data.save(other)
                case 2: try await store.data.save(Bookshop.Book("late", title: "late"))
                case 3: try await store.data.save(Bookshop.Author("r", name: "Renamed"))
                default: break
                }
                try await store.data.save(Bookshop.Review("z", stars: step, book: beat))
                let shown = try await live.next()?.items.map(\.withParents).joined(separator: ", ")
                try context.expectEqual(shown, expected, "the live query after a change of parents")
                let asked = try await store.data.query(Bookshop.Review.self).map(\.withParents)
                try context.expectEqual(asked.joined(separator: ", "), expected, "the query")
                context.witness()
            }
        },
    ]
}

extension Bookshop.Review {
    /// The record's id with the title and the name that it holds.
    fileprivate var withParents: String { "\(id) \(book.title ?? "-") \(reviewer?.name ?? "-")" }
}
