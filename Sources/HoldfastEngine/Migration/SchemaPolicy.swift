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
        case rebuild(keepsOutbox: Bool)
        case migrate([ModelMigration], rebuildsRest: Bool)
    }

    let kind: Kind

    /// Opening fails with `.schemaMismatch` and the list of differences, and the store stays as it is; the default.
    public static let refuse = SchemaPolicy(kind: .refuse)

    /// Models that differ start empty, with nothing of them left in the outbox; all others keep everything.
    ///
    /// Receipts of changes of these models say ``Receipt/State/cleared``.
    ///
    /// The outbox itself cannot be given up: a store that records mutations is not opened without them.
    ///
    /// For stores whose records come from a service. Records that refer to one of an emptied model stay as they are.
    public static let rebuild = SchemaPolicy(kind: .rebuild(keepsOutbox: true))

    /// As ``rebuild``, for a store that was emptied: its outbox may go, too.
    static let rebuildEmptied = SchemaPolicy(kind: .rebuild(keepsOutbox: false))

    /// Records are brought to their new form by steps; a difference that no step covers is refused as by ``refuse``.
    ///
    /// Required fields that become optional need no step. Renamings and removals are done first, in the order given;
    /// then defaults and transforms, in the order given, which name models and fields as they are called now. A renaming
    /// or removal that was done before is skipped, so that the list may hold those of several versions. Defaults and
    /// transforms run whenever their model differs in more than indexes; one that must not run twice has to look at what
    /// is stored, or leave the list.
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
