/// A rule of `@auth` with its defaults stated.
package struct ModelRule: Hashable, Sendable {
    package var allow: String
    package var ownerField: String?
    package var identityClaim: String?
    package var groupClaim: String?
    package var groups: [String] = []
    package var groupsField: String?
    package var provider: String
    package var operations: [String]
}
