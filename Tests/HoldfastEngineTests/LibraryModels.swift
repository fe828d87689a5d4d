import HoldfastModel

/// An author, who has at most one profile and any number of books.
struct Author: Model {
    let id: String
    var name: String
    var born: Int?
    var profile: LazyReference<Profile> = LazyReference(nil)
    var books: List<Book>? = []

    enum CodingKeys: String, ModelKey { case id, name, born, profile, books }
    static let keys = CodingKeys.self
    class Path: ModelPath<Author> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }

    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id), .field(keys.name), .field(keys.born, is: .optional, ofType: .int),
            .hasOne(keys.profile, is: .optional, ofType: Profile.self, associatedWith: Profile.keys.author),
            .hasMany(keys.books, is: .optional, ofType: Book.self, associatedWith: Book.keys.author))
    }
}

extension ModelPath where ModelType == Author {
    var name: FieldPath<String> { string("name") }
    var profile: ModelPath<Profile> { Profile.Path(name: "profile", parent: self) }
}

/// What is known about an author.
struct Profile: Model {
    let id: String
    var bio: String?
    var author: LazyReference<Author>

    enum CodingKeys: String, ModelKey { case id, bio, author }
    static let keys = CodingKeys.self
    class Path: ModelPath<Profile> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }

    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id), .field(keys.bio, is: .optional),
            .belongsTo(keys.author, is: .optional, ofType: Author.self, targetNames: ["authorId"]))
    }
}

extension ModelPath where ModelType == Profile {
    var bio: FieldPath<String> { string("bio") }
}

/// A shelf, known by its room and number.
struct Shelf: Model {
    let room: String
    let number: Int
    var label: String?
    var books: List<Book>? = []

    enum CodingKeys: String, ModelKey { case room, number, label, books }
    static let keys = CodingKeys.self
    class Path: ModelPath<Shelf> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }

    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.room, keys.number]))
        model.fields(
            .field(keys.room), .field(keys.number, ofType: .int), .field(keys.label, is: .optional),
            .hasMany(keys.books, is: .optional, ofType: Book.self, associatedWith: Book.keys.shelf))
    }
}

extension Shelf: ModelIdentifiable {
    typealias IdentifierFormat = ModelIdentifierFormat.Custom
    typealias IdentifierProtocol = ModelIdentifier<Self, ModelIdentifierFormat.Custom>
}

/// A book, perhaps by an author, perhaps on a shelf.
struct Book: Model {
    let id: String
    var title: String?
    var pages: Int?
    var price: Double?
    var printed: Temporal.DateTime?
    var author: LazyReference<Author>
    var shelf: LazyReference<Shelf>
    var reviews: List<Review>? = []

    enum CodingKeys: String, ModelKey { case id, title, pages, price, printed, author, shelf, reviews }
    static let keys = CodingKeys.self
    class Path: ModelPath<Book> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }

    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.id]), .index(fields: ["pages"], name: "byPages"))
        model.fields(
            .field(keys.id), .field(keys.title, is: .optional), .field(keys.pages, is: .optional, ofType: .int),
            .field(keys.price, is: .optional, ofType: .double),
            .field(keys.printed, is: .optional, ofType: .dateTime),
            .belongsTo(keys.author, is: .optional, ofType: Author.self, targetNames: ["authorId"]),
            .belongsTo(keys.shelf, is: .optional, ofType: Shelf.self, targetNames: ["shelfRoom", "shelfNumber"]),
            .hasMany(keys.reviews, is: .optional, ofType: Review.self, associatedWith: Review.keys.book))
    }
}

extension ModelPath where ModelType == Book {
    var title: FieldPath<String> { string("title") }
    var pages: FieldPath<Int> { int("pages") }
    var author: ModelPath<Author> { Author.Path(name: "author", parent: self) }
    var reviews: ModelPath<Review> { Review.Path(name: "reviews", isCollection: true, parent: self) }
}

/// What a reader thinks of a book.
struct Review: Model {
    let id: String
    var stars: Int?
    var book: LazyReference<Book>

    enum CodingKeys: String, ModelKey { case id, stars, book }
    static let keys = CodingKeys.self
    class Path: ModelPath<Review> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }

    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id), .field(keys.stars, is: .optional, ofType: .int),
            .belongsTo(keys.book, is: .optional, ofType: Book.self, targetNames: ["bookId"]))
    }
}

extension ModelPath where ModelType == Review {
    var stars: FieldPath<Int> { int("stars") }
}
