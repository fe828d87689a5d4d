import HoldfastStorage

/// A commit drafted from what is stored: a pure function of what is put into it.
///
/// Every record and outbox entry is written under the condition that it is still as it was read.
struct WriteDraft: Sendable {
    /// The commit, without operations if there is nothing to do.
    private(set) var request = CommitRequest()
    /// The changes to publish, in order.
    private(set) var changes: [ChangeSet] = []

    private let pending: PendingEntries
    private var position: Int64?
    private var newEntries = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
    private var foldedEntries = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
    private var obsoleteEntries: [RecordKey] = []

    /// Begins a draft.
    ///
    /// - Parameters:
    ///   - pending: The pending outbox entries of the records, as far as they were looked for.
    ///   - position: The first place in the outbox; `nil` if mutations are not recorded.
    init(pending: PendingEntries, at position: Int64?) {
        self.pending = pending
        self.position = position
    }

    /// Adds a condition.
    mutating func require(_ preconditions: [Precondition]) { request.preconditions += preconditions }

    /// Adds records to be.
    ///
    /// - Parameters:
    ///   - rows: The records, one per key.
    ///   - keys: Their keys.
    ///   - entity: Their entity.
    ///   - existing: The stored record of each key, version 0 where there is none.
    mutating func save(_ rows: RowBuffer, keys: [RecordKey], of entity: EntitySchema, over existing: RowBuffer) {
        if rows.isEmpty { return }
        let isAllNew = existing.versions.allSatisfy { $0 == 0 }
        var inserts = RowBuffer(columnCount: rows.columnCount)
        var updates = RowBuffer(columnCount: rows.columnCount)
        var kinds: [ChangeKind] = []
        kinds.reserveCapacity(rows.rowCount)
        for row in 0..<rows.rowCount {
            let version = existing.versions[row]
            if version == 0 {
                kinds.append(.created)
                if !isAllNew { inserts.append(rows[row]) }
                record(.create, keys[row], of: entity)
            } else {
                kinds.append(.updated)
                updates.append(rows[row])
                request.preconditions.append(.version(entity: entity.name, key: keys[row], version))
                let changed = entity.fields.indices.filter { rows[row, $0] != existing[row, $0] }
                if !changed.isEmpty {
                    record(.update, keys[row], of: entity, changedFields: changed.map { entity.fields[$0].name })
                }
            }
        }
        put(isAllNew ? rows : inserts, .insert, entity.name)
        put(updates, .update, entity.name)
        changes.append(ChangeSet(sequence: 0, entity: entity, kinds: kinds, rows: rows))
    }

    /// Adds deletions of stored records.
    ///
    /// - Parameters:
    ///   - existing: The records as stored, each with its version.
    ///   - entity: Their entity.
    ///   - isKeyOnly: Whether the records have nothing but their keys' cells.
    mutating func delete(_ existing: RowBuffer, of entity: EntitySchema, isKeyOnly: Bool = false) {
        if existing.isEmpty { return }
        var keys: [RecordKey] = []
        for row in 0..<existing.rowCount {
            let key = entity.key(of: existing[row])
            keys.append(key)
            request.preconditions.append(.version(entity: entity.name, key: key, existing.versions[row]))
            record(.delete, key, of: entity)
        }
        request.operations.append(.delete(entity: entity.name, keys: keys))
        changes.append(
            ChangeSet(
                sequence: 0, entity: entity, kinds: Array(repeating: .deleted, count: keys.count), rows: existing,
                knowledge: isKeyOnly ? .keysOnly : .certain))
    }

    /// Adds the outbox's part and hands over the commit.
    consuming func finish() -> WriteDraft {
        put(newEntries, .insert, OutboxEntry.entity.name)
        put(foldedEntries, .update, OutboxEntry.entity.name)
        if !obsoleteEntries.isEmpty {
            request.operations.append(.delete(entity: OutboxEntry.entity.name, keys: obsoleteEntries))
        }
        return self
    }

    /// Adds rows whose change is not published; nothing if there are none.
    mutating func put(_ rows: RowBuffer, _ mode: WriteOperation.PutMode, _ entity: String) {
        if !rows.isEmpty { request.operations.append(.put(entity: entity, rows: rows, mode: mode)) }
    }

    private mutating func record(
        _ operation: OutboxEntry.Operation, _ key: RecordKey, of entity: EntitySchema, changedFields: [String] = []
    ) {
        guard let place = position else { return }
        position = place + 1
        let entry = OutboxEntry(
            model: entity.name, key: key.outboxText, position: place, operation: operation,
            changedFields: changedFields)
        guard let (old, version) = pending[entry.model, entry.key] else {
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
}
