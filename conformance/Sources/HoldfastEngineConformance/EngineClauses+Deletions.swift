import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension Clause {
    static let engineDeletions = [
        eng(
            "ENG-020", "Records are deleted by instance, by identifier and by condition; nothing else goes with them.",
            catches: "A delete of several keys takes the first only, or what a stale index still names.",
            witness: "records deleted", protectsData: true
        ) { context in
            var store = try await context.openEngine()
            let keys = Bookshop.Book.keys
            var books = Bookshop.books(70)
            try await store.data.save(books)
            try context.expect(try await store.data.delete(books[3]), "A delete by instance found nothing.")
            try context.expect(
                try await store.data.delete(Bookshop.Book.self, withId: books[69].id), "A delete by id found nothing.")
            books.remove(at: 69)
            books.remove(at: 3)
            store = try await store.expectHolds(books)
            // Records whose indexed value was another before are not those of that value.
            let moved = books.filter { $0.pages == 2 }.prefix(4).map { Bookshop.Book($0.id, pages: 50) }
            try await store.data.save(Array(moved))
            for book in moved { if let index = books.firstIndex(where: { $0.id == book.id }) { books[index] = book } }
            for (condition, isDoomed) in [
                (keys.pages == 2, { $0.pages == 2 }), (keys.pages == 50, { $0.pages == 50 }),
                (keys.title > "T3" && keys.title < "T5", { ($0.title ?? "") > "T3" && ($0.title ?? "~") < "T5" }),
                (keys.pages == 99, { _ in false }), (not(keys.pages > 1), { ($0.pages ?? 0) <= 1 }),
                (QueryPredicateConstant.all, { _ in true }),
            ] as [(any QueryPredicate, (Bookshop.Book) -> Bool)] {
                let count = try await store.data.delete(Bookshop.Book.self, where: condition)
                try context.expectEqual(count, books.count(where: isDoomed), "the records deleted by a condition")
                books.removeAll(where: isDoomed)
                store = try await store.expectHolds(books)
                context.witness(count)
            }
        },
        eng(
            "ENG-021", "A record with a key of several fields is deleted by all of them.",
            catches: "A prefix of the key: the neighbors go too.", witness: "records deleted", protectsData: true
        ) { context in
            let store = try await context.openEngine()
            var shelves = ["a", "aa", "b"].flatMap { room in [-1, 0, 1, 10].map { Bookshop.Shelf(room, $0) } }
            try await store.data.save(shelves)
            for index in [9, 5, 2, 0] {
                let shelf = shelves.remove(at: index)
                try context.expect(try await store.data.delete(shelf), "A shelf was not found.")
                try context.expect(try await !store.data.delete(shelf), "A shelf that is gone was found again.")
                try await store.compare(shelves, "")
                context.witness()
            }
            try await store.expectHolds(shelves)
        },
        eng(
            "ENG-022", "Deleting what does not exist is not an error and changes nothing.",
            catches: "A tombstone is written and observed, or the queue gets a deletion of nothing.",
            witness: "deletes of nothing"
        ) { context in
            let store = try await context.openEngine()
            let keys = Bookshop.Book.keys
            try await store.data.save(Bookshop.books(3))
            let changes = try store.data.observe(Bookshop.Book.self)
            let before = try await store.dump()
            try context.expect(
                try await !store.data.delete(Bookshop.Book("none")), "A delete by instance found a record.")
            try context.expect(
                try await !store.data.delete(Bookshop.Book.self, withId: "b", where: keys.pages == 0),
                "A delete with a condition found a record.")
            try context.expectEqual(
                try await store.data.delete(Bookshop.Book.self, where: keys.title == "T"), 0, "records deleted")
            try await store.data.transaction { try await $0.delete(Bookshop.Book("none")) }
            try context.expect(try await store.dump() == before, "Deleting nothing changed something.")
            try context.expectEqual(try await store.close(collecting: changes).count, 0, "the changes observed")
            context.witness(4)
        },
        eng(
            "ENG-023", "A delete by condition takes the records that match when it is committed.",
            catches:
                "Records that begin to match after they were looked for stay, others go although they do not match.",
            witness: "changes that came in between", protectsData: true
        ) { context in
            let watch = EngineWatch()
            let store = try await context.openEngine(watch: watch)
            try await store.data.save(Bookshop.books(14))
            watch.beforeNextCommit { try await store.data.save(Bookshop.Book("new", pages: 3)) }
            let added = try await store.data.delete(Bookshop.Book.self, where: Bookshop.Book.keys.pages == 3)
            try context.expectEqual(added, 3, "the records deleted although one came in between")
            watch.beforeNextCommit { try await store.data.save(Bookshop.Book("b10004", pages: 30)) }
            let moved = try await store.data.delete(Bookshop.Book.self, where: Bookshop.Book.keys.pages == 4)
            try context.expectEqual(moved, 1, "the records deleted although one was changed in between")
            var expected = Bookshop.books(14).filter { $0.pages != 3 && $0.id != "b10011" }
            if let index = expected.firstIndex(where: { $0.id == "b10004" }) {
                expected[index] = Bookshop.Book("b10004", pages: 30)
            }
            try await store.expectHolds(expected)
            context.witness(2)
        },
        eng(
            "ENG-024", "Clearing a store takes all records of all models and all that awaits the service.",
            catches: "The first model is emptied, or the queue keeps changes of records that are gone.",
            witness: "records cleared"
        ) { context in
            var store = try await context.openEngine()
            let shop = try await Shop.filled(store, seed: context.seed)
            try await store.data.clear()
            if store.isPersistent { store = try await store.reopen() }
            for (entity, rows) in try await store.dump().rows {
                try context.expectEqual(rows.count, 0, "the rows of \(entity) after clearing")
            }
            context.witness(shop.books.count)
            try await store.data.save(Bookshop.Book("new"))
            try context.expectEqual(try await store.outbox(), ["create Book new"], "the outbox after clearing")
            try await store.expectHolds([Bookshop.Book("new")])
        },
    ]

    static let engineCascades = [
        eng(
            "ENG-025", "What belongs to a record goes with it, by relations to one and to many, and nothing else does.",
            catches: "A cascade stops after one step or one model, or takes the neighbors.",
            witness: "records deleted with another", protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let shop = try await Shop.filled(store, seed: context.seed)
            var doomed: Set<String> = []
            for author in shop.authors where !doomed.contains("Author " + author.id) {
                doomed.formUnion(shop.belonging(to: author))
                try await store.data.delete(author)
                try await store.compare(shop.authors.filter { !doomed.contains("Author " + $0.id) }, "")
                try await store.compare(shop.profiles.filter { !doomed.contains("Profile " + $0.id) }, "")
                try await store.compare(shop.books.filter { !doomed.contains("Book " + $0.id) }, "")
                try await store.compare(shop.reviews.filter { !doomed.contains("Review " + $0.id) }, "")
                try await store.compare(shop.shelves, "")
            }
            try await store.expectHolds(shop.books.filter { !doomed.contains("Book " + $0.id) })
            context.witness(doomed.count)
        },
        eng(
            "ENG-026", "A cascade is one commit, observed and queued children first, each record once.",
            catches: "Parts of a cascade are committed by themselves, or parents go before what refers to them.",
            witness: "deletions in order", protectsData: true
        ) { context in
            let watch = EngineWatch()
            let store = try await context.openEngine(watch: watch)
            let shop = try await Shop.filled(store, seed: context.seed)
            try await store.sendOutbox()
            let (books, reviews) = (
                try store.data.observe(Bookshop.Book.self), try store.data.observe(Bookshop.Review.self)
            )
            let doomed = shop.belonging(to: shop.authors[1])
            watch.reset()
            try await store.data.delete(shop.authors[1])
            try context.expectEqual(watch.commitCount, 1, "the commits of a cascade")
            let entries = try await store.outbox()
            try context.expectEqual(
                entries.map { String($0.dropFirst(7)) }.sorted(), doomed.sorted(), "the deletions in the outbox")
            for (child, parents) in shop.parents {
                guard let index = entries.firstIndex(of: "delete " + child) else { continue }
                for parent in parents {
                    guard let behind = entries.firstIndex(of: "delete " + parent) else { continue }
                    try context.expect(index < behind, "\(child) is deleted after \(parent), to which it belongs.")
                    context.witness()
                }
            }
            for (name, seen) in [
                ("Book", try await store.close(collecting: books).map { "\($0.kind) Book \($0.model.id)" }),
                ("Review", try await store.close(collecting: reviews).map { "\($0.kind) Review \($0.model.id)" }),
            ] {
                try context.expectEqual(
                    seen, entries.filter { $0.contains(" \(name) ") }.map { "deleted" + $0.dropFirst(6) },
                    "what was observed of \(name), against the outbox")
            }
        },
        eng(
            "ENG-027", "A tree is deleted with all below its root, leaves first.",
            catches: "A self-reference is followed one step only.", witness: "records of a tree", protectsData: true
        ) { context in
            let store = try await context.openEngine()
            var nodes = [Bookshop.Author("100")]
            for number in 1..<63 {
                nodes.append(Bookshop.Author("\(100 + number)", mentor: nodes[(number - 1) / 2]))
            }
            try await store.data.save(nodes)
            try await store.sendOutbox()
            try await store.data.delete(nodes[2])
            let order = try await store.data.outboxEntries().compactMap { Int($0.key) }.map { $0 - 100 }
            try context.expectEqual(Set(order).count, 31, "the records deleted")
            for (index, number) in order.enumerated() where number != 2 {
                try context.expect(
                    order.firstIndex(of: (number - 1) / 2).map { $0 > index } ?? false,
                    "Node \(number) is deleted after the one above it.")
            }
            try await store.expectHolds(nodes.indices.filter { !order.contains($0) }.map { nodes[$0] })
            context.witness(order.count)
        },
        eng(
            "ENG-028", "Records that refer to each other in a cycle are deleted together, whichever is deleted.",
            catches: "A cascade that never ends, or one that stops at the record it came from.",
            witness: "cycles deleted", protectsData: true
        ) { context in
            for first in [true, false] {
                let store = try await context.openEngine([Bookshop.Lock.self, Bookshop.Key.self])
                let locks = ["l1", "l2"].map { Bookshop.Lock($0, key: Bookshop.Key("k" + $0)) }
                let keys = ["kl1", "kl2"].map { Bookshop.Key($0, lock: Bookshop.Lock(String($0.dropFirst()))) }
                try await store.data.transaction { transaction in
                    try await transaction.save(locks)
                    try await transaction.save(keys)
                }
                if first { try await store.data.delete(locks[0]) } else { try await store.data.delete(keys[0]) }
                let again = try await store.expectHolds([locks[1]])
                try await again.compare([keys[1]], "")
                context.witness()
            }
        },
        eng(
            "ENG-029", "Of a model that joins two others, a record goes with either of them; the other end stays.",
            catches: "The cascade runs through the join to the other end.", witness: "joins deleted", protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let readers = ["r1", "r2", "r3"].map { Bookshop.Author($0) }
            let books = ["a", "b"].map { Bookshop.Book($0) }
            try await store.data.save(readers)
            try await store.data.save(books)
            var reviews = books.flatMap { book in
                readers.map { Bookshop.Review(book.id + $0.id, book: book, reviewer: $0) }
            }
            try await store.data.save(reviews)
            try await store.data.delete(readers[1])
            reviews.removeAll { $0.reviewer?.id == "r2" }
            try await store.compare(reviews, "")
            try await store.compare(books, "")
            try await store.data.delete(books[0])
            reviews.removeAll { $0.book.id == "a" }
            let again = try await store.expectHolds(reviews)
            try await again.compare([readers[0], readers[2]], "")
            try await again.compare([books[1]], "")
            context.witness(4)
        },
        eng(
            "ENG-030", "A cascade follows keys of several fields as a whole.",
            catches: "Children of a parent with the same first field go too.", witness: "records deleted with another",
            protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let shelves = ["a", "b"].flatMap { room in [1, 2, 10].map { Bookshop.Shelf(room, $0) } }
            try await store.data.save(shelves)
            let books = (0..<24).map { Bookshop.Book("b\(100 + $0)", shelf: shelves[$0 % 6]) }
            try await store.data.save(books)
            try await store.data.delete(shelves[1])
            try await store.compare(books.enumerated().filter { $0.offset % 6 != 1 }.map(\.element), "")
            let count = try await store.data.delete(Bookshop.Shelf.self, where: Bookshop.Shelf.keys.room == "b")
            try context.expectEqual(count, 3, "the shelves of room b")
            try await store.expectHolds(
                books.enumerated().filter { [0, 2].contains($0.offset % 6) }.map(\.element))
            context.witness(16)
        },
        eng(
            "ENG-031", "More parents and children than one statement can name are deleted in one commit.",
            catches: "Lists of keys are cut at 999 or 1,000, and the rest stays.", witness: "records deleted",
            protectsData: true
        ) { context in
            let watch = EngineWatch()
            let store = try await context.openEngine(
                Bookshop.models, DataStoreOptions(recordsMutations: false), watch: watch)
            let authors = (0..<1_105).map { Bookshop.Author("a\(10_000 + $0)") }
            try await store.data.save(authors)
            try await store.data.save(authors.map { Bookshop.Profile("p" + $0.id, author: $0) })
            watch.reset()
            let count = try await store.data.delete(
                Bookshop.Author.self, where: Bookshop.Author.keys.id != "a10700")
            try context.expectEqual(watch.commitCount, 1, "the commits of a large cascade")
            try context.expectEqual(count, 1_104, "the records deleted by a condition")
            let again = try await store.expectHolds([authors[700]])
            try await again.compare([Bookshop.Profile("pa10700", author: authors[700])], "")
            context.witness(2 * count)
        },
        eng(
            "ENG-032", "A child that is added while its parent is deleted goes too.",
            catches: "The children are looked up before the delete and not again: an orphan stays.",
            witness: "children that came in between", protectsData: true
        ) { context in
            for models in ["direct", "below", "moved"] {
                let watch = EngineWatch()
                let store = try await context.openEngine(watch: watch)
                let (author, other) = (Bookshop.Author("a"), Bookshop.Author("z"))
                let book = Bookshop.Book("b", author: author)
                try await store.data.save([author, other])
                try await store.data.save([book, Bookshop.Book("other", author: other)])
                watch.beforeNextCommit {
                    switch models {
                    case "direct": try await store.data.save(Bookshop.Book("meanwhile", author: author))
                    case "below": try await store.data.save(Bookshop.Review("meanwhile", book: book))
                    default: try await store.data.save(Bookshop.Book("other", author: author))
                    }
                }
                try await store.data.delete(author)
                let left = models == "moved" ? [] : [Bookshop.Book("other", author: other)]
                let again = try await store.expectHolds(left)
                try await again.compare([Bookshop.Review](), "")
                try await again.compare([other], "")
                context.witness()
            }
        },
        eng(
            "ENG-033", "While some delete parents and others save children, no child is left without its parent.",
            catches: "Both writers find what they need, and both commit.", witness: "children looked at",
            protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let seed = context.seed
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<6 {
                    group.addTask {
                        var random = SplitMix64(seed: seed &* 100 &+ UInt64(task))
                        for number in 0..<8 {
                            let author = Bookshop.Author("\(random.below(3))")
                            let book = Bookshop.Book("t\(task)-\(number)", author: author)
                            switch random.below(5) {
                            case 0: _ = try? await store.data.delete(author)
                            case 1: _ = try? await store.data.save(author)
                            case 2:
                                _ = try? await store.data.transaction { transaction in
                                    try await transaction.save(author)
                                    try await transaction.save(book)
                                    try await transaction.save(Bookshop.Review("r" + book.id, book: book))
                                }
                            default: _ = try? await store.data.save(book)
                            }
                        }
                    }
                }
            }
            let authors = Set(try await store.rows(of: "Author").map { $0.cells[0] })
            let books = try await store.rows(of: "Book")
            for book in books {
                try context.expect(
                    authors.contains(book.cells[5]), "A book refers to an author that is gone: \(book.cells[5])")
                context.witness()
            }
            let ids = Set(books.map { $0.cells[0] })
            for review in try await store.rows(of: "Review") {
                try context.expect(ids.contains(review.cells[2]), "A review refers to a book that is gone.")
            }
            let last = Bookshop.Author("last")
            try await store.data.save(last)
            try await store.data.save(Bookshop.Book("last", author: last))
            try await store.data.delete(Bookshop.Author.self, where: QueryPredicateConstant.all)
            try await store.compare([Bookshop.Book](), " after all authors were deleted")
            try await store.expectHolds([Bookshop.Review]())
            context.witness()
        },
    ]
}
