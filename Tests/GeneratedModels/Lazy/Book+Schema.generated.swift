// The shape of a generated file.
import Foundation
import HoldfastModel

extension Book {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case isbn
        case edition
        case title
        case price
        case inPrint
        case released
        case opensAt
        case tags
        case places
        case author
        case reviews
        case genres
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let book = Book.keys

        model.authRules = [
            rule(allow: .public, provider: .apiKey, operations: [.create, .update, .delete, .read])
        ]

        model.listPluralName = "Books"
        model.syncPluralName = "Books"

        model.attributes(
            .index(fields: ["isbn", "edition"], name: nil),
            .primaryKey(fields: [book.isbn, book.edition])
        )

        model.fields(
            .field(book.isbn, is: .required, ofType: .string),
            .field(book.edition, is: .required, ofType: .int),
            .field(book.title, is: .required, ofType: .string),
            .field(book.price, is: .optional, ofType: .double),
            .field(book.inPrint, is: .optional, ofType: .bool),
            .field(book.released, is: .optional, ofType: .date),
            .field(book.opensAt, is: .optional, ofType: .time),
            .field(book.tags, is: .optional, ofType: .embeddedCollection(of: String.self)),
            .field(book.places, is: .optional, ofType: .embeddedCollection(of: Address.self)),
            .belongsTo(book.author, is: .optional, ofType: Author.self, targetNames: ["authorBooksId"]),
            .hasMany(book.reviews, is: .optional, ofType: Review.self, associatedFields: [Review.keys.bookReviewsIsbn, Review.keys.bookReviewsEdition]),
            .hasMany(book.genres, is: .optional, ofType: BookGenres.self, associatedFields: [BookGenres.keys.book]),
            .field(book.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(book.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
    public class Path: ModelPath<Book> {}

    public static var rootPath: PropertyContainerPath? { Path() }
}

extension Book: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Custom
    public typealias IdentifierProtocol = ModelIdentifier<Self, ModelIdentifierFormat.Custom>
}

extension Book.IdentifierProtocol {
    public static func identifier(isbn: String, edition: Int) -> Self {
        .make(fields: [(name: "isbn", value: isbn), (name: "edition", value: edition)])
    }
}

extension ModelPath where ModelType == Book {
    public var isbn: FieldPath<String> {
        string("isbn")
    }
    public var edition: FieldPath<Int> {
        int("edition")
    }
    public var title: FieldPath<String> {
        string("title")
    }
    public var price: FieldPath<Double> {
        double("price")
    }
    public var inPrint: FieldPath<Bool> {
        bool("inPrint")
    }
    public var released: FieldPath<Temporal.Date> {
        date("released")
    }
    public var opensAt: FieldPath<Temporal.Time> {
        time("opensAt")
    }
    public var author: ModelPath<Author> {
        Author.Path(name: "author", parent: self)
    }
    public var reviews: ModelPath<Review> {
        Review.Path(name: "reviews", isCollection: true, parent: self)
    }
    public var genres: ModelPath<BookGenres> {
        BookGenres.Path(name: "genres", isCollection: true, parent: self)
    }
    public var createdAt: FieldPath<Temporal.DateTime> {
        datetime("createdAt")
    }
    public var updatedAt: FieldPath<Temporal.DateTime> {
        datetime("updatedAt")
    }
}
