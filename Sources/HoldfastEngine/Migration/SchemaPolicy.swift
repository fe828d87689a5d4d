public import HoldfastStorage

/// What happens when a store was written with models that differ more than additively from those it is opened with.
///
/// New models, new optional fields and changed indexes are additive; they are made in place under every policy.
///
/// ```swift
/// let options = DataStoreOptions(
///     schemaPolicy: .migrate([
///         .renameModel(from: "OldNote", to: "Note"),
///         .renameField(model: "Note", from: "heading", to: "title"),
///         .transform(model: "Note") { record in
///             var record = record
///             if case .text(let stars) = record.stored("stars"), let rating = Int64(stars) {
///                 record["rating"] = .integer(rating)
///             }
///             return record
///         },
///         .removeField(model: "Note", field: "stars"),
///     ]))
/// let store = try await DataStore.open(SQLiteAdapter(path: path), models: [Note.self], options: options)
/// ```
public struct SchemaPolicy: Sendable {
    enum Kind: Sendable {
        case refuse
        case rebuild
        case migrate([ModelMigration], rebuildsRest: Bool)
    }

    let kind: Kind

    /// Opening fails with `.schemaMismatch` and the list of differences, and the store stays as it is; the default.
    public static let refuse = SchemaPolicy(kind: .refuse)

    /// Models that differ start empty, with nothing of them left in the outbox; all others keep everything.
    ///
    /// For stores whose records come from a service. Records that refer to one of an emptied model stay as they are.
    public static let rebuild = SchemaPolicy(kind: .rebuild)

    /// Records are brought to their new form by steps; a difference that no step covers is refused as by ``refuse``.
    ///
    /// Required fields that become optional need no step. Renamings and removals are done first, in the order given;
    /// then defaults and transforms, in the order given, which name models and fields as they are called now. A step
    /// whose work was done before is skipped, so that the list may hold the steps of several versions.
    ///
    /// - Parameters:
    ///   - steps: The steps.
    ///   - rebuildsRest: Whether models with a difference that no step covers start empty, as by ``rebuild``, instead
    ///     of being refused; `false` by default.
    /// - Returns: The policy.
    public static func migrate(_ steps: [ModelMigration], rebuildsRest: Bool = false) -> SchemaPolicy {
        SchemaPolicy(kind: .migrate(steps, rebuildsRest: rebuildsRest))
    }
}

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

    /// A model has another name; its records and queued changes follow.
    public static func renameModel(from old: String, to new: String) -> ModelMigration {
        ModelMigration(kind: .renameModel(from: old, to: new))
    }

    /// A field has another name; its values and the queued changes that mention it follow.
    ///
    /// - Parameters:
    ///   - model: The model, by its new name if an earlier step renames it.
    ///   - old: The stored name.
    ///   - new: The name that the model declares.
    /// - Returns: A step for ``SchemaPolicy/migrate(_:rebuildsRest:)``.
    public static func renameField(model: String, from old: String, to new: String) -> ModelMigration {
        ModelMigration(kind: .renameField(model: model, from: old, to: new))
    }

    /// A model is no longer wanted; its records and queued changes are given up.
    public static func removeModel(_ model: String) -> ModelMigration {
        ModelMigration(kind: .removeModel(model))
    }

    /// A field is no longer wanted; its values are given up.
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

/// A record on its way from the stored form of its model to the declared one.
public struct StoredRecord: Sendable {
    private let source: EntitySchema
    private let target: EntitySchema
    private let row: [Value]
    /// The cells of the new record, in the order of its fields.
    private(set) var cells: [Value]
    /// A field that was written and does not exist.
    private(set) var unknownField: String?

    init(_ row: [Value], from source: EntitySchema, to target: EntitySchema, cells: [Value]) {
        self.row = row
        self.source = source
        self.target = target
        self.cells = cells
    }

    /// The value of a field as it is stored, by its stored name; null if the stored model has no such field.
    public func stored(_ field: String) -> Value { source.position(of: field).map { row[$0] } ?? .null }

    /// The value of a field of the new record, by its present name.
    ///
    /// Reading a field that the model does not have gives null; writing one is an error when the step ends.
    public subscript(_ field: String) -> Value {
        get { target.position(of: field).map { cells[$0] } ?? .null }
        set {
            if let position = target.position(of: field) {
                cells[position] = newValue
            } else {
                unknownField = field
            }
        }
    }

    mutating func fill(_ position: Int, _ value: Value) {
        if cells[position].isNull { cells[position] = value }
    }
}
