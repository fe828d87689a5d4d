/// One line of a generated schema: a field or a relation.
public struct ModelFieldDefinition: Sendable {
    let field: ModelField
    let isIdentifier: Bool

    private init(_ field: ModelField, isIdentifier: Bool = false) {
        self.field = field
        self.isIdentifier = isIdentifier
    }

    /// A field that holds a value; required text by default.
    public static func field(
        _ key: any CodingKey, is nullability: ModelFieldNullability = .required, isReadOnly: Bool = false,
        ofType type: ModelFieldType = .string
    ) -> ModelFieldDefinition {
        ModelFieldDefinition(
            ModelField(
                name: key.stringValue, type: type, isRequired: nullability.isRequired, isReadOnly: isReadOnly,
                association: nil))
    }

    /// The identifier as older generated files state it: required text that is the primary key.
    public static func id(_ key: any CodingKey) -> ModelFieldDefinition { id(key.stringValue) }

    /// The identifier by its name, `id` by default.
    public static func id(_ name: String = "id") -> ModelFieldDefinition {
        ModelFieldDefinition(
            ModelField(name: name, type: .string, isRequired: true, isReadOnly: false, association: nil),
            isIdentifier: true)
    }

    /// Many records of another model, found by its field.
    public static func hasMany(
        _ key: any CodingKey, is nullability: ModelFieldNullability = .required, isReadOnly: Bool = false,
        ofType type: any Model.Type, associatedWith associatedKey: any CodingKey
    ) -> ModelFieldDefinition {
        hasMany(
            key, is: nullability, isReadOnly: isReadOnly, ofType: type, associatedFields: [associatedKey])
    }

    /// Many records of another model, found by its fields.
    public static func hasMany(
        _ key: any CodingKey, is nullability: ModelFieldNullability = .required, isReadOnly: Bool = false,
        ofType type: any Model.Type, associatedFields: [any CodingKey]
    ) -> ModelFieldDefinition {
        relation(
            key, nullability, isReadOnly, .collection(of: type.modelName),
            .hasMany(associatedFieldNames: associatedFields.map(\.stringValue)))
    }

    /// One record of another model, found by its field.
    public static func hasOne(
        _ key: any CodingKey, is nullability: ModelFieldNullability = .required, isReadOnly: Bool = false,
        ofType type: any Model.Type, associatedWith associatedKey: any CodingKey, targetName: String? = nil
    ) -> ModelFieldDefinition {
        hasOne(
            key, is: nullability, isReadOnly: isReadOnly, ofType: type, associatedFields: [associatedKey],
            targetNames: targetName.map { [$0] } ?? [])
    }

    /// One record of another model, found by its fields.
    public static func hasOne(
        _ key: any CodingKey, is nullability: ModelFieldNullability = .required, isReadOnly: Bool = false,
        ofType type: any Model.Type, associatedFields: [any CodingKey], targetNames: [String] = []
    ) -> ModelFieldDefinition {
        relation(
            key, nullability, isReadOnly, .model(name: type.modelName),
            .hasOne(associatedFieldNames: associatedFields.map(\.stringValue), targetNames: targetNames))
    }

    /// One record of another model, whose key this one holds.
    public static func belongsTo(
        _ key: any CodingKey, is nullability: ModelFieldNullability = .required, isReadOnly: Bool = false,
        ofType type: any Model.Type, associatedWith associatedKey: (any CodingKey)? = nil, targetName: String? = nil
    ) -> ModelFieldDefinition {
        belongsTo(
            key, is: nullability, isReadOnly: isReadOnly, ofType: type, associatedWith: associatedKey,
            targetNames: targetName.map { [$0] } ?? [])
    }

    /// One record of another model, whose key this one holds in several fields.
    public static func belongsTo(
        _ key: any CodingKey, is nullability: ModelFieldNullability = .required, isReadOnly: Bool = false,
        ofType type: any Model.Type, associatedWith associatedKey: (any CodingKey)? = nil, targetNames: [String]
    ) -> ModelFieldDefinition {
        relation(
            key, nullability, isReadOnly, .model(name: type.modelName),
            .belongsTo(associatedFieldName: associatedKey?.stringValue, targetNames: targetNames))
    }

    private static func relation(
        _ key: any CodingKey, _ nullability: ModelFieldNullability, _ isReadOnly: Bool, _ type: ModelFieldType,
        _ association: ModelAssociation
    ) -> ModelFieldDefinition {
        ModelFieldDefinition(
            ModelField(
                name: key.stringValue, type: type, isRequired: nullability.isRequired, isReadOnly: isReadOnly,
                association: association))
    }
}
