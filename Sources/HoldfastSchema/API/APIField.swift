package import HoldfastGraphQL

/// A field of a model as the API shows it.
package struct APIField: Sendable {
    /// Why a field is there.
    package enum Origin: Sendable {
        /// The author wrote it.
        case declared
        /// The author left the identifier out.
        case identifier
        /// The service sets the time.
        case timestamp
        /// It holds the key of another model; `model` has the list that made it necessary, if one did.
        case foreignKey(ofListIn: String?)
        /// It names the owner, who is not in the inputs.
        case owner
    }

    package var name: String
    package var type: TypeReference
    var description: String?
    package var origin: Origin = .declared
    /// The value that the service fills in where a new record has none, as `@default` has it.
    package var defaultValue: String?
    /// What the type's name stands for.
    package var content: ModelTypeField.Content
    /// Where the author wrote it.
    package var location: Location = .none

    package var isRelation: Bool { if case .relation = content { true } else { false } }
    package var isDeclared: Bool { if case .declared = origin { true } else { false } }

    /// The enum of the values; `nil` if they are not of an enum.
    package var enumeration: String? { if case .value(.enumeration(let name)) = content { name } else { nil } }
    /// The embedded type of the values; `nil` if they are not of an embedded type.
    package var embedded: String? { if case .value(.embedded(let name)) = content { name } else { nil } }
}

extension TypeReference {
    init(_ name: String) { self.init(Name(name)) }

    /// The same type with another name, as lists and required as before.
    func renamed(_ name: String) -> TypeReference {
        var result = self
        result.name = Name(name)
        return result
    }
}

/// The scalars by which filters compare values.
enum ComparisonScalar: String, CaseIterable {
    case string = "String"
    case int = "Int"
    case float = "Float"
    case boolean = "Boolean"
    case id = "ID"

    /// The scalar by which values of a type are compared: all that is written as text is text.
    init(_ name: String) {
        switch name {
        case "Int", "AWSTimestamp": self = .int
        case "Float": self = .float
        case "Boolean": self = .boolean
        case "ID": self = .id
        default: self = .string
        }
    }
}
