import HoldfastGraphQL

/// What a schema says about models, with everything implicit stated.
struct ModelGraph: Sendable {
    /// In the order of the schema; join models at the end.
    var models: [ModelType] = []
    var embedded: [EmbeddedType] = []
    var enums: [EnumType] = []
}

/// A type with records of its own.
struct ModelType: Sendable {
    var name: String
    var description: String?
    var location: Location
    var fields: [ModelTypeField] = []
    /// The names of the key's fields, most significant first.
    var primaryKey: [String] = []
    /// Whether the author chose the key.
    var declaresKey = false
    var indexes: [ModelIndex] = []
    var rules: [ModelRule] = []
    var plural = ""

    func field(_ name: String) -> ModelTypeField? { fields.first { $0.name == name } }
}

/// A secondary index.
struct ModelIndex: Hashable, Sendable {
    var name: String
    var fields: [String]
    /// The field on which it is declared.
    var location: Location = .none
}

/// What one value is.
enum ValueKind: Hashable, Sendable {
    case string, int, double, bool, date, dateTime, time
    case enumeration(String)
    case embedded(String)
}

/// A relation to another model.
struct Relation: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case belongsTo, hasOne, hasMany }
    var kind: Kind
    var model: String
    /// The fields of the other model that lead back.
    var associated: [String] = []
    /// The columns that hold the other model's key.
    var targets: [String] = []
}

/// A field of a model or an embedded type.
struct ModelTypeField: Sendable {
    enum Content: Hashable, Sendable {
        case value(ValueKind)
        case relation(Relation)
    }

    var name: String
    var description: String?
    var content: Content
    var isRequired: Bool
    var isList = false
    var elementsAreRequired = false
    var isReadOnly = false
    /// The GraphQL scalar, for the version and for comparing key types.
    var scalar = ""
    /// Who may read and write the field, where it differs from the model.
    var rules: [ModelRule] = []
    var location: Location = .none

    var relation: Relation? { if case .relation(let relation) = content { relation } else { nil } }
    /// The columns that the field occupies in a row.
    var columns: [String] {
        switch relation?.kind {
        case nil: [name]
        case .belongsTo: relation?.targets ?? []
        case .hasOne, .hasMany: []
        }
    }
    var value: ValueKind? { if case .value(let kind) = content { kind } else { nil } }
}

/// A type that lives inside fields.
struct EmbeddedType: Sendable {
    var name: String
    var description: String?
    var location: Location
    var plural: String
    var fields: [ModelTypeField]
}

/// An enumeration.
struct EnumType: Sendable {
    struct Case: Sendable {
        var name: String
        var description: String?
    }
    var name: String
    var description: String?
    var cases: [Case]
}

/// A rule of `@auth` with its defaults stated.
struct ModelRule: Hashable, Sendable {
    var allow: String
    var ownerField: String?
    var identityClaim: String?
    var groupClaim: String?
    var groups: [String] = []
    var groupsField: String?
    var provider: String
    var operations: [String]
}
