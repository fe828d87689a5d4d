/// How a field relates its model to another.
public enum ModelAssociation: Sendable, Hashable {
    /// Many records of the other model, whose named fields belong to this one.
    case hasMany(associatedFieldName: String?, associatedFieldNames: [String] = [])
    /// One record of the other model, whose named fields belong to this one; `targetNames` hold its key, if any.
    case hasOne(associatedFieldName: String?, associatedFieldNames: [String] = [], targetNames: [String])
    /// One record of the other model, whose key is held in the fields `targetNames`.
    case belongsTo(associatedFieldName: String?, targetNames: [String])

    /// One record of another model, whose key is held under the default name.
    public static let belongsTo = ModelAssociation.belongsTo(associatedFieldName: nil, targetNames: [])

    /// One record of another model, whose key is held under one name.
    public static func belongsTo(targetName: String? = nil) -> ModelAssociation {
        .belongsTo(associatedWith: nil, targetName: targetName)
    }

    /// One record of another model, whose field leads back and whose key is held under one name.
    public static func belongsTo(associatedWith key: (any CodingKey)?, targetName: String?) -> ModelAssociation {
        .belongsTo(associatedWith: key, targetNames: targetName.map { [$0] } ?? [])
    }

    /// One record of another model, whose field leads back and whose key is held under several names.
    public static func belongsTo(
        associatedWith key: (any CodingKey)?, targetNames: [String] = []
    ) -> ModelAssociation {
        .belongsTo(associatedFieldName: key?.stringValue, targetNames: targetNames)
    }

    /// Many records of another model, found by its field.
    public static func hasMany(associatedWith key: (any CodingKey)?) -> ModelAssociation {
        .hasMany(associatedFields: key.map { [$0] } ?? [])
    }

    /// Many records of another model, found by its fields.
    public static func hasMany(associatedFields keys: [any CodingKey]) -> ModelAssociation {
        .hasMany(associatedFieldName: keys.first?.stringValue, associatedFieldNames: keys.map(\.stringValue))
    }

    /// One record of another model, found by its field or by the key held under one name.
    public static func hasOne(associatedWith key: (any CodingKey)?, targetName: String?) -> ModelAssociation {
        .hasOne(associatedWith: key, targetNames: targetName.map { [$0] } ?? [])
    }

    /// One record of another model, found by its field or by the key held in `targetNames`.
    public static func hasOne(associatedWith key: (any CodingKey)?, targetNames: [String] = []) -> ModelAssociation {
        .hasOne(associatedFieldName: key?.stringValue, targetNames: targetNames)
    }

    /// One record of another model, found by its fields or by the key held in `targetNames`.
    public static func hasOne(
        associatedFields keys: [any CodingKey], targetNames: [String] = []
    ) -> ModelAssociation {
        .hasOne(associatedFieldName: nil, associatedFieldNames: keys.map(\.stringValue), targetNames: targetNames)
    }
}
