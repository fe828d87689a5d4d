// The shape of a generated file.
import Foundation
import HoldfastModel

extension Genre {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case name
        case books
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let genre = Genre.keys

        model.listPluralName = "Genres"
        model.syncPluralName = "Genres"

        model.attributes(
            .primaryKey(fields: [genre.id])
        )

        model.fields(
            .field(genre.id, is: .required, ofType: .string),
            .field(genre.name, is: .required, ofType: .string),
            .hasMany(genre.books, is: .optional, ofType: BookGenres.self, associatedFields: [BookGenres.keys.genre]),
            .field(genre.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(genre.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
    public class Path: ModelPath<Genre> {}

    public static var rootPath: PropertyContainerPath? { Path() }
}

extension Genre: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}

extension ModelPath where ModelType == Genre {
    public var id: FieldPath<String> {
        string("id")
    }
    public var name: FieldPath<String> {
        string("name")
    }
    public var books: ModelPath<BookGenres> {
        BookGenres.Path(name: "books", isCollection: true, parent: self)
    }
    public var createdAt: FieldPath<Temporal.DateTime> {
        datetime("createdAt")
    }
    public var updatedAt: FieldPath<Temporal.DateTime> {
        datetime("updatedAt")
    }
}
