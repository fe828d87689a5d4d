// The shape of a generated file.
import Foundation
import HoldfastModel

extension School {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case name
        case venue
        case openingDays
        case branches
        case courses
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let school = School.keys

        model.authRules = [
            rule(allow: .owner, ownerField: "owner", identityClaim: "cognito:username", provider: .userPools, operations: [.create, .update, .delete, .read]),
            rule(allow: .groups, groupClaim: "cognito:groups", groups: ["Admin"], provider: .oidc, operations: [.read]),
            rule(allow: .groups, groupClaim: "cognito:groups", groupsField: "editors", provider: .userPools, operations: [.update]),
            rule(allow: .private, provider: .iam, operations: [.read]),
            rule(allow: .public, provider: .apiKey, operations: [.read]),
            rule(allow: .custom, provider: .function, operations: [.read])
        ]

        model.listPluralName = "Schools"
        model.syncPluralName = "Schools"

        model.fields(
            .id(),
            .field(school.name, is: .required, ofType: .string),
            .field(school.venue, is: .optional, ofType: .embedded(type: Venue.self)),
            .field(school.openingDays, is: .optional, ofType: .embeddedCollection(of: Season.self)),
            .field(school.branches, is: .optional, ofType: .embeddedCollection(of: Venue.self)),
            .hasMany(school.courses, is: .optional, ofType: Course.self, associatedWith: Course.keys.school),
            .field(school.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(school.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
}
