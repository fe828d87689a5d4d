import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension Clause {
    static let engineForeignKeys = [
        eng(
            "ENG-010", "A record that belongs to one that does not exist is refused with all that is saved with it.",
            catches: "A missing parent is read as some other record, or part of the batch goes in.",
            witness: "saves refused", protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let (here, gone) = (Bookshop.Author("here"), Bookshop.Author("gone"))
            try await store.data.save(here)
            let before = try await store.dump()
            let books = ["a", "b", "c"].map { Bookshop.Book($0, author: $0 == "c" ? gone : here) }
            try await context.expectModelError(.brokenRelation, from: "a batch with a missing parent") {
                try await store.data.save(books)
            }
            try await context.expectModelError(.brokenRelation, from: "a save with a missing parent") {
                try await store.data.save(books[2])
            }
            try await context.expectModelError(.brokenRelation, from: "a transaction with a missing parent") {
                try await store.data.transaction { transaction in
                    try await transaction.save(books[0])
                    try await transaction.save(books[2])
                }
            }
            try await context.expectError(.unrepresentable, from: "a batch with a text that cannot be stored") {
                try await store.data.save(books.prefix(2) + [Bookshop.Book("d", title: "\0")])
            }
            try context.expect(try await store.dump() == before, "Saves were refused and changed something.")
            context.witness(4)
            try await store.data.save(gone)
            try await store.data.save(books)
            try await store.expectHolds(books)
        },
        eng(
            "ENG-011", "A parent that is deleted while its child is saved keeps the child out.",
            catches: "The parent is looked up before the write and not again: an orphan stays.",
            witness: "parents deleted in between", protectsData: true
        ) { context in
            for (many, index) in [(1, 0), (30, 0), (30, 17), (30, 29)] {
                let watch = EngineWatch()
                let store = try await context.openEngine(watch: watch)
                let authors = (0..<many).map { Bookshop.Author("a\(100 + $0)") }
                try await store.data.save(authors)
                watch.beforeNextCommit { try await store.data.delete(authors[index]) }
                try await context.expectModelError(.brokenRelation, from: "a child whose parent was deleted meanwhile")
                {
                    try await store.data.save(authors.map { Bookshop.Book($0.id, author: $0) })
                }
                try await store.expectHolds([Bookshop.Book]())
                context.witness()
            }
        },
        eng(
            "ENG-012", "A record may belong to itself, and to a record of the same batch in any order.",
            catches: "The back end checks row by row and refuses a parent that comes later.",
            witness: "records that belong to each other"
        ) { context in
            let store = try await context.openEngine()
            let own = Bookshop.Author("own", mentor: Bookshop.Author("own"))
            try await store.data.save(own)
            try await store.data.save(own)
            let root = Bookshop.Author("root")
            let leaf = Bookshop.Author("leaf", mentor: Bookshop.Author("middle"))
            let middle = Bookshop.Author("middle", mentor: root)
            try await store.data.save([leaf, middle, root])
            let again = try await store.expectHolds([leaf, middle, own, root])
            let mentor = try await again.data.query(Bookshop.Author.self, byId: "leaf")?.mentor.get()
            try context.expectEqual(mentor?.mentor.keyText, "root", "the mentor's mentor")
            try await again.data.delete(own)
            try await again.expectHolds([leaf, middle, root])
            context.witness(4)
        },
        eng(
            "ENG-013", "Two models may refer to each other: a cycle is saved in one transaction or step by step.",
            catches: "Foreign keys of the back end allow neither order.", witness: "records of cycles"
        ) { context in
            let store = try await context.openEngine([Bookshop.Lock.self, Bookshop.Key.self])
            let (lock, key) = (
                Bookshop.Lock("l", key: Bookshop.Key("k")), Bookshop.Key("k", lock: Bookshop.Lock("l"))
            )
            try await context.expectModelError(.brokenRelation, from: "the first half of a cycle") {
                try await store.data.save(lock)
            }
            try await store.data.transaction { transaction in
                try await transaction.save(lock)
                try await transaction.save(key)
            }
            let again = try await store.expectHolds([lock])
            try await again.compare([key], "")
            try await again.data.save(Bookshop.Key("k2"))
            try await again.data.save(Bookshop.Lock("l2", key: Bookshop.Key("k2")))
            try await again.data.save(Bookshop.Key("k2", lock: Bookshop.Lock("l2")))
            let loop = try await again.data.query(Bookshop.Lock.self, byId: "l2")?.key.get()?.lock.get()
            try context.expectEqual(loop?.id, "l2", "the way around a cycle")
            context.witness(4)
        },
        eng(
            "ENG-014", "A foreign key of several fields leads to the record with all of them.",
            catches: "The first field decides, or the fields are compared one by one against different records.",
            witness: "keys of several fields", protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let shelves = ["a", "b"].flatMap { room in [1, 2, 10].map { Bookshop.Shelf(room, $0) } }
            let wanted = shelves.filter { !($0.room == "a" && $0.number == 2) }
            try await store.data.save(wanted)
            for crossed in [Bookshop.Shelf("a", 2), Bookshop.Shelf("c", 1), Bookshop.Shelf("b", 0)] {
                try await context.expectModelError(.brokenRelation, from: "a key that no record has") {
                    try await store.data.save(Bookshop.Book("x", shelf: crossed))
                }
            }
            let books = wanted.enumerated().map { Bookshop.Book("b\($0)", pages: $0, shelf: $1) }
            try await store.data.save(books)
            let again = try await store.expectHolds(books)
            for (number, shelf) in wanted.enumerated() {
                let found = try await again.data.query(Bookshop.Book.self, where: Bookshop.Book.keys.shelf == shelf)
                try context.expectEqual(found.map(\.id), ["b\(number)"], "the books of a shelf")
                let back = try await again.data.query(Bookshop.Book.self, byId: "b\(number)")?.shelf.get()
                try context.expectEqual(
                    back.map { "\($0.room) \($0.number)" }, "\(shelf.room) \(shelf.number)", "the shelf of a book")
                context.witness()
            }
        },
        eng(
            "ENG-015", "A parent that a transaction deletes does not count, and one that it saves does.",
            catches: "The operations of a commit are checked against what was there before it.",
            witness: "transactions", protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let author = Bookshop.Author("a")
            try await store.data.save(author)
            try await store.data.save(Bookshop.Book("old", author: author))
            let before = try await store.dump()
            try await context.expectModelError(.brokenRelation, from: "a child of a parent deleted before") {
                try await store.data.transaction { transaction in
                    try await transaction.delete(author)
                    try await transaction.save(Bookshop.Book("new", author: author))
                }
            }
            try context.expect(try await store.dump() == before, "A transaction was refused and changed something.")
            let other = Bookshop.Author("z")
            let new = Bookshop.Book("new", author: author)
            let second = Bookshop.Book("second", author: other)
            try await store.data.transaction { transaction in
                try await transaction.delete(author)
                try await transaction.save(author)
                try await transaction.save(new)
                try await transaction.save(second)
                try await transaction.save(other)
            }
            try await store.compare([author, other], "")
            try await store.expectHolds([new, second])
            context.witness(2)
        },
    ]
}
