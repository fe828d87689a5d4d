import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension Clause {
    static let engineRelations = [
        eng(
            "ENG-043",
            "Relations lead to the related records from both ends: to one, to many, and by keys of several fields.",
            catches: "The index of a foreign key misses records, or names those of another parent.",
            witness: "relations followed"
        ) { context in
            let store = try await context.openEngine()
            let shop = try await Shop.filled(store, seed: context.seed)
            let again = store.isPersistent ? try await store.reopen() : store
            for book in shop.books {
                let read = try await again.data.query(Bookshop.Book.self, byId: book.id)
                let author = try await read?.author.get()
                try context.expectEqual(author?.name, shop.author(book)?.name, "the author of \(book.id)")
                let shelf = try await read?.shelf.get()
                try context.expectEqual(shelf?.label, shop.shelf(book)?.label, "the shelf of \(book.id)")
                let reviews = read?.reviews
                try await reviews?.fetch()
                try context.expectEqual(
                    reviews.map { $0.map(\.id) } ?? [], shop.reviews(book).map(\.id), "the reviews of \(book.id)")
                context.witness(3)
            }
            for author in shop.authors {
                let read = try await again.data.query(Bookshop.Author.self, byId: author.id)
                let profile = try await read?.profile.get()
                try context.expectEqual(profile?.id, shop.profile(author)?.id, "the profile of \(author.id)")
                let mentor = try await read?.mentor.get()
                try context.expectEqual(mentor?.id, shop.mentor(author)?.id, "the mentor of \(author.id)")
                try await read?.books?.fetch()
                try context.expectEqual(
                    read?.books?.map(\.id), shop.books(of: author).map(\.id), "the books of \(author.id)")
                context.witness(3)
            }
        },
        eng(
            "ENG-044", "A relation that is changed leads to its new end only, and one that is emptied to none.",
            catches: "The index keeps the old foreign key: a child with two parents.", witness: "relations changed",
            protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let authors = ["a", "b"].map { Bookshop.Author($0) }
            let shelves = [Bookshop.Shelf("r", 1), Bookshop.Shelf("r", 2)]
            try await store.data.save(authors)
            try await store.data.save(shelves)
            try await store.data.save(["p", "q"].map { Bookshop.Book($0, author: authors[0], shelf: shelves[0]) })
            for (author, shelf) in [(1, 1), (0, 1), (1, 0), (nil, 0), (0, nil)] as [(Int?, Int?)] {
                try await store.data.save(
                    Bookshop.Book("p", author: author.map { authors[$0] }, shelf: shelf.map { shelves[$0] }))
                for number in 0..<2 {
                    let books = try await store.data.query(Bookshop.Author.self, byId: authors[number].id)?.books
                    try await books?.fetch()
                    let expected = (author == number ? ["p"] : []) + (number == 0 ? ["q"] : [])
                    try context.expectEqual(books?.map(\.id), expected, "the books of author \(number)")
                    let onShelf = try await store.data.query(
                        Bookshop.Book.self, where: Bookshop.Book.keys.shelf == shelves[number])
                    try context.expectEqual(
                        onShelf.map(\.id), (shelf == number ? ["p"] : []) + (number == 0 ? ["q"] : []),
                        "the books on shelf \(number)")
                }
                let free = try await store.data.query(
                    Bookshop.Book.self, where: Bookshop.Book.keys.author == nil)
                try context.expectEqual(free.map(\.id), author == nil ? ["p"] : [], "the books without an author")
                context.witness()
            }
        },
        eng(
            "ENG-045",
            "Models that hold their parents get them with one read for each relation, however many records there are.",
            catches: "One read per record, or a list of keys that is cut.", witness: "records with their parents"
        ) { context in
            let watch = EngineWatch()
            let store = try await context.openEngine(
                Bookshop.models, DataStoreOptions(recordsMutations: false), watch: watch)
            let authors = (0..<150).map { Bookshop.Author("a\(1_000 + $0)", name: "Author \($0)") }
            let books = (0..<300).map { Bookshop.Book("b\(1_000 + $0)", title: "Book \($0)") }
            let reviews = (0..<300).map { number in
                Bookshop.Review(
                    "v\(1_000 + number)", stars: number, book: books[299 - number],
                    reviewer: number % 3 == 0 ? nil : authors[number % 150])
            }
            try await store.data.save(authors)
            try await store.data.save(books)
            try await store.data.save(reviews)
            watch.reset()
            let read = try await store.data.query(Bookshop.Review.self)
            try context.expectEqual(
                [watch["Review"], watch["Book"], watch["Author"]], [1, 1, 1], "the reads of reviews, books, authors")
            try context.expectEqual(read.map(\.id), reviews.map(\.id), "the reviews")
            for (review, expected) in zip(read, reviews) {
                try context.expectEqual(review.book.title, expected.book.title, "the book of \(review.id)")
                try context.expectEqual(review.reviewer?.name, expected.reviewer?.name, "the reviewer of \(review.id)")
                context.witness()
            }
            let one = try await store.data.query(Bookshop.Review.self, byId: "v1007")
            try context.expectEqual(one?.book.title, "Book 292", "the book of one review")
        },
        eng(
            "ENG-046", "Children come in pages: each once, in key order, also when others are added meanwhile.",
            catches: "Pages counted by offset shift; a page ends one record early.", witness: "children on pages"
        ) { context in
            let store = try await context.openEngine()
            let authors = ["a", "b"].map { Bookshop.Author($0) }
            try await store.data.save(authors)
            let books = (0..<50).map { Bookshop.Book("b\(1_000 + $0 * 2)", author: authors[$0 % 2]) }
            try await store.data.save(books)
            let expected = books.filter { $0.author.keyText == "b" }.map(\.id)
            for limit in [1, 4, 24, 25, 26] {
                guard var page = try await store.data.query(Bookshop.Author.self, byId: "b")?.books else { return }
                try await page.fetch(limit: limit)
                var seen = page.map(\.id)
                // One that lies before what was read does not shift the pages.
                let early = Bookshop.Book("b0", author: authors[1])
                try await store.data.save(early)
                while page.hasNextPage() {
                    page = try await page.getNextPage()
                    try context.expect(page.count <= limit, "A page of \(limit) has \(page.count) records.")
                    seen += page.map(\.id)
                }
                try await store.data.delete(early)
                try context.expectEqual(seen, expected, "the children on pages of \(limit)")
                context.witness(seen.count)
            }
        },
        eng(
            "ENG-047",
            "Of more records than one statement can name each gets its own parent, by keys of several fields too.",
            catches: "Lists of keys are cut at 999, 1,000 or 2,048.", witness: "records with their parents"
        ) { context in
            let store = try await context.openEngine(Bookshop.models, DataStoreOptions(recordsMutations: false))
            let count = 1_050
            let shelves = (0..<count).map { Bookshop.Shelf("r\($0 % 3)", $0, label: "Shelf \($0)") }
            let books = shelves.map { Bookshop.Book("b\(10_000 + $0.number)", pages: $0.number, shelf: $0) }
            try await store.data.save(shelves)
            try await store.data.save(books)
            try await store.data.save(books.map { Bookshop.Review("v" + $0.id, book: $0) })
            let reviews = try await store.data.query(Bookshop.Review.self)
            try context.expectEqual(reviews.count, count, "the reviews")
            for (number, review) in reviews.enumerated() {
                try context.expectEqual(review.book.pages, number, "the book of \(review.id)")
                context.witness()
            }
            let some = try await store.data.query(
                Bookshop.Book.self, where: field("shelf.number") < 60 && field("shelf.room") != "r1")
            try context.expectEqual(
                some.map(\.pages), (0..<60).filter { $0 % 3 != 1 }, "the books on shelves of some rooms")
        },
    ]
}
