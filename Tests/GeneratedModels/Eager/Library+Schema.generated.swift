// The shape of a generated file.
import Foundation
import HoldfastModel

extension Library {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case name
        case address
        case openingDays
        case branches
        case shelves
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let library = Library.keys

        model.authRules = [
            rule(allow: .owner, ownerField: "owner", identityClaim: "cognito:username", provider: .userPools, operations: [.create, .update, .delete, .read]),
            rule(allow: .groups, groupClaim: "cognito:groups", groups: ["Admin"], provider: .oidc, operations: [.read]),
            rule(allow: .groups, groupClaim: "cognito:groups", groupsField: "editors", provider: .userPools, operations: [.update]),
            rule(allow: .private, provider: .iam, operations: [.read]),
            rule(allow: .public, provider: .apiKey, operations: [.read]),
            rule(allow: .custom, provider: .function, operations: [.read])
        ]

        model.listPluralName = "Libraries"
        model.syncPluralName = "Libraries"

        model.fields(
            .id(),
            .field(library.name, is: .required, ofType: .string),
            .field(library.address, is: .optional, ofType: .embedded(type: Address.self)),
            .field(library.openingDays, is: .optional, ofType: .embeddedCollection(of: Weekday.self)),
            .field(library.branches, is: .optional, ofType: .embeddedCollection(of: Address.self)),
            .hasMany(library.shelves, is: .optional, ofType: Shelf.self, associatedWith: Shelf.keys.library),
            .field(library.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(library.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
}
