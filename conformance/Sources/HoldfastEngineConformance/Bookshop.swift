import HoldfastConformance
import HoldfastEngine
import HoldfastModel

/// The models of the clauses of `ENG`: every shape of relation with as few models as possible.
enum Bookshop {
    /// Authors with their books, profiles, shelves and reviews.
    static let models: [any Model.Type] = [Author.self, Profile.self, Shelf.self, Book.self, Review.self]

    /// An author, who may have a mentor, has at most one profile and any number of books.
    struct Author: Model {
        let id: String
        var name: String
        var born: Int?
        var mentor: LazyReference<Author>
        var profile: LazyReference<Profile> = LazyReference(nil)
        var books: List<Book>? = []
        var reviews: List<Review>? = []

        init(_ id: String, name: String = "", born: Int? = nil, mentor: Author? = nil) {
            (self.id, self.name, self.born) = (id, name, born)
            self.mentor = LazyReference(mentor)
        }

        enum CodingKeys: String, ModelKey { case id, name, born, mentor, profile, books, reviews }
        static let keys = CodingKeys.self
        static var isEager: Bool { false }
        static let schema = defineSchema { model in
            model.attributes(.primaryKey(fields: [keys.id]))
            model.fields(
                .field(keys.id), .field(keys.name), .field(keys.born, is: .optional, ofType: .int),
                .belongsTo(keys.mentor, is: .optional, ofType: Author.self, targetNames: ["mentorId"]),
                .hasOne(keys.profile, is: .optional, ofType: Profile.self, associatedWith: Profile.keys.author),
                .hasMany(keys.books, is: .optional, ofType: Book.self, associatedWith: Book.keys.author),
                .hasMany(keys.reviews, is: .optional, ofType: Review.self, associatedWith: Review.keys.reviewer))
        }
    }

    /// What is known about an author: the other end of a relation to one.
    struct Profile: Model {
        let id: String
        var bio: String?
        var author: LazyReference<Author>

        init(_ id: String, bio: String? = nil, author: Author?) {
            (self.id, self.bio) = (id, bio)
            self.author = LazyReference(author)
        }

        enum CodingKeys: String, ModelKey { case id, bio, author }
        static let keys = CodingKeys.self
        static var isEager: Bool { false }
        static let schema = defineSchema { model in
            model.attributes(.primaryKey(fields: [keys.id]))
            model.fields(
                .field(keys.id), .field(keys.bio, is: .optional),
                .belongsTo(keys.author, is: .optional, ofType: Author.self, targetNames: ["authorId"]))
        }
    }

    /// A shelf, known by its room and number.
    struct Shelf: Model {
        let room: String
        let number: Int
        var label: String?
        var books: List<Book>? = []

        init(_ room: String, _ number: Int, label: String? = nil) {
            (self.room, self.number, self.label) = (room, number, label)
        }

        enum CodingKeys: String, ModelKey { case room, number, label, books }
        static let keys = CodingKeys.self
        static var isEager: Bool { false }
        static let schema = defineSchema { model in
            model.attributes(.primaryKey(fields: [keys.room, keys.number]))
            model.fields(
                .field(keys.room), .field(keys.number, ofType: .int), .field(keys.label, is: .optional),
                .hasMany(keys.books, is: .optional, ofType: Book.self, associatedWith: Book.keys.shelf))
        }
    }

    /// How a book is bound: an embedded value with one more inside.
    struct Cover: Embeddable, Hashable {
        struct Print: Embeddable, Hashable {
            var number: Int

            enum CodingKeys: String, ModelKey { case number }
            static let schema = defineSchema { $0.fields(.field(CodingKeys.number, ofType: .int)) }
        }

        var colour: String
        var print: Print?

        enum CodingKeys: String, ModelKey { case colour, print }
        static let schema = defineSchema { model in
            model.fields(
                .field(CodingKeys.colour),
                .field(CodingKeys.print, is: .optional, ofType: .embedded(type: Print.self)))
        }
    }

