// The shape of a generated file.
import Foundation
import HoldfastModel

extension Passport {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case number
        case author
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let passport = Passport.keys

        model.listPluralName = "Passports"
        model.syncPluralName = "Passports"

        model.attributes(
            .index(fields: ["id"], name: nil),
            .primaryKey(fields: [passport.id])
        )

        model.fields(
            .field(passport.id, is: .required, ofType: .string),
            .field(passport.number, is: .required, ofType: .int),
            .belongsTo(passport.author, is: .required, ofType: Author.self, targetNames: ["passportAuthorId"]),
            .field(passport.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(passport.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
    public class Path: ModelPath<Passport> {}

    public static var rootPath: PropertyContainerPath? { Path() }
}

extension Passport: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}

extension ModelPath where ModelType == Passport {
    public var id: FieldPath<String> {
        string("id")
    }
    public var number: FieldPath<Int> {
        int("number")
    }
    public var author: ModelPath<Author> {
        Author.Path(name: "author", parent: self)
    }
    public var createdAt: FieldPath<Temporal.DateTime> {
        datetime("createdAt")
    }
    public var updatedAt: FieldPath<Temporal.DateTime> {
        datetime("updatedAt")
    }
}
