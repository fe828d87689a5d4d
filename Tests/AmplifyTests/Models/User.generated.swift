// The shape of a generated file.
import Amplify
import Foundation

public struct User: Model {
    public let id: String
    public var firstName: String
    public var lastName: String
    public var createdAt: Temporal.DateTime

    public init(
        id: String = UUID().uuidString,
        firstName: String,
        lastName: String,
        createdAt: Temporal.DateTime
    ) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
        self.createdAt = createdAt
    }
}

extension User {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case firstName
        case lastName
        case createdAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let user = User.keys

        model.listPluralName = "Users"
        model.syncPluralName = "Users"

        model.attributes(
            .index(fields: ["lastName", "createdAt"], name: "byLastName"),
            .primaryKey(fields: [user.id])
        )

        model.fields(
            .field(user.id, is: .required, ofType: .string),
            .field(user.firstName, is: .required, ofType: .string),
            .field(user.lastName, is: .required, ofType: .string),
            .field(user.createdAt, is: .required, ofType: .dateTime)
        )
    }
}

extension User: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}
