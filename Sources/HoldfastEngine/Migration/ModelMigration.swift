public import HoldfastStorage

/// One step on the way of stored records to a new schema.
///
/// Fields are named as they are stored: the key of a `belongsTo` by its target names.
public struct ModelMigration: Sendable {
    enum Kind: Sendable {
        case renameModel(from: String, to: String)
        case renameField(model: String, from: String, to: String)
        case removeModel(String)
        case removeField(model: String, field: String)
        case setDefault(model: String, field: String, value: Value)
        case transform(model: String, @Sendable (StoredRecord) throws -> StoredRecord?)
    }

    let kind: Kind

    /// A model has another name; its records and unsent changes follow.
    public static func renameModel(from old: String, to new: String) -> ModelMigration {
        ModelMigration(kind: .renameModel(from: old, to: new))
    }

    /// A field has another name; its values and the unsent changes that mention it follow.
    ///
    /// - Parameters:
    ///   - model: The model, by its new name if an earlier step renames it.
    ///   - old: The stored name.
    ///   - new: The name that the model declares.
    /// - Returns: A step for ``SchemaPolicy/migrate(_:rebuildsRest:)``.
    public static func renameField(model: String, from old: String, to new: String) -> ModelMigration {
        ModelMigration(kind: .renameField(model: model, from: old, to: new))
    }

    /// Removes a model, with its records and unsent changes.
    public static func removeModel(_ model: String) -> ModelMigration {
        ModelMigration(kind: .removeModel(model))
    }

    /// Removes a field, with its values.
    public static func removeField(model: String, field: String) -> ModelMigration {
        ModelMigration(kind: .removeField(model: model, field: field))
    }

    /// Records without a value in a field get one; needed for fields that are new and required or became required.
    ///
    /// - Parameters:
    ///   - model: The model's present name.
    ///   - field: The field's present name.
    ///   - value: A value of the field's type; it is not checked before a record needs it.
    /// - Returns: A step for ``SchemaPolicy/migrate(_:rebuildsRest:)``.
    public static func setDefault(model: String, field: String, value: Value) -> ModelMigration {
        ModelMigration(kind: .setDefault(model: model, field: field, value: value))
    }

    /// Records are changed one by one; needed for fields of another type and for another primary key.
    ///
    /// Runs if the stored model differs from the declared one in more than its indexes. An error of the closure ends
    /// `open` with the store as it was.
    ///
    /// - Parameters:
    ///   - model: The model's present name.
    ///   - body: The record, changed, or `nil` to give it up; called from any thread.
    /// - Returns: A step for ``SchemaPolicy/migrate(_:rebuildsRest:)``.
    public static func transform(
        model: String, _ body: @escaping @Sendable (StoredRecord) throws -> StoredRecord?
    ) -> ModelMigration {
        ModelMigration(kind: .transform(model: model, body))
    }
}