    /// A book, perhaps by an author, perhaps on a shelf.
    struct Book: Model {
        let id: String
        var title: String?
        var pages: Int?
        var price: Double?
        var cover: Cover?
        var author: LazyReference<Author>
        var shelf: LazyReference<Shelf>
        var reviews: List<Review>? = []

        init(
            _ id: String, title: String? = nil, pages: Int? = nil, price: Double? = nil, cover: Cover? = nil,
            author: Author? = nil, shelf: Shelf? = nil
        ) {
            (self.id, self.title, self.pages, self.price, self.cover) = (id, title, pages, price, cover)
            self.author = LazyReference(author)
            self.shelf = LazyReference(shelf)
        }

        enum CodingKeys: String, ModelKey { case id, title, pages, price, cover, author, shelf, reviews }
        static let keys = CodingKeys.self
        static var isEager: Bool { false }
        static let schema = defineSchema { model in
            model.attributes(.primaryKey(fields: [keys.id]), .index(fields: ["pages"], name: "byPages"))
            model.fields(
                .field(keys.id), .field(keys.title, is: .optional), .field(keys.pages, is: .optional, ofType: .int),
                .field(keys.price, is: .optional, ofType: .double),
                .field(keys.cover, is: .optional, ofType: .embedded(type: Cover.self)),
                .belongsTo(keys.author, is: .optional, ofType: Author.self, targetNames: ["authorId"]),
                .belongsTo(keys.shelf, is: .optional, ofType: Shelf.self, targetNames: ["shelfRoom", "shelfNumber"]),
                .hasMany(keys.reviews, is: .optional, ofType: Review.self, associatedWith: Review.keys.book))
        }
    }

    /// What an author thinks of a book: joins both, and holds them itself.
    struct Review: Model {
        let id: String
        var stars: Int?
        var book: Book
        var reviewer: Author?

        init(_ id: String, stars: Int? = nil, book: Book, reviewer: Author? = nil) {
            (self.id, self.stars, self.book, self.reviewer) = (id, stars, book, reviewer)
        }

        enum CodingKeys: String, ModelKey { case id, stars, book, reviewer }
        static let keys = CodingKeys.self
        static let schema = defineSchema { model in
            model.attributes(.primaryKey(fields: [keys.id]))
            model.fields(
                .field(keys.id), .field(keys.stars, is: .optional, ofType: .int),
                .belongsTo(keys.book, ofType: Book.self, targetNames: ["bookId"]),
                .belongsTo(keys.reviewer, is: .optional, ofType: Author.self, targetNames: ["reviewerId"]))
        }
    }

    /// One half of a cycle of two models.
    struct Lock: Model {
        let id: String
        var key: LazyReference<Key>

        init(_ id: String, key: Key? = nil) {
            self.id = id
            self.key = LazyReference(key)
        }

        enum CodingKeys: String, ModelKey { case id, key }
        static var isEager: Bool { false }
        static let schema = defineSchema { model in
            model.attributes(.primaryKey(fields: [CodingKeys.id]))
            model.fields(
                .field(CodingKeys.id),
                .belongsTo(CodingKeys.key, is: .optional, ofType: Key.self, targetNames: ["keyId"]))
        }
    }

    /// The other half of the cycle.
    struct Key: Model {
        let id: String
        var lock: LazyReference<Lock>

        init(_ id: String, lock: Lock? = nil) {
            self.id = id
            self.lock = LazyReference(lock)
        }

        enum CodingKeys: String, ModelKey { case id, lock }
        static var isEager: Bool { false }
        static let schema = defineSchema { model in
            model.attributes(.primaryKey(fields: [CodingKeys.id]))
            model.fields(
                .field(CodingKeys.id),
                .belongsTo(CodingKeys.lock, is: .optional, ofType: Lock.self, targetNames: ["lockId"]))
        }
    }
}

extension LazyReference {
    /// The key's only text, or `nil` if the reference is empty.
    var keyText: String? { (try? key()).flatMap { $0 }?.outboxText }
}
