extension ModelFieldDefinition {
    /// Many records of another model, found by its field.
    public static func hasMany(
        _ key: any CodingKey, is nullability: ModelFieldNullability = .required, isReadOnly: Bool = false,
        ofType type: any Model.Type, associatedWith associatedKey: any CodingKey
    ) -> ModelFieldDefinition {
        hasMany(key, is: nullability, isReadOnly: isReadOnly, ofType: type, associatedFields: [associatedKey])
    }

    /// Many records of another model, found by its fields.
    public static func hasMany(
        _ key: any CodingKey, is nullability: ModelFieldNullability = .required, isReadOnly: Bool = false,
        ofType type: any Model.Type, associatedFields: [any CodingKey]
    ) -> ModelFieldDefinition {
        field(
            key, is: nullability, isReadOnly: isReadOnly, ofType: .collection(of: type.modelName),
            association: .hasMany(associatedFields: associatedFields))
    }

    /// One record of another model, found by its field or by a key held here.
    ///
    /// Nothing keeps several records from claiming the same one; the relation is then the first of them by key.
    public static func hasOne(
        _ key: any CodingKey, is nullability: ModelFieldNullability = .required, isReadOnly: Bool = false,
        ofType type: any Model.Type, associatedWith associatedKey: any CodingKey, targetName: String? = nil
    ) -> ModelFieldDefinition {
        hasOne(
            key, is: nullability, isReadOnly: isReadOnly, ofType: type, associatedWith: associatedKey,
            targetNames: targetName.map { [$0] } ?? [])
    }

    /// One record of another model, found by a key of several fields held here.
    public static func hasOne(
        _ key: any CodingKey, is nullability: ModelFieldNullability = .required, isReadOnly: Bool = false,
        ofType type: any Model.Type, associatedWith associatedKey: any CodingKey, targetNames: [String]
    ) -> ModelFieldDefinition {
        field(
            key, is: nullability, isReadOnly: isReadOnly, ofType: .model(name: type.modelName),
            association: .hasOne(associatedWith: associatedKey, targetNames: targetNames))
    }

    /// One record of another model, found by its fields or by a key held here; if several are found, the first by key.
    public static func hasOne(
        _ key: any CodingKey, is nullability: ModelFieldNullability = .required, isReadOnly: Bool = false,
        ofType type: any Model.Type, associatedFields: [any CodingKey], targetNames: [String] = []
    ) -> ModelFieldDefinition {
        field(
            key, is: nullability, isReadOnly: isReadOnly, ofType: .model(name: type.modelName),
            association: .hasOne(associatedFields: associatedFields, targetNames: targetNames))
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
        field(
            key, is: nullability, isReadOnly: isReadOnly, ofType: .model(name: type.modelName),
            association: .belongsTo(associatedFieldName: associatedKey?.stringValue, targetNames: targetNames))
    }
}
