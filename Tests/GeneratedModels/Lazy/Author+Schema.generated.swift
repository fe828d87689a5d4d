// The shape of a generated file.
import Foundation
import HoldfastModel

extension Author {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case name
        case mood
        case home
        case books
        case passport
        case authorPassportId
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let author = Author.keys

        model.listPluralName = "Authors"
        model.syncPluralName = "Authors"

        model.attributes(
            .index(fields: ["id"], name: nil),
            .primaryKey(fields: [author.id])
        )

        model.fields(
            .field(author.id, is: .required, ofType: .string),
            .field(author.name, is: .required, ofType: .string),
            .field(author.mood, is: .optional, ofType: .enum(type: Mood.self)),
            .field(author.home, is: .optional, ofType: .embedded(type: Address.self)),
            .hasMany(author.books, is: .optional, ofType: Book.self, associatedFields: [Book.keys.author]),
            .hasOne(author.passport, is: .optional, ofType: Passport.self, associatedFields: [Passport.keys.author], targetNames: ["authorPassportId"]),
            .field(author.authorPassportId, is: .optional, ofType: .string),
            .field(author.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(author.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
    public class Path: ModelPath<Author> {}

    public static var rootPath: PropertyContainerPath? { Path() }
}

extension Author: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}

extension ModelPath where ModelType == Author {
    public var id: FieldPath<String> {
        string("id")
    }
    public var name: FieldPath<String> {
        string("name")
    }
    public var books: ModelPath<Book> {
        Book.Path(name: "books", isCollection: true, parent: self)
    }
    public var passport: ModelPath<Passport> {
        Passport.Path(name: "passport", parent: self)
    }
    public var authorPassportId: FieldPath<String> {
        string("authorPassportId")
    }
    public var createdAt: FieldPath<Temporal.DateTime> {
        datetime("createdAt")
    }
    public var updatedAt: FieldPath<Temporal.DateTime> {
        datetime("updatedAt")
    }
}
