import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension Clause {
    static let engineSaves = [
        eng(
            "ENG-001", "A save creates a record or replaces it whole; it is read back as saved, also after reopening.",
            catches: "An upsert merges: fields that the new record does not have keep their old value.",
            witness: "records read back", protectsData: true
        ) { context in
            var store = try await context.openEngine()
            var expected: [Bookshop.Book] = []
            for (number, book) in [
                Bookshop.Book("b", title: "One", pages: 10, price: 1.5, cover: Bookshop.Cover(colour: "red")),
                Bookshop.Book("a", title: "Two", pages: 20), Bookshop.Book("b", price: 2.5),
                Bookshop.Book("b", title: "", pages: 0), Bookshop.Book("a"), Bookshop.Book("a"),
                Bookshop.Book("c", cover: Bookshop.Cover(colour: "", print: .init(number: 1))),
                Bookshop.Book("a", title: "Three", pages: -1, price: -0.5),
            ].enumerated() {
                try await store.data.save(book)
                expected.removeAll { $0.id == book.id }
                expected.append(book)
                expected.sort { $0.id < $1.id }
                if number % 3 == 2 {
                    store = try await store.expectHolds(expected)
                } else {
                    try await store.compare(expected, " after save \(number)")
                }
                context.witness(expected.count)
            }
            try await store.expectHolds(expected)
        },
        eng(
            "ENG-002",
            "A batch is saved in one commit and reports how many records it created and how many it replaced.",
            catches: "Batches are cut in parts, or an insert that replaces is counted as new.",
            witness: "records of batches", protectsData: true
        ) { context in
            var store = try await context.openEngine()
            var random = SplitMix64(seed: context.seed &+ 2)
            var expected: [String: Bookshop.Book] = [:]
            for (start, count, pages) in [(0, 60, 1), (30, 60, 2), (89, 3, 3), (0, 130, 4)] {
                let books = Bookshop.books(count, from: start, pages: pages)
                let known = books.count { expected[$0.id] != nil }
                let result = try await store.data.save(random.sample(books, count))
                try context.expectEqual(result.createdCount, count - known, "the records created by a batch")
                try context.expectEqual(result.updatedCount, known, "the records replaced by a batch")
                for book in books { expected[book.id] = book }
                let versions = Set(
                    try await store.rows(of: "Book").filter { $0.cells[2] == .integer(Int64(pages)) }
                        .map(\.version))
                try context.expectEqual(versions.count, 1, "the commits that wrote a batch")
                store = try await store.expectHolds(expected.values.sorted { $0.id < $1.id })
                context.witness(count)
            }
        },
        eng(
            "ENG-003", "Of several models with one key in a batch the last is saved, once.",
            catches: "The first is kept, or the batch fails on its own duplicate.", witness: "duplicates"
        ) { context in
            let store = try await context.openEngine()
            let books = Bookshop.books(40, pages: 1) + Bookshop.books(20, from: 10, pages: 2)
            let result = try await store.data.save(books + [Bookshop.Book("b10000", pages: 3)])
            try context.expectEqual(result.createdCount, 40, "the records created")
            var expected = Bookshop.books(40, pages: 1)
            expected.replaceSubrange(10..<30, with: Bookshop.books(20, from: 10, pages: 2))
            expected[0] = Bookshop.Book("b10000", pages: 3)
            try context.expectEqual(
                try await store.data.outboxCount(), 40, "the entries in the outbox")
            try await store.expectHolds(expected)
            context.witness(21)
        },
        eng(
            "ENG-004",
            "A record that another writer creates while a batch is saved is replaced by it, not created twice.",
            catches: "An insert replaces silently; the other writer's creation is reported again as a creation.",
            witness: "creations that came in between", protectsData: true
        ) { context in
            for index in [0, 17, 39] {
                let watch = EngineWatch()
                let store = try await context.openEngine(watch: watch)
                let changes = try store.data.observe(Bookshop.Book.self)
                let books = Bookshop.books(40, pages: 1)
                let id = books[index].id
                watch.beforeNextCommit { try await store.data.save(Bookshop.Book(id, title: "first", pages: 9)) }
                let result = try await store.data.save(books)
                try context.expectEqual(result.createdCount, 39, "the records created")
                try context.expectEqual(result.updatedCount, 1, "the records replaced")
                try await store.compare(books, "")
                try context.expectEqual(try await store.data.outboxCount(), 40, "the entries in the outbox")
                let seen = try await store.close(collecting: changes).filter { $0.model.id == id }
                try context.expectEqual(
                    seen.map { "\($0.kind) \($0.model.pages ?? 0)" }, ["created 9", "updated 1"],
                    "what was observed of the record")
                context.witness()
            }
        },
    ]

    static let engineConditions = [
        eng(
            "ENG-005",
            "A save with a condition happens if the stored record satisfies it, and changes nothing otherwise.",
            catches: "The condition is asked of the new record, or of none at all.", witness: "saves refused",
            protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let keys = Bookshop.Book.keys
            let cases: [(any QueryPredicate, Bool)] = [
                (keys.pages == 5, true), (keys.pages == 6, false), (keys.pages > 5, false), (keys.title == "old", true),
                (keys.title == "new", false), (keys.price == nil, true), (keys.price != nil, false),
                (field("cover.colour") == "red", true), (field("cover.colour") == "blue", false),
                (keys.pages == 5 && keys.title == "other", false), (keys.pages == 6 || keys.title == "old", true),
                (not(keys.pages == 5), false),
            ]
            for (number, (condition, holds)) in cases.enumerated() {
                let old = Bookshop.Book("b", title: "old", pages: 5, cover: .init(colour: "red"))
                let new = Bookshop.Book("b", title: "new", pages: 6, price: 1)
                try await store.data.save(old)
                let before = try await store.dump()
                if holds {
                    try await store.data.save(new, where: condition)
                    try await store.compare([new], "")
                } else {
                    try await context.expectModelError(.conditionFailed, from: "save \(number)") {
                        try await store.data.save(new, where: condition)
                    }
                    try context.expect(
                        try await store.dump() == before, "Save \(number) was refused and changed something.")
                    context.witness()
                }
            }
            try await context.expectModelError(.conditionFailed, from: "a save of a record that does not exist") {
                try await store.data.save(Bookshop.Book("c"), where: keys.pages == nil)
            }
            try context.expectEqual(try await store.data.count(Bookshop.Book.self), 1, "the records at the end")
        },
        eng(
            "ENG-006",
            "A delete with a condition happens if the stored record satisfies it, and changes nothing otherwise.",
            catches: "The record is deleted by its key alone.", witness: "deletes refused", protectsData: true
        ) { context in
            var store = try await context.openEngine()
            let keys = Bookshop.Book.keys
            let author = Bookshop.Author("a", name: "n")
            try await store.data.save(author)
            let book = Bookshop.Book("b", pages: 5, author: author)
            try await store.data.save(book)
            let before = try await store.dump()
            for condition in [keys.pages == 6, keys.title != nil, field("author.name") == "m"] {
                try await context.expectModelError(.conditionFailed, from: "a delete by instance") {
                    try await store.data.delete(book, where: condition)
                }
                try await context.expectModelError(.conditionFailed, from: "a delete by identifier") {
                    try await store.data.delete(Bookshop.Book.self, withId: "b", where: condition)
                }
                try context.expect(try await store.dump() == before, "A delete was refused and changed something.")
                context.witness(2)
            }
            store = try await store.expectHolds([book])
            let isDeleted = try await store.data.delete(book, where: field("author.name") == "n" && keys.pages == 5)
            try context.expect(isDeleted, "A delete whose condition holds did not find the record.")
            try await store.expectHolds([Bookshop.Book]())
        },
        eng(
            "ENG-007", "A condition holds when the save or delete is committed, not only when it was checked.",
            catches: "The check and the write are two steps: another writer gets in between.",
            witness: "changes that came in between", protectsData: true
        ) { context in
            let keys = Bookshop.Book.keys
            for deletes in [false, true] {
                let watch = EngineWatch()
                let store = try await context.openEngine(watch: watch)
                let book = Bookshop.Book("b", pages: 5)
                try await store.data.save(Bookshop.books(10) + [book])
                watch.beforeNextCommit { try await store.data.save(Bookshop.Book("b", pages: 6)) }
                try await context.expectModelError(.conditionFailed, from: "a write whose condition was overtaken") {
                    if deletes {
                        try await store.data.delete(book, where: keys.pages == 5)
                    } else {
                        try await store.data.save(Bookshop.Book("b", pages: 7), where: keys.pages == 5)
                    }
                }
                try await store.expectHolds([Bookshop.Book("b", pages: 6)] + Bookshop.books(10))
                context.witness()
            }
        },
        eng(
            "ENG-008",
            "The related records that a condition asks for are as they were found when the save is committed.",
            catches: "Only the record itself is guarded; what the condition read beside it is not.",
            witness: "changes of related records that came in between", protectsData: true
        ) { context in
            for change in ["rename", "move", "delete"] {
                let watch = EngineWatch()
                let store = try await context.openEngine(watch: watch)
                let authors = [Bookshop.Author("a", name: "n"), Bookshop.Author("x", name: "m")]
                try await store.data.save(authors)
                try await store.data.save(Bookshop.Book("b", pages: 1, author: authors[0]))
                watch.beforeNextCommit {
                    switch change {
                    case "rename": try await store.data.save(Bookshop.Author("a", name: "other"))
                    case "move": try await store.data.save(Bookshop.Book("b", pages: 1, author: authors[1]))
                    default: try await store.data.delete(authors[0])
                    }
                }
                try await context.expectModelError(.conditionFailed, from: "a save overtaken by a \(change)") {
                    try await store.data.save(
                        Bookshop.Book("b", pages: 2, author: authors[0]), where: field("author.name") == "n")
                }
                let pages = try await store.data.query(Bookshop.Book.self).map(\.pages)
                try context.expectEqual(pages, change == "delete" ? [] : [1], "the pages after a \(change)")
                context.witness()
            }
        },
        eng(
            "ENG-009",
            "Concurrent saves of one record all succeed, one after the other; the last one observed is what is kept.",
            catches: "Writers overwrite each other unseen, or get an error that no one can act on.",
            witness: "concurrent saves", protectsData: true
        ) { context in
            let watch = EngineWatch()
            let store = try await context.openEngine(watch: watch)
            let changes = try store.data.observe(Bookshop.Book.self)
            // One that surely comes in between, then many that may.
            watch.beforeNextCommit { try await store.data.save(Bookshop.Book("b", pages: 100)) }
            try await store.data.save(Bookshop.Book("b", pages: 101))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<24 {
                    group.addTask { try await store.data.save(Bookshop.Book("b", title: "t\(number)", pages: number)) }
                }
                try await group.waitForAll()
            }
            let kept = try await store.data.query(Bookshop.Book.self).map(\.pages)
            try context.expectEqual(try await store.outbox(), ["create Book b"], "the outbox")
            let seen = try await store.close(collecting: changes)
            try context.expectEqual(seen.count, 26, "the changes observed")
            try context.expectEqual(seen.count { $0.kind == .created }, 1, "the creations observed")
            try context.expectEqual(Set(seen.map(\.model.pages)).count, 26, "the different changes observed")
            try context.expectEqual(kept, [seen.last?.model.pages], "what is kept, against the last change observed")
            context.witness(seen.count)
        },
    ]
}
