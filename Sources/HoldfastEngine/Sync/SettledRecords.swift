import HoldfastStorage

/// The records that a commit of answers changes: each is read once, from one snapshot.
struct SettledRecords {
    let snapshot: StoreSnapshot
    private let reader: SyncedRecordReader
    /// By model, in the order in which they were read.
    private var models: [(entity: EntitySchema, changes: [SyncedRecordChange])] = []
    /// Where each record is among those of its model.
    private var indexes: [String: [RecordKey: Int]] = [:]

    init(_ snapshot: StoreSnapshot, _ catalog: ModelCatalog) {
        self.snapshot = snapshot
        reader = SyncedRecordReader(snapshot: snapshot, catalog: catalog)
    }

    /// How many records were read.
    var count: Int { models.reduce(0) { $0 + $1.changes.count } }

    /// Changes records, in the order of their keys.
    ///
    /// - Parameters:
    ///   - keys: The keys, each once.
    ///   - entity: Their entity.
    ///   - body: Changes one of them; calls before this one may have changed it.
    /// - Throws: ``StorageError`` if the records cannot be read.
    mutating func change(
        _ keys: some Sequence<RecordKey>, of entity: EntitySchema, _ body: (inout SyncedRecordChange) -> Void
    ) async throws {
        let keys = keys.sorted()
        let model = models.firstIndex { $0.entity.name == entity.name } ?? models.endIndex
        if model == models.endIndex { models.append((entity, [])) }
        let unread = keys.filter { indexes[entity.name]?[$0] == nil }
        for change in try await reader.records(unread, of: entity) {
            indexes[entity.name, default: [:]][change.record.key] = models[model].changes.count
            models[model].changes.append(change)
        }
        for key in keys {
            if let index = indexes[entity.name]?[key] { body(&models[model].changes[index]) }
        }
    }

    /// Adds everything to a commit, and to the report of it.
    func add(to draft: inout SyncDraft, _ report: inout ApplyReport) {
        for (entity, changes) in models {
            report.note(changes, in: changes.indices)
            draft.add(changes, of: entity)
        }
    }
}
