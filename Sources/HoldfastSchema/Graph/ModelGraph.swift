package import HoldfastGraphQL

/// What a schema says about models, with everything implicit stated.
package struct ModelGraph: Sendable {
    /// In the order of the schema; join models at the end.
    package var models: [ModelType] = []
    package var embedded: [EmbeddedType] = []
    package var enums: [EnumType] = []
}

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

/// A secondary index.
package struct ModelIndex: Hashable, Sendable {
    package var name: String
    package var fields: [String]
    /// The field on which it is declared.
    package var location: Location = .none
}

/// What one value is.
package enum ValueKind: Hashable, Sendable {
    case string, int, double, bool, date, dateTime, time
    case enumeration(String)
    case embedded(String)
}

/// A relation to another model.
package struct Relation: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case belongsTo, hasOne, hasMany }
    package var kind: Kind
    package var model: String
    /// The fields of the other model that lead back.
    package var associated: [String] = []
    /// The columns that hold the other model's key.
    package var targets: [String] = []
}

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

/// A type that lives inside fields.
package struct EmbeddedType: Sendable {
    package var name: String
    package var description: String?
    package var location: Location
    package var plural: String
    package var fields: [ModelTypeField]
}

/// An enumeration.
package struct EnumType: Sendable {
    package struct Case: Sendable {
        package var name: String
        package var description: String?
    }
    /// The schema's name, which may be spelled in another way in Swift.
    package var name: String
    package var description: String?
    package var cases: [Case]
}

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
