import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

/// A random bookshop as plain values: what queries are checked against by following every relation.
struct Shop {
    private(set) var authors: [Bookshop.Author] = []
    private(set) var profiles: [Bookshop.Profile] = []
    private(set) var shelves: [Bookshop.Shelf] = []
    private(set) var books: [Bookshop.Book] = []
    private(set) var reviews: [Bookshop.Review] = []

    private var mentorOf: [String: Bookshop.Author] = [:]
    private var authorOf: [String: Bookshop.Author] = [:]
    private var shelfOf: [String: Bookshop.Shelf] = [:]
    private var profileOf: [String: Bookshop.Profile] = [:]
    private var reviewsOf: [String: [Bookshop.Review]] = [:]
    /// To which records each record belongs, both as model and key.
    private(set) var parents: [String: [String]] = [:]

    /// Makes a bookshop; all of each model in key order.
    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for number in 0..<6 {
            let mentor = number == 0 || random.chance(40) ? nil : random.pick(authors)
            let author = Bookshop.Author(
                "a\(number)", name: "n\(number % 3)", born: random.chance(30) ? nil : random.below(3), mentor: mentor)
            mentorOf[author.id] = mentor
            authors.append(author)
            note("Author " + author.id, mentor.map { ["Author " + $0.id] } ?? [])
        }
        for number in 0..<4 {
            let author = number == 3 ? nil : authors[number]
            let profile = Bookshop.Profile(
                "p\(number)", bio: random.chance(30) ? nil : random.pick(["t0", "t1"]),
                author: author)
            if let author { profileOf[author.id] = profile }
            profiles.append(profile)
            note("Profile " + profile.id, author.map { ["Author " + $0.id] } ?? [])
        }
        for number in 0..<4 {
            let label = random.chance(30) ? nil : random.pick(["t0", "t1"])
            shelves.append(Bookshop.Shelf("r\(number / 2)", number % 2, label: label))
        }
        for number in 0..<18 {
            let author = random.chance(25) ? nil : number < 4 ? authors[1] : random.pick(Array(authors.prefix(4)))
            let shelf = random.chance(25) ? nil : random.pick(Array(shelves.prefix(3)))
            let print: Bookshop.Cover.Print? = random.chance(30) ? nil : .init(number: random.below(3))
            let colour = random.pick(["red", "blue", "\"b\\", "bé"])
            let book = Bookshop.Book(
                "b\(10 + number)", title: random.chance(25) ? nil : "t\(random.below(4))",
                pages: random.chance(25) ? nil : random.below(4),
                price: random.chance(25) ? nil : Double(random.below(4)) / 2,
                cover: random.chance(25) ? nil : .init(colour: colour, print: print), author: author, shelf: shelf)
            authorOf[book.id] = author
            shelfOf[book.id] = shelf
            books.append(book)
            note(
                "Book " + book.id,
                (author.map { ["Author " + $0.id] } ?? []) + (shelf.map { ["Shelf \($0.room)#\($0.number)"] } ?? []))
        }
        for number in 0..<24 {
            let book = random.pick(Array(books.prefix(13)))
            let reviewer = random.chance(30) ? nil : random.pick(authors)
            let review = Bookshop.Review(
                "v\(10 + number)", stars: random.chance(25) ? nil : random.below(4), book: book, reviewer: reviewer)
            reviewsOf[book.id, default: []].append(review)
            reviews.append(review)
            note("Review " + review.id, ["Book " + book.id] + (reviewer.map { ["Author " + $0.id] } ?? []))
        }
    }

    private mutating func note(_ child: String, _ parents: [String]) { self.parents[child] = parents }

    /// Makes a bookshop and saves it.
    static func filled(_ store: EngineStore, seed: UInt64) async throws -> Shop {
        let shop = Shop(seed: seed)
        try await store.data.transaction { transaction in
            try await transaction.save(shop.authors)
            try await transaction.save(shop.profiles)
            try await transaction.save(shop.shelves)
            try await transaction.save(shop.books)
            try await transaction.save(shop.reviews)
        }
        return shop
    }

    /// What goes when an author goes, the author included: model and key.
    func belonging(to author: Bookshop.Author) -> Set<String> {
        var doomed: Set = ["Author " + author.id]
        var count = 0
        while doomed.count > count {
            count = doomed.count
            for (child, parents) in parents where !doomed.isDisjoint(with: parents) { doomed.insert(child) }
        }
        return doomed
    }

    // MARK: Following relations

    func author(_ book: Bookshop.Book) -> Bookshop.Author? { authorOf[book.id] }
    func mentor(_ author: Bookshop.Author?) -> Bookshop.Author? { author.flatMap { mentorOf[$0.id] } }
    func shelf(_ book: Bookshop.Book) -> Bookshop.Shelf? { shelfOf[book.id] }
    func profile(_ author: Bookshop.Author?) -> Bookshop.Profile? { author.flatMap { profileOf[$0.id] } }
    func reviews(_ book: Bookshop.Book) -> [Bookshop.Review] { reviewsOf[book.id] ?? [] }
    func books(of author: Bookshop.Author?) -> [Bookshop.Book] {
        author.map { author in books.filter { authorOf[$0.id]?.id == author.id } } ?? []
    }

    // MARK: Conditions

    /// A condition on books, and the same in Swift.
    struct Condition: Sendable {
        let text: String
        let predicate: any QueryPredicate
        let holds: @Sendable (Shop, Bookshop.Book) -> Bool

        init(
            _ text: String, _ predicate: any QueryPredicate,
            _ holds: @escaping @Sendable (Shop, Bookshop.Book) -> Bool
        ) {
            (self.text, self.predicate, self.holds) = (text, predicate, holds)
        }
    }

    /// Conditions on own fields, parts of embedded values, and fields at the end of every kind of relation.
    static let conditions: [Condition] = [
        Condition("title == t1", field("title") == "t1") { $1.title == "t1" },
        Condition("title != t1", field("title") != "t1") { $1.title != "t1" },
        Condition("pages >= 2", field("pages") >= 2) { $1.pages.map { $0 >= 2 } ?? false },
        Condition("pages < 2", field("pages") < 2) { $1.pages.map { $0 < 2 } ?? false },
        Condition("pages in 1...2", field("pages").between(start: 1, end: 2)) {
            $1.pages.map { (1...2).contains($0) } ?? false
        },
        Condition("pages == nil", field("pages") == nil) { $1.pages == nil },
        Condition("price > 0.5", field("price") > 0.5) { $1.price.map { $0 > 0.5 } ?? false },
        Condition("title begins t", field("title").beginsWith("t")) { $1.title != nil },
        Condition("title contains 3", field("title").contains("3")) { $1.title == "t3" },
        Condition("title contains no 3", field("title").notContains("3")) { $1.title != "t3" },
        Condition("colour == red", field("cover.colour") == "red") { $1.cover?.colour == "red" },
        Condition("colour != bé", field("cover.colour") != "bé") { $1.cover?.colour != "bé" },
        Condition("colour begins \"b", field("cover.colour").beginsWith("\"b")) {
            $1.cover?.colour.hasPrefix("\"b") ?? false
        },
        Condition("print > 0", field("cover.print.number") > 0) {
            $1.cover?.print.map { $0.number > 0 } ?? false
        },
        Condition("no print", field("cover.print") == nil) { $1.cover?.print == nil },
        Condition("author's name == n1", field("author.name") == "n1") { $0.author($1)?.name == "n1" },
        Condition("author's name != n1", field("author.name") != "n1") { $0.author($1)?.name != "n1" },
        Condition("author born nil", field("author.born") == nil) { $0.author($1)?.born == nil },
        Condition("author born > 0", field("author.born") > 0) { $0.author($1)?.born.map { $0 > 0 } ?? false },
        Condition("mentor's name == n0", field("author.mentor.name") == "n0") {
            $0.mentor($0.author($1))?.name == "n0"
        },
        Condition("bio == t1", field("author.profile.bio") == "t1") { $0.profile($0.author($1))?.bio == "t1" },
        Condition("bio != t1", field("author.profile.bio") != "t1") { $0.profile($0.author($1))?.bio != "t1" },
        Condition("shelf's label == t0", field("shelf.label") == "t0") { $0.shelf($1)?.label == "t0" },
        Condition("shelf's number != 1", field("shelf.number") != 1) { $0.shelf($1)?.number != 1 },
        Condition("some review >= 2", field("reviews.stars") >= 2) { shop, book in
            shop.reviews(book).contains { ($0.stars ?? -1) >= 2 }
        },
        Condition("some review nil", field("reviews.stars") == nil) { shop, book in
            shop.reviews(book).contains { $0.stars == nil }
        },
        Condition("some reviewer n2", field("reviews.reviewer.name") == "n2") { shop, book in
            shop.reviews(book).contains { $0.reviewer?.name == "n2" }
        },
        Condition("author has a book of 3 pages", field("author.books.pages") == 3) { shop, book in
            shop.books(of: shop.author(book)).contains { $0.pages == 3 }
        },
    ]

    /// Conditions joined at random.
    static func joined(_ random: inout SplitMix64, depth: Int = 2) -> Condition {
        if depth == 0 { return random.pick(conditions) }
        let parts = (0...random.below(3)).map { _ in joined(&random, depth: depth - 1) }
        let texts = parts.map(\.text).joined(separator: ", ")
        let predicates = parts.map(\.predicate)
        switch random.below(3) {
        case 0:
            return Condition("all(\(texts))", QueryPredicateGroup(type: .and, predicates: predicates)) { shop, book in
                parts.allSatisfy { $0.holds(shop, book) }
            }
        case 1:
            return Condition("any(\(texts))", QueryPredicateGroup(type: .or, predicates: predicates)) { shop, book in
                parts.contains { $0.holds(shop, book) }
            }
        default:
            return Condition("none(\(texts))", QueryPredicateGroup(type: .not, predicates: predicates)) { shop, book in
                !parts.contains { $0.holds(shop, book) }
            }
        }
    }

    // MARK: Orders

    /// A way to sort books: criteria as paths, descending or not, and the values they stand for.
    struct Sort: Sendable {
        struct Criterion: Sendable {
            let path: String
            let isDescending: Bool
            let value: @Sendable (Shop, Bookshop.Book) -> Value
        }
        let criteria: [Criterion]

        init(_ criteria: (String, Bool, @Sendable (Shop, Bookshop.Book) -> Value)...) {
            self.criteria = criteria.map { Criterion(path: $0, isDescending: $1, value: $2) }
        }

        var input: QuerySortInput {
            QuerySortInput(criteria.map { $0.isDescending ? .descending($0.path) : .ascending($0.path) })
        }

        var text: String { criteria.map { $0.path + ($0.isDescending ? " descending" : "") }.joined(separator: ", ") }
    }

    static let ownSorts = [
        Sort(("pages", false, { .integer($1.pages) })), Sort(("pages", true, { .integer($1.pages) })),
        Sort(("title", false, { .text($1.title) }), ("pages", true, { .integer($1.pages) })),
        Sort(("price", true, { .double($1.price) }), ("id", true, { .text($1.id) })),
    ]
    static let relatedSorts = [
        Sort(("author.name", false, { .text($0.author($1)?.name) })),
        Sort(("author.born", true, { .integer($0.author($1)?.born) })),
        Sort(
            ("author.profile.bio", false, { .text($0.profile($0.author($1))?.bio) }),
            ("id", true, { .text($1.id) })),
        Sort(("shelf.label", true, { .text($0.shelf($1)?.label) }), ("pages", false, { .integer($1.pages) })),
        Sort(
            ("cover.print.number", true, { .integer($1.cover?.print?.number) }),
            ("author.name", false, { .text($0.author($1)?.name) })),
    ]

    /// The books that satisfy a condition, in an order; equal ones in key order.
    func sorted(_ sort: Sort, _ condition: Condition? = nil) -> [String] {
        books.filter { condition?.holds(self, $0) ?? true }.sorted { left, right in
            for criterion in sort.criteria {
                let ordering = ValueOrder.compare(criterion.value(self, left), criterion.value(self, right))
                if ordering != .equal { return (ordering == .ascending) != criterion.isDescending }
            }
            return left.id < right.id
        }.map(\.id)
    }
}

extension Value {
    fileprivate static func integer(_ value: Int?) -> Value { value.map { .integer(Int64($0)) } ?? .null }
    fileprivate static func text(_ value: String?) -> Value { value.map { .text($0) } ?? .null }
    fileprivate static func double(_ value: Double?) -> Value { value.map { .double($0) } ?? .null }
}
