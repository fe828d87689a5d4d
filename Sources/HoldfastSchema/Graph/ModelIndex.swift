package import HoldfastGraphQL

/// A secondary index.
package struct ModelIndex: Hashable, Sendable {
    package var name: String
    package var fields: [String]
    /// The field on which it is declared.
    package var location: Location = .none
}
