// The shape of a generated file.
import Foundation
import HoldfastModel

extension BookGenres {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case book
        case genre
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let bookGenres = BookGenres.keys

        model.listPluralName = "BookGenres"
        model.syncPluralName = "BookGenres"

        model.attributes(
            .primaryKey(fields: [bookGenres.id])
        )

        model.fields(
            .field(bookGenres.id, is: .required, ofType: .string),
            .belongsTo(bookGenres.book, is: .required, ofType: Book.self, targetNames: ["bookIsbn", "bookEdition"]),
            .belongsTo(bookGenres.genre, is: .required, ofType: Genre.self, targetNames: ["genreId"]),
            .field(bookGenres.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(bookGenres.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
    public class Path: ModelPath<BookGenres> {}

    public static var rootPath: PropertyContainerPath? { Path() }
}

extension BookGenres: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}

extension ModelPath where ModelType == BookGenres {
    public var id: FieldPath<String> {
        string("id")
    }
    public var book: ModelPath<Book> {
        Book.Path(name: "book", parent: self)
    }
    public var genre: ModelPath<Genre> {
        Genre.Path(name: "genre", parent: self)
    }
    public var createdAt: FieldPath<Temporal.DateTime> {
        datetime("createdAt")
    }
    public var updatedAt: FieldPath<Temporal.DateTime> {
        datetime("updatedAt")
    }
}
