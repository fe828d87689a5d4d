/// One field of a model: a value or a relation.
public struct ModelField: Sendable {
    /// The name in the GraphQL schema.
    public let name: ModelFieldName
    /// The type.
    public let type: ModelFieldType
    /// Whether null is refused.
    public let isRequired: Bool
    /// Whether only the service writes it.
    public let isReadOnly: Bool
    /// Whether the field holds or leads to several values.
    public let isArray: Bool
    /// The marks.
    public let attributes: [ModelFieldAttribute]
    /// The relation, if it is one.
    public let association: ModelAssociation?
    /// Who may read and write the field.
    public let authRules: AuthRules

    /// Creates a field; by default one that is optional and not a relation.
    public init(
        name: ModelFieldName, type: ModelFieldType, isRequired: Bool = false, isReadOnly: Bool = false,
        isArray: Bool = false, attributes: [ModelFieldAttribute] = [], association: ModelAssociation? = nil,
        authRules: AuthRules = []
    ) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.isReadOnly = isReadOnly
        self.isArray = isArray || type.isArray
        self.attributes = attributes
        self.association = association
        self.authRules = authRules
    }

    /// Whether the field itself is marked as part of the primary key; see ``ModelSchema/primaryKey``.
    public var isPrimaryKey: Bool { attributes.contains(.primaryKey) }

    /// The columns in which the field is kept; empty for a relation whose other side holds the key.
    ///
    /// The key of a `belongsTo` is kept under its target names, `<field>Id` if it has none.
    public var columns: [String] {
        switch association {
        case nil: type.fieldType == nil ? [] : [name]
        case .belongsTo(_, let targetNames): targetNames.isEmpty ? [name + "Id"] : targetNames
        case .hasOne, .hasMany: []
        }
    }
}
