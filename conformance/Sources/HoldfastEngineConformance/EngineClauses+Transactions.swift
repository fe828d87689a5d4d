import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension Clause {
    static let engineTransactions = [
        eng(
            "ENG-034", "A transaction over several models is one commit: everything has one version, in every model.",
            catches: "Each model is committed by itself; a reader sees half of it.",
            witness: "records of a transaction",
            protectsData: true
        ) { context in
            let store = try await context.openEngine()
            try await store.data.save([Bookshop.Author("old"), Bookshop.Author("gone")])
            try await store.data.save(Bookshop.Book("gone"))
            let versions = Set(try await store.dump().rows.values.joined().map(\.version))
            let author = Bookshop.Author("new", name: "N")
            let books = (0..<5).map { Bookshop.Book("b\($0)", author: author) }
            let shelf = Bookshop.Shelf("s", 1)
            let count = try await store.data.transaction { transaction in
                try await transaction.save(author)
                try await transaction.save(books)
                try await transaction.save(shelf)
                try await transaction.delete(Bookshop.Book("gone"))
                try await transaction.delete(Bookshop.Author("gone"))
                try await transaction.save(Bookshop.Author("old", name: "changed"))
                return try await transaction.query(Bookshop.Book.self).count
            }
            try context.expectEqual(count, 5, "the books that the transaction sees")
            let written = try await store.dump().rows.filter { $0.key != "__outbox" }.values.joined().map(\.version)
            try context.expectEqual(Set(written).count, 1, "the versions of what a transaction wrote")
            try context.expect(versions.isDisjoint(with: written), "A transaction wrote with the version of another.")
            let again = try await store.expectHolds(books)
            try await again.compare([author, Bookshop.Author("old", name: "changed")], "")
            try await again.compare([shelf], "")
            context.witness(written.count)
        },
        eng(
            "ENG-035", "A transaction whose closure throws changes nothing and is not observed.",
            catches: "Writes are sent as they are made, and taken back imperfectly.", witness: "transactions given up",
            protectsData: true
        ) { context in
            let store = try await context.openEngine()
            try await store.data.save(Bookshop.books(5))
            let changes = try store.data.observe(Bookshop.Book.self)
            let before = try await store.dump()
            for value in [1, 2] {
                do {
                    try await store.data.transaction { transaction in
                        try await transaction.save(Bookshop.Book("b10001", title: "new"))
                        try await transaction.save(Bookshop.books(30, from: 3))
                        try await transaction.delete(Bookshop.Book.self, where: Bookshop.Book.keys.pages == value)
                        throw ClauseSkip("given up")
                    }
                } catch is ClauseSkip {
                    context.witness()
                }
                try context.expect(try await store.dump() == before, "A transaction that threw changed something.")
            }
            try await store.data.save(Bookshop.Book("after"))
            try await store.expectHolds([Bookshop.Book("after")] + Bookshop.books(5))
            let seen = try await store.close(collecting: changes).map(\.model.id)
            try context.expectEqual(seen, ["after"], "the changes observed")
        },
        eng(
            "ENG-036", "Reads in a transaction see its own writes, and what was committed before it, as of one moment.",
            catches: "Each read takes the newest state: a total that never was.", witness: "reads in a transaction"
        ) { context in
            let store = try await context.openEngine()
            let keys = Bookshop.Book.keys
            try await store.data.save((0..<6).map { (number: Int) in Bookshop.Book("\(number)", pages: number) })
            try await store.data.transaction { transaction in
                try await transaction.save(Bookshop.Book("1", title: "moved", pages: 9))
                try await transaction.save(Bookshop.Book("new", pages: 3))
                try await transaction.delete(Bookshop.Book("4"))
                let sort = QuerySortInput.descending(keys.pages)
                let all = try await transaction.query(Bookshop.Book.self, sort: sort).map(\.id)
                try context.expectEqual(all, ["1", "5", "3", "new", "2", "0"], "a query in the transaction")
                let page = try await transaction.query(Bookshop.Book.self, sort: sort, paginate: .page(1, limit: 2))
                try context.expectEqual(page.map(\.id), ["3", "new"], "a page in the transaction")
                let middle = keys.pages > 2 && keys.pages < 9
                let found = try await transaction.query(Bookshop.Book.self, where: middle).map(\.id)
                try context.expectEqual(found, ["3", "5", "new"], "a condition in the transaction")
                let sum: Int = try await transaction.sum(Bookshop.Book.self, of: keys.pages)
                try context.expectEqual(sum, 22, "a sum in the transaction")
                try context.expectEqual(
                    try await transaction.query(Bookshop.Book.self, byId: "4")?.id, nil, "a record deleted before")
                try context.expectEqual(try await store.data.count(Bookshop.Book.self), 6, "the count outside")
                try context.expectEqual(
                    try await transaction.delete(Bookshop.Book.self, where: middle), 3, "records deleted")
                context.witness(6)
            }
            let expected = [
                Bookshop.Book("0", pages: 0), Bookshop.Book("1", title: "moved", pages: 9),
                Bookshop.Book("2", pages: 2),
            ]
            try await store.expectHolds(expected)
        },
        eng(
            "ENG-037",
            "What a transaction has not read before it reads as of its beginning, whatever is committed meanwhile.",
            catches: "A snapshot is opened at the first read of each record, or moves on with the store.",
            witness: "commits that came in between", protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let (low, high) = (Bookshop.Book("low", pages: 1), Bookshop.Book("high", pages: 9))
            try await store.data.save([low, high])
            let seen = Mutex<[Int]>([])
            try await store.data.transaction { transaction in
                let first = try await transaction.query(Bookshop.Book.self, byId: "low")?.pages ?? -1
                if seen.withLock({ $0.isEmpty }) {
                    try await store.data.save([Bookshop.Book("low", pages: 2), Bookshop.Book("high", pages: 8)])
                    context.witness()
                }
                let second = try await transaction.query(
                    Bookshop.Book.self, where: Bookshop.Book.keys.id == "high"
                ).first?.pages
                seen.withLock { $0 += [first + (second ?? -100)] }
                try await transaction.save(Bookshop.Book("sum", pages: first + (second ?? -100)))
            }
            try context.expectEqual(seen.withLock { $0 }, [10, 10], "the sums that the runs of the closure saw")
            try context.expectEqual(
                try await store.data.query(Bookshop.Book.self, byId: "sum")?.pages, 10, "the sum that was kept")
        },
        eng(
            "ENG-086", "A save whose task is cancelled has happened whole, with its outbox entry, or not at all.",
            catches: "The commit is given up between two statements.", witness: "saves cancelled", protectsData: true
        ) { context in
            let watch = EngineWatch()
            let store = try await context.openEngine(watch: watch)
            var expected: [Bookshop.Book] = []
            for round in 0..<6 {
                let batch = Bookshop.books(3, from: 10 * round)
                watch.beforeNextCommit { withUnsafeCurrentTask { $0?.cancel() } }
                let save = Task { try await store.data.save(batch) }
                do {
                    _ = try await save.value
                    expected += batch
                } catch is CancellationError {
                    // Nothing of it has happened.
                } catch let error as StorageError {
                    try context.expectEqual(error.kind, .cancelled, "the error of a save that was cancelled")
                    if error.transaction == .outcomeUnknown,
                        try await store.data.count(Bookshop.Book.self) > expected.count
                    {
                        expected += batch
                    }
                }
                try await store.compare(expected, " after a save was cancelled")
                try context.expectEqual(
                    try await store.outbox(), expected.map { "create Book \($0.id)" }, "the outbox")
                context.witness()
            }
            // This one reads the record when it is saved.
            var kept = Bookshop.Book("kept", pages: 0)
            try await store.data.save(kept)
            for pages in 1...3 {
                let (original, edited) = (kept, Bookshop.Book("kept", pages: pages))
                watch.beforeNextCommit { withUnsafeCurrentTask { $0?.cancel() } }
                let save = Task { try await store.data.save(edited, from: original) }
                do {
                    _ = try await save.value
                    kept = edited
                } catch is CancellationError {
                    // Nothing of it has happened.
                } catch let error as StorageError {
                    try context.expectEqual(error.kind, .cancelled, "the error of an edit that was cancelled")
                    if error.transaction == .outcomeUnknown,
                        let stored = try await store.data.query(Bookshop.Book.self, byId: "kept")
                    {
                        kept = stored
                    }
                }
                try await store.compare(expected + [kept], " after an edit was cancelled")
            }
            try await store.expectHolds(expected + [kept])
        },
        eng(
            "ENG-038", "A transaction of a thousand records of several models goes in whole.",
            catches: "Commits are cut at a number of operations, parameters or bytes.", witness: "records saved",
            protectsData: true
        ) { context in
            let store = try await context.openEngine(Bookshop.models, DataStoreOptions(recordsMutations: false))
            let authors = (0..<340).map { Bookshop.Author("a\(1_000 + $0)") }
            let books = authors.map { Bookshop.Book("b" + $0.id, author: $0) }
            let profiles = authors.map { Bookshop.Profile("p" + $0.id, author: $0) }
            try await store.data.transaction { transaction in
                try await transaction.save(books)
                try await transaction.save(profiles)
                try await transaction.save(authors)
            }
            let versions = Set(try await store.dump().rows.values.joined().map(\.version))
            try context.expectEqual(versions.count, 1, "the versions of what a transaction wrote")
            let again = try await store.expectHolds(books)
            try await again.compare(profiles, "")
            try await again.compare(authors, "")
            context.witness(3 * authors.count)
        },
    ]

    static let engineConflicts = [
        eng(
            "ENG-039", "A change of what a transaction read runs its closure again; a change elsewhere does not.",
            catches: "Conflicts go unseen, or every commit of anybody else is one.", witness: "changes in between",
            protectsData: true
        ) { context in
            let keys = Bookshop.Book.keys
            for (how, runsExpected) in [
                ("key", 2), ("absent", 2), ("query", 2), ("deleted", 2), ("other record", 1), ("other model", 1),
            ] {
                let store = try await context.openEngine()
                try await store.data.save([Bookshop.Book("a", pages: 1), Bookshop.Book("b", pages: 2)])
                let runs = Counter()
                try await store.data.transaction { transaction in
                    let isFirst = runs.next() == 0
                    var pages = 0
                    switch how {
                    case "absent": pages = try await transaction.query(Bookshop.Book.self, byId: "new")?.pages ?? 0
                    case "query":
                        pages = try await transaction.query(Bookshop.Book.self, where: keys.pages > 6).count
                    default: pages = try await transaction.query(Bookshop.Book.self, byId: "a")?.pages ?? 0
                    }
                    if isFirst {
                        switch how {
                        case "key": try await store.data.save(Bookshop.Book("a", pages: 7))
                        case "absent", "query": try await store.data.save(Bookshop.Book("new", pages: 7))
                        case "deleted": try await store.data.delete(Bookshop.Book("a"))
                        case "other record": try await store.data.save(Bookshop.Book("b", pages: 7))
                        default: try await store.data.save(Bookshop.Author("a"))
                        }
                        context.witness()
                    }
                    try await transaction.save(Bookshop.Book("copy", pages: pages))
                }
                try context.expectEqual(runs.current, runsExpected, "runs of the closure, change: \(how)")
                let copy = try await store.data.query(Bookshop.Book.self, byId: "copy")?.pages
                let expected = ["key": 7, "absent": 7, "query": 1, "deleted": 0][how] ?? 1
                try context.expectEqual(copy, expected, "what the last run read, change: \(how)")
            }
        },
        eng(
            "ENG-040", "Counters that concurrent transactions raise lose no step.",
            catches: "Two read the same number and both write the next one.", witness: "steps", protectsData: true
        ) { context in
            let store = try await context.openEngine()
            try await store.data.save(["x", "y"].map { Bookshop.Book($0, pages: 0) })
            // One that is surely overtaken, then many that may be.
            let runs = Counter()
            try await store.data.transaction { transaction in
                let pages = try await transaction.query(Bookshop.Book.self, byId: "x")?.pages ?? -99
                if runs.next() == 0 { try await store.data.save(Bookshop.Book("x", pages: 1)) }
                try await transaction.save(Bookshop.Book("x", pages: pages + 1))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<6 {
                    group.addTask {
                        for _ in 0..<4 {
                            try await store.data.transaction { transaction in
                                let id = task % 2 == 0 ? "x" : "y"
                                let pages = try await transaction.query(Bookshop.Book.self, byId: id)?.pages ?? -99
                                try await transaction.save(Bookshop.Book(id, pages: pages + 1))
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await store.expectHolds([Bookshop.Book("x", pages: 14), Bookshop.Book("y", pages: 12)])
            context.witness(24)
        },
        eng(
            "ENG-041", "Of concurrent transactions that keep a rule over several records, none breaks it.",
            catches: "Write skew: each reads what the other is about to change, and both commit.",
            witness: "transactions", protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let keys = Bookshop.Book.keys
            try await store.data.save(Bookshop.Book("b0", pages: 1))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 1...8 {
                    group.addTask {
                        try await store.data.transaction { transaction in
                            // At most four books may have pages.
                            let count = try await transaction.count(Bookshop.Book.self, where: keys.pages > 0)
                            if count < 4 { try await transaction.save(Bookshop.Book("b\(task)", pages: 1)) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let kept = try await store.data.count(Bookshop.Book.self, where: keys.pages > 0)
            try context.expectEqual(kept, 4, "the records that the rule allows")
            // A rule over two records, with a writer that is surely in between: one must stay.
            let pair = try await context.openEngine()
            try await pair.data.save(["b", "c"].map { Bookshop.Book($0, pages: 1) })
            let runs = Counter()
            try await pair.data.transaction { transaction in
                let count = try await transaction.query(Bookshop.Book.self, where: keys.pages > 0).count
                if runs.next() == 0 { try await pair.data.delete(Bookshop.Book("c")) }
                if count > 1 { try await transaction.delete(Bookshop.Book("b")) }
            }
            try await pair.expectHolds([Bookshop.Book("b", pages: 1)])
            context.witness(9)
        },
        eng(
            "ENG-042",
            "Two handles on one store are two writers: what one commits the other reads, and their conflicts are seen.",
            requires: .all([.feature(.multipleProcesses), .persistence]),
            catches: "Versions and snapshots are kept per handle.", witness: "changes through the other handle",
            protectsData: true
        ) { context in
            let one = try await context.openEngine()
            let two = try await context.openEngine(at: one.location)
            try await one.data.save(Bookshop.Book("n", pages: 0))
            try await two.compare([Bookshop.Book("n", pages: 0)], " through the other handle")
            let runs = Counter()
            try await one.data.transaction { transaction in
                let pages = try await transaction.query(Bookshop.Book.self, byId: "n")?.pages ?? -99
                if runs.next() == 0 { try await two.data.save(Bookshop.Book("n", pages: 5)) }
                try await transaction.save(Bookshop.Book("n", pages: pages + 1))
            }
            try await two.compare([Bookshop.Book("n", pages: 6)], " through the other handle")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<4 {
                    group.addTask {
                        let store = task % 2 == 0 ? one : two
                        for _ in 0..<3 {
                            try await store.data.transaction { transaction in
                                let pages = try await transaction.query(Bookshop.Book.self, byId: "n")?.pages ?? -99
                                try await transaction.save(Bookshop.Book("n", pages: pages + 1))
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await two.compare([Bookshop.Book("n", pages: 18)], " through the other handle")
            let author = Bookshop.Author("a")
            try await one.data.save(author)
            try await two.data.save(Bookshop.Book("o", author: author))
            try await one.data.delete(author)
            try await two.compare([Bookshop.Book("n", pages: 18)], " after a cascade through the other handle")
            context.witness(15)
        },
    ]
}
