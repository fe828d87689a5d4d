package import HoldfastGraphQL

/// A type that lives inside fields.
package struct EmbeddedType: Sendable {
    package var name: String
    package var description: String?
    package var location: Location
    package var plural: String
    package var fields: [ModelTypeField]
}
