import HoldfastStorage

/// A commit drafted from what is stored: a pure function of its inputs.
///
/// Every record and outbox entry is written under the condition that it is still as it was read.
struct WriteDraft: Sendable {
    /// The commit, without operations if there is nothing to do.
    private(set) var request = CommitRequest()
    /// What becomes of the record of each row of ``rows``.
    private(set) var kinds: [ChangeKind] = []
    /// The changed records; for deletions as they were.
    private(set) var rows: RowBuffer

    private let entity: EntitySchema
    private let pending: PendingEntries
    private let position: Int64?
    private var newEntries = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
    private var foldedEntries = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
    private var obsoleteEntries: [RecordKey] = []

    /// Drafts a save.
    ///
    /// - Parameters:
    ///   - rows: The records to be, one per key.
    ///   - keys: Their keys.
    ///   - entity: Their entity.
    ///   - existing: The stored record of each key, version 0 where there is none.
    ///   - pending: Their pending outbox entries, as far as they were looked for.
    ///   - position: The first place in the outbox; `nil` if mutations are not recorded.
    init(
        saving rows: RowBuffer, keys: [RecordKey], of entity: EntitySchema, existing: RowBuffer,
        pending: PendingEntries, at position: Int64?
    ) {
        self.init(rows: rows, entity: entity, pending: pending, position: position)
        let isAllNew = existing.versions.allSatisfy { $0 == 0 }
        var inserts = RowBuffer(columnCount: rows.columnCount)
        var updates = RowBuffer(columnCount: rows.columnCount)
        kinds.reserveCapacity(rows.rowCount)
        newEntries = RowBuffer(columnCount: newEntries.columnCount, rowCapacity: isAllNew ? rows.rowCount : 0)
        for row in 0..<rows.rowCount {
            let version = existing.versions[row]
            if version == 0 {
                kinds.append(.created)
                if !isAllNew { inserts.append(rows[row]) }
                record(.create, keys[row], row)
            } else {
                kinds.append(.updated)
                updates.append(rows[row])
                request.preconditions.append(.version(entity: entity.name, key: keys[row], version))
                let changed = entity.fields.indices.filter { rows[row, $0] != existing[row, $0] }
                if !changed.isEmpty {
                    record(.update, keys[row], row, changedFields: changed.map { entity.fields[$0].name })
                }
            }
        }
        put(isAllNew ? rows : inserts, .insert)
        put(updates, .update)
        finish()
    }

    /// Drafts a deletion of the records that match; the other parameters are as for a save.
    init(
        deleting keys: [RecordKey], of entity: EntitySchema, where predicate: BoundPredicate = .constant(true),
        existing: RowBuffer, pending: PendingEntries, at position: Int64?
    ) {
        self.init(
            rows: RowBuffer(columnCount: entity.fields.count), entity: entity, pending: pending, position: position)
        var doomed: [RecordKey] = []
        for row in 0..<existing.rowCount
        where existing.versions[row] != 0 && existing.withRow(row, predicate.matches) {
            kinds.append(.deleted)
            rows.append(existing[row])
            doomed.append(keys[row])
            request.preconditions.append(.version(entity: entity.name, key: keys[row], existing.versions[row]))
            record(.delete, keys[row], row)
        }
        if !doomed.isEmpty { request.operations.append(.delete(entity: entity.name, keys: doomed)) }
        finish()
    }

    private init(rows: RowBuffer, entity: EntitySchema, pending: PendingEntries, position: Int64?) {
        self.rows = rows
        self.entity = entity
        self.pending = pending
        self.position = position
    }

    private mutating func put(_ rows: RowBuffer, _ mode: WriteOperation.PutMode) {
        if !rows.isEmpty { request.operations.append(.put(entity: entity.name, rows: rows, mode: mode)) }
    }

    private mutating func record(
        _ operation: OutboxEntry.Operation, _ key: RecordKey, _ row: Int, changedFields: [String] = []
    ) {
        guard let position else { return }
        let entry = OutboxEntry(
            model: entity.name, key: key.outboxText, position: position + Int64(row), operation: operation,
            changedFields: changedFields)
        guard let (old, version) = pending[entry.key] else {
            entry.append(to: &newEntries)
            return
        }
        let storedKey = OutboxEntry.pendingKey(old.model, old.key)
        request.preconditions.append(.version(entity: OutboxEntry.entity.name, key: storedKey, version))
        if let folded = old.folding(entry, allFields: entity.fields.map(\.name)) {
            folded.append(to: &foldedEntries)
        } else {
            obsoleteEntries.append(storedKey)
        }
    }

    private mutating func finish() {
        let outbox = OutboxEntry.entity.name
        if !newEntries.isEmpty {
            request.operations.append(.put(entity: outbox, rows: newEntries, mode: .insert))
        }
        if !foldedEntries.isEmpty {
            request.operations.append(.put(entity: outbox, rows: foldedEntries, mode: .update))
        }
        if !obsoleteEntries.isEmpty {
            request.operations.append(.delete(entity: outbox, keys: obsoleteEntries))
        }
    }
}
