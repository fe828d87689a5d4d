package import HoldfastGraphQL

/// A type with records of its own.
package struct ModelType: Sendable {
    package var name: String
    package var description: String?
    package var location: Location
    package var fields: [ModelTypeField] = []
    /// The names of the key's fields, most significant first.
    package var primaryKey: [String] = []
    /// Whether the author chose the key.
    package var declaresKey = false
    package var indexes: [ModelIndex] = []
    package var rules: [ModelRule] = []
    package var plural = ""

    package init(name: String, description: String? = nil, location: Location) {
        self.name = name
        self.description = description
        self.location = location
    }

    package func field(_ name: String) -> ModelTypeField? { fields.first { $0.name == name } }
}
