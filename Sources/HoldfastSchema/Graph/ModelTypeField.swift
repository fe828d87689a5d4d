package import HoldfastGraphQL

/// A field of a model or an embedded type.
package struct ModelTypeField: Sendable {
    package enum Content: Hashable, Sendable {
        case value(ValueKind)
        case relation(Relation)
    }

    package var name: String
    package var description: String?
    package var content: Content
    package var isRequired: Bool
    package var isList = false
    package var elementsAreRequired = false
    package var isReadOnly = false
    /// The GraphQL scalar, for the version and for comparing key types.
    package var scalar = ""
    /// Who may read and write the field, where it differs from the model.
    package var rules: [ModelRule] = []
    package var location: Location = .none

    package var relation: Relation? { if case .relation(let relation) = content { relation } else { nil } }
    /// The columns that the field occupies in a row.
    package var columns: [String] {
        switch relation?.kind {
        case nil: [name]
        case .belongsTo: relation?.targets ?? []
        case .hasOne, .hasMany: []
        }
    }
    package var value: ValueKind? { if case .value(let kind) = content { kind } else { nil } }
    /// The name in Swift of the schema's type that the field holds; `nil` for a scalar.
    package var namedType: String? {
        switch content {
        case .value(.enumeration(let name)): SwiftNames.enumType(name)
        case .value(.embedded(let name)): name
        case .value: nil
        case .relation(let relation): relation.model
        }
    }
}
