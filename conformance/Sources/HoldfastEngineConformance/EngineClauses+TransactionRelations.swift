import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension Clause {
    static let engineTransactionRelations = [
        eng(
            "ENG-087",
            "Relations and lists of models read in a transaction come from its snapshot, its own writes included.",
            catches: "A relation takes the newest state: a child and its parent that never were together.",
            witness: "relations followed"
        ) { context in
            let store = try await context.openEngine()
            let author = Bookshop.Author("a", name: "old")
            try await store.data.save(author)
            try await store.data.save(["p", "q"].map { Bookshop.Book($0, author: author) })
            try await store.data.read { transaction in
                let book = try await transaction.query(Bookshop.Book.self, byId: "p")
                let found = try await transaction.query(Bookshop.Author.self, byId: "a")
                try await store.data.save(Bookshop.Author("a", name: "new"))
                try await store.data.delete(Bookshop.Book.self, withId: "q")
                try context.expectEqual(try await book?.author.get()?.name, "old", "the author in the snapshot")
                try await found?.books?.fetch()
                try context.expectEqual(found?.books?.map(\.id), ["p", "q"], "the books in the snapshot")
                context.witness(2)
            }
            try await store.data.transaction { transaction in
                let book = try await transaction.query(Bookshop.Book.self, byId: "p")
                let found = try await transaction.query(Bookshop.Author.self, byId: "a")
                try await transaction.save(Bookshop.Author("a", name: "own"))
                try await transaction.save(Bookshop.Book("r", author: author))
                try context.expectEqual(
                    try await book?.author.get()?.name, "own", "the author as the transaction has it")
                try await found?.books?.fetch()
                try context.expectEqual(found?.books?.map(\.id), ["p", "r"], "the books as the transaction has them")
                context.witness(2)
            }
        }
    ]
}
