/// One field of a model: a value or a relation.
public struct ModelField: Sendable {
    /// The name in the GraphQL schema.
    public let name: String
    /// The type.
    public let type: ModelFieldType
    /// Whether null is refused.
    public let isRequired: Bool
    /// Whether only the service writes it.
    public let isReadOnly: Bool
    /// The relation, if it is one.
    public let association: ModelAssociation?

    /// The name of the related model, if this is a relation.
    public var associatedModelName: String? {
        switch type {
        case .model(let name), .collection(let name): name
        default: nil
        }
    }

    /// The columns in which the field is kept; empty for a relation whose other side holds the key.
    ///
    /// The key of a `belongsTo` is kept under its target names, `<field>Id` if it has none.
    public var columns: [String] {
        switch association {
        case nil: [name]
        case .belongsTo(_, let targetNames): targetNames.isEmpty ? [name + "Id"] : targetNames
        case .hasOne, .hasMany: []
        }
    }
}
