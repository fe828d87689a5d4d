import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension Clause {
    static let engineOutbox = [
        eng(
            "ENG-069", "Changes of one record fold into one entry of the outbox, by what the service has seen of it.",
            catches: "Two entries for one record, or a deletion sent for what the service never saw.",
            witness: "entries", protectsData: true
        ) { context in
            let all = Bookshop.Book.schema.columns
            typealias Step = (title: String?, pages: Int?, entry: (String, [String])?)
            let (create, delete) = ("create", "delete")
            let lives: [[Step]] = [
                [("a", 1, (create, [])), ("b", 2, (create, [])), (nil, nil, nil)],
                [("a", 1, (create, [])), (nil, nil, nil), ("a", 1, (create, []))],
                [
                    ("a", 1, (create, [])), ("send", nil, nil), ("b", 1, ("update", ["title"])),
                    ("b", nil, ("update", ["title", "pages"])), (nil, nil, (delete, [])), ("c", 1, ("update", all)),
                    ("d", 1, ("update", all)), (nil, nil, (delete, [])),
                ],
                [
                    ("a", 1, (create, [])), ("send", nil, nil), ("a", 1, nil), (nil, nil, (delete, [])),
                    ("send", nil, nil), ("a", 1, (create, [])),
                ],
                [
                    ("a", nil, (create, [])), ("send", nil, nil), ("a", 0, ("update", ["pages"])),
                    ("a", nil, ("update", ["pages"])), ("b", nil, ("update", ["title", "pages"])),
                ],
            ]
            for (life, steps) in lives.enumerated() {
                let store = try await context.openEngine()
                try await store.data.save(Bookshop.Author("bystander"))
                for (number, step) in steps.enumerated() {
                    switch step.title {
                    case "send"?: try await store.sendOutbox()
                    case let title?: try await store.data.save(Bookshop.Book("p", title: title, pages: step.pages))
                    case nil: try await store.data.delete(Bookshop.Book("p"))
                    }
                    let entries = try await store.data.outboxEntries().filter { $0.model == "Book" }
                    let where_ = "life \(life), step \(number)"
                    try context.expectEqual(
                        entries.map { "\($0.operation) \($0.key)" }, step.entry.map { ["\($0.0) p"] } ?? [],
                        "the entries, \(where_)")
                    try context.expectEqual(
                        entries.first?.changedFields ?? [], step.entry?.1 ?? [], "the changed fields, \(where_)")
                    context.witness(entries.count)
                }
            }
        },
        eng(
            "ENG-070", "An update names exactly the fields that changed; a save of what is there already names none.",
            catches: "What is read back differs in form from what was saved: every save looks like a change.",
            witness: "updates"
        ) { context in
            let store = try await context.openEngine(Bookshop.models + [AllTypesModel.self])
            for (number, specimen) in try AllTypesModel.all().enumerated() {
                try await store.data.save(specimen)
                try await store.sendOutbox()
                try await store.data.save(specimen)
                try context.expectEqual(
                    try await store.data.outboxCount(), 0, "the entries after saving specimen \(number) as it is")
                let again = try await store.data.query(AllTypesModel.self, byId: specimen.id)
                if let again { try await store.data.save(again) }
                try context.expectEqual(
                    try await store.data.outboxCount(), 0, "the entries after saving specimen \(number) as it was read")
                context.witness()
            }
            let authors = ["a", "b"].map { Bookshop.Author($0) }
            try await store.data.save(authors)
            let book = Bookshop.Book("p", title: "\u{e9}", pages: 1, cover: .init(colour: "red"), author: authors[0])
            let edits: [([String], Bookshop.Book)] = [
                (["title"], Bookshop.Book("p", title: "e\u{301}", pages: 1, cover: book.cover, author: authors[0])),
                (["pages"], Bookshop.Book("p", title: "\u{e9}", cover: book.cover, author: authors[0])),
                (["cover"], Bookshop.Book("p", title: "\u{e9}", pages: 1, author: authors[0])),
                (["authorId"], Bookshop.Book("p", title: "\u{e9}", pages: 1, cover: book.cover, author: authors[1])),
                (["title", "price", "authorId"], Bookshop.Book("p", pages: 1, price: 0, cover: book.cover)),
            ]
            for (fields, edited) in edits {
                try await store.data.save(book)
                try await store.sendOutbox()
                try await store.data.save(edited)
                let entries = try await store.data.outboxEntries()
                try context.expectEqual(entries.map(\.changedFields), [fields], "the changed fields")
                context.witness()
            }
        },
        eng(
            "ENG-071", "Entries are in the order in which records were first changed, whatever the clock says.",
            catches: "A queue ordered by key or by a clock that has stopped.", witness: "entries", protectsData: true
        ) { context in
            let time = Mutex<Int64>(5_000)
            let surroundings = Surroundings.system(now: {
                time.withLock { time in
                    time -= 100
                    return time
                }
            })
            let store = try await context.openEngine(Bookshop.models, DataStoreOptions(surroundings: surroundings))
            try await store.data.save(["c", "a", "b"].map { Bookshop.Book($0) })
            try await store.data.save(Bookshop.Author("z"))
            try await store.data.save(Bookshop.Book("a", title: "changed"))
            try await store.data.save(Bookshop.Shelf("s#", -1))
            for number in 0..<10 { try await store.data.save(Bookshop.Author("\(9 - number)")) }
            let expected =
                ["Book c", "Book a", "Book b", "Author z", "Shelf s\\##-1"]
                + (0..<10).map { "Author \(9 - $0)" }
            try context.expectEqual(
                try await store.outbox(), expected.map { "create " + $0 }, "the entries of the outbox")
            let few = try await store.data.outboxEntries(limit: 3).map(\.key)
            try context.expectEqual(few, ["c", "a", "b"], "the first entries")
            let positions = try await store.data.outboxEntries().map(\.position)
            try context.expect(
                zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }, "Positions do not rise: \(positions)")
            context.witness(positions.count)
        },
        eng(
            "ENG-072",
            "The outbox is there after reopening, and later changes come after it although the clock went back.",
            requires: .persistence, catches: "The queue is kept in memory, or positions start over.",
            witness: "entries after reopening", protectsData: true
        ) { context in
            let store = try await context.openEngine(
                Bookshop.models, DataStoreOptions(surroundings: .system(now: { 9_000 })))
            try await store.data.save(["c", "a", "b"].map { Bookshop.Book($0, title: "t") })
            try await store.data.delete(Bookshop.Book("a"))
            let before = try await store.data.outboxEntries()
            let again = try await store.reopen(nil, DataStoreOptions(surroundings: .system(now: { 1_000 })))
            try context.expectEqual(try await again.data.outboxEntries(), before, "the entries after reopening")
            try await again.data.save(Bookshop.Book("0", title: "new"))
            try await again.data.save(Bookshop.Book("c", title: "changed"))
            try context.expectEqual(
                try await again.outbox(), ["create Book c", "create Book b", "create Book 0"],
                "the entries after more changes")
            let third = try await again.reopen(nil, DataStoreOptions(surroundings: .system(now: { 0 })))
            try await third.data.transaction { transaction in
                try await transaction.save(Bookshop.Author("a"))
                try await transaction.delete(Bookshop.Book("b"))
            }
            try context.expectEqual(
                try await third.outbox(), ["create Book c", "create Book 0", "create Author a"],
                "the entries after a transaction")
            context.witness(9)
        },
        eng(
            "ENG-073", "A record and its entry in the outbox go in together: there is never one without the other.",
            catches: "The queue is written by a commit of its own.", witness: "commits", protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let author = Bookshop.Author("a")
            try await store.data.save(author)
            try await store.data.save((0..<5).map { Bookshop.Book("b\($0)", author: author) })
            try await store.data.transaction { transaction in
                try await transaction.save(Bookshop.Shelf("r", 1))
                try await transaction.save(Bookshop.Author("c"))
            }
            let dump = try await store.dump()
            let entries = dump.rows["__outbox"] ?? []
            try context.expectEqual(entries.count, 8, "the entries of the outbox")
            for entry in entries {
                guard case .text(let model) = entry.cells[0], case .text(let key) = entry.cells[1] else { continue }
                let record = dump.rows[model]?.first { row in
                    row.cells[0] == .text(key) || (model == "Shelf" && key == "r#1")
                }
                try context.expectEqual(record?.version, entry.version, "the commits of \(model) \(key) and its entry")
                context.witness()
            }
        },
        eng(
            "ENG-074",
            "A store that does not record mutations has no outbox, and one that does afterwards has an empty one.",
            catches: "The queue is made once, when the store is created.", witness: "stores opened"
        ) { context in
            let store = try await context.openEngine(Bookshop.models, DataStoreOptions(recordsMutations: false))
            try await store.data.save([Bookshop.Book("a", title: "1"), Bookshop.Book("b")])
            try await store.data.save(Bookshop.Book("a", title: "2"))
            try await store.data.delete(Bookshop.Book("b"))
            try context.expectEqual(try await store.data.outboxCount(), 0, "the entries of the outbox")
            try await store.compare([Bookshop.Book("a", title: "2")], "")
            context.witness()
            guard store.isPersistent else { return }
            let again = try await store.reopen(nil, DataStoreOptions())
            try await again.compare([Bookshop.Book("a", title: "2")], " after reopening")
            try await again.data.save(Bookshop.Book("a", title: "3"))
            try context.expectEqual(try await again.outbox(), ["create Book a"], "the outbox of the reopened store")
            context.witness()
        },
    ]

    static let engineSystem = [
        eng(
            "ENG-075", "What a service said of records and models is kept as it was said, also after reopening.",
            catches: "Metadata share a table with records, or lose their precision.", witness: "metadata read back",
            protectsData: true
        ) { context in
            var store = try await context.openEngine()
            try await store.data.save(Bookshop.Book("k"))
            let metadata = [
                RecordMetadata(model: "Book", key: "k", version: 1, lastChangedAt: 1_700_000_000_123),
                RecordMetadata(model: "Book", key: "gone", version: .max, lastChangedAt: -1, isDeleted: true),
                RecordMetadata(model: "Shelf", key: "a\\##-1", version: 0, lastChangedAt: 0),
            ]
            let states = [
                ModelState(model: "Book", lastSync: .max, syncPredicate: "{\"a\": 1}"), ModelState(model: "Shelf"),
            ]
            try await store.data.save(metadata: metadata, states: states)
            try await store.data.setSetting("a setting", to: "one")
            try await store.data.setSetting("a setting", to: "\u{1F600} two")
            for _ in 0..<2 {
                let books = try await store.data.recordMetadata(["gone", "none", "k"], of: "Book")
                try context.expectEqual(books, [metadata[1], nil, metadata[0]], "the metadata of books")
                let shelves = try await store.data.recordMetadata(["a\\##-1", "k"], of: "Shelf")
                try context.expectEqual(shelves, [metadata[2], nil], "the metadata of shelves")
                for state in states {
                    let read = try await store.data.modelState(of: state.model)
                    try context.expectEqual(read, state, "the state of \(state.model)")
                }
                try context.expectEqual(try await store.data.modelState(of: "Author"), nil, "a state never saved")
                let setting = try await store.data.setting("a setting")
                try context.expectEqual(setting, "\u{1F600} two", "a setting")
                context.witness(6)
                if store.isPersistent { store = try await store.reopen() }
            }
            try await store.data.save(metadata: [RecordMetadata(model: "Book", key: "k", version: 2, lastChangedAt: 5)])
            let newest = try await store.data.recordMetadata(["k"], of: "Book")
            try context.expectEqual(newest.map { $0?.version }, [2], "the version of a record that was said again")
        }
    ]
}
