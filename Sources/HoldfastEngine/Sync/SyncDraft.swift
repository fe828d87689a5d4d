import HoldfastStorage

/// A commit of what a service said: the differences between records as they were read and their new states.
///
/// Pure. The commit replaces or deletes a record only if it is still as it was read.
struct SyncDraft {
    private var preconditions: [Precondition] = []
    private var operations: [WriteOperation] = []
    /// The changes to publish, in order.
    var changes: [ChangeSet] = []
    private var metadata = SystemRows(RecordMetadata.entity)
    private var entries = SystemRows(OutboxEntry.entity)
    private var shelf = SystemRows(ShelfItem.entity)
    private var letters = SystemRows(DeadLetter.entity)
    private var states = SystemRows(ModelState.entity)

    /// The sequence of the snapshot that the records come from, if no other commit may have changed the entity since.
    ///
    /// That is one condition for all records. `nil` for a condition for each, which fewer other writers break.
    var sequence: UInt64?
    /// Whether nothing was looked for, so that the commit must find that there is nothing.
    var assumesNew = false
    /// As ``WriteDraft/unexamined``.
    var unexamined: [EntitySchema] = []

    /// Creates a draft under the condition that a fence still holds.
    init(under fence: Precondition) { preconditions = [fence] }

    /// Adds the records of one entity.
    mutating func add(_ changed: [SyncedRecordChange], of entity: EntitySchema) {
        // In place: a copy of a change retains all that it holds.
        changed.withUnsafeBufferPointer { add($0, of: entity) }
    }

    private mutating func add(_ changed: UnsafeBufferPointer<SyncedRecordChange>, of entity: EntitySchema) {
        // Positions are sorted and not the changes, which are large: to move one retains and releases all that it
        // holds.
        let positions = changed.indices.filter { changed[$0].isChanged }
        let order = positions.map { changed[$0].record.key }.ascendingOrder.map { positions[$0] }
        var deleted: [RecordKey] = []
        var replaced: [(key: RecordKey, version: UInt64)] = []
        var set = ChangeSet(
            sequence: 0, entity: entity, kinds: [], rows: RowBuffer(columnCount: entity.fields.count), origin: .remote,
            serviceVersions: [])
        var removed = set
        set.reserve(order.count)
        metadata.reserve(order.count)
        for position in order {
            let key = changed[position].record.key
            let metadata = changed[position].record.metadata
            if changed[position].stored.metadata != metadata {
                if let metadata {
                    self.metadata.add(metadata.append)
                } else {
                    self.metadata.replace(nil, at: RecordMetadata.storedKey(entity.name, key.outboxText))
                }
            }
            switch (changed[position].stored.row, changed[position].record.row) {
            case (nil, nil): break
            case (nil, let row?): set.append(.created, row, metadata)
            case (let old?, let row?):
                if old == row { break }
                replaced.append((key, changed[position].rowVersion))
                set.append(.updated, row, metadata)
            case (let old?, nil):
                deleted.append(key)
                replaced.append((key, changed[position].rowVersion))
                removed.append(.deleted, old, metadata)
            }
            if !changed[position].record.isUsual || !changed[position].stored.isUsual {
                addRest(of: changed[position])
            }
        }
        if let sequence {
            if !replaced.isEmpty { requireUnchanged(entity, since: sequence) }
        } else {
            for (key, version) in replaced { require(entity, key, version) }
        }
        for kind in [ChangeKind.created, .updated] {
            let rows = set.rows(that: kind)
            if rows.isEmpty { continue }
            operations.append(.put(entity: entity.name, rows: rows, mode: kind == .created ? .insert : .update))
        }
        if !deleted.isEmpty { operations.append(.delete(entity: entity.name, keys: deleted)) }
        for set in [set, removed] where !set.kinds.isEmpty { changes.append(set) }
    }

    /// Adds records that are not written, and are shown, hidden, or hold another parent from now on.
    ///
    /// The commit fails if another one changed any of them since, so that observers do not end with an earlier state.
    mutating func addVisibilityChanges(_ rows: RowBuffer, of entity: EntitySchema, as kind: ChangeKind) {
        if rows.isEmpty { return }
        for row in 0..<rows.rowCount { require(entity, entity.key(of: rows[row]), rows.versions[row]) }
        changes.append(
            ChangeSet(
                sequence: 0, entity: entity, kinds: Array(repeating: kind, count: rows.rowCount), rows: rows,
                origin: .remote, areHidden: kind == .deleted))
    }

    /// Keeps some changes of a set from observers of single records.
    mutating func keepFromObservers(_ rows: [Int], at index: Int) {
        if rows.isEmpty { return }
        var kept = changes[index]
        if rows.count < kept.kinds.count {
            let others = Set(kept.kinds.indices).subtracting(rows).sorted()
            changes[index] = kept.changes(of: others)
            kept = kept.changes(of: rows)
            kept.isForLiveQueriesOnly = true
            changes.append(kept)
        } else {
            changes[index].isForLiveQueriesOnly = true
        }
    }

    /// Makes the commit fail if another one wrote or deleted a record of an entity after a sequence.
    mutating func requireUnchanged(_ entity: EntitySchema, since sequence: UInt64) {
        preconditions.append(.unchanged(KeyRange(entity.name), since: sequence))
    }

    /// Makes the commit fail if another one wrote or deleted a record since it was read.
    mutating func requireUnchanged(_ change: SyncedRecordChange) {
        if change.rowVersion != 0 { require(change.record.entity, change.record.key, change.rowVersion) }
    }

    /// Adds the state of a model.
    mutating func add(_ state: ModelState) { states.put(state.row) }

    /// Adds what the current models cannot hold.
    mutating func add(_ item: ShelfItem) { shelf.put(item.row) }

    /// Removes what the service said of a record without a usable key.
    mutating func removeItem(of model: String, _ key: String) {
        shelf.replace(nil, at: RecordMetadata.storedKey(model, key))
    }

    /// Adds an entry that replaces one as it was read.
    mutating func replace(_ entry: OutboxEntry, version: UInt64) {
        require(OutboxEntry.entity, entry.storedKey, version)
        entries.put(entry.row)
    }

    /// The commit.
    func draft() -> WriteDraft {
        var draft = WriteDraft(pending: PendingEntries(), at: nil)
        draft.require(preconditions)
        draft.unexamined = unexamined
        let system =
            metadata.operations(assumesNew ? .insert : .upsert)
            + [entries, shelf, letters, states].flatMap { $0.operations() }
        draft.add(operations + system, publishing: changes)
        return draft
    }

    /// Adds what is kept of a record besides its metadata.
    private mutating func addRest(of change: SyncedRecordChange) {
        let (stored, record) = (change.stored, change.record)
        if stored.shelf != record.shelf {
            shelf.replace(record.shelf?.row, at: RecordMetadata.storedKey(record.entity.name, record.keyText))
        }
        for letter in record.letters where !stored.letters.contains(letter) { letters.put(letter.row) }
        if stored.entries == record.entries { return }
        var kept: Set<RecordKey> = []
        for (index, entry) in record.entries.enumerated() {
            var entry = entry
            entry.isNewest = index == record.entries.count - 1
            kept.insert(entry.storedKey)
            if stored.entries.contains(entry) { continue }
            if let version = change.entryVersions[entry.storedKey] {
                replace(entry, version: version)
            } else {
                entries.put(entry.row)
            }
        }
        for (key, version) in change.entryVersions where !kept.contains(key) {
            require(OutboxEntry.entity, key, version)
            entries.replace(nil, at: key)
        }
    }

    private mutating func require(_ entity: EntitySchema, _ key: RecordKey, _ version: UInt64) {
        preconditions.append(.version(entity: entity.name, key: key, version))
    }
}

/// Rows of a system entity to be put and deleted.
private struct SystemRows {
    private let entity: EntitySchema
    private var rows: RowBuffer
    private var deleted: [RecordKey] = []

    init(_ entity: EntitySchema) {
        self.entity = entity
        rows = RowBuffer(columnCount: entity.fields.count)
    }

    mutating func put(_ row: [Value]) { rows.append(row) }

    /// Adds the row that a closure appends.
    mutating func add(_ append: (inout RowBuffer) -> Void) { append(&rows) }

    /// Makes room for rows.
    mutating func reserve(_ rowCount: Int) {
        if rows.isEmpty { rows = RowBuffer(columnCount: entity.fields.count, rowCapacity: rowCount) }
    }

    mutating func replace(_ row: [Value]?, at key: RecordKey) {
        if let row { put(row) } else { deleted.append(key) }
    }

    func operations(_ mode: WriteOperation.PutMode = .upsert) -> [WriteOperation] {
        (deleted.isEmpty ? [] : [.delete(entity: entity.name, keys: deleted)])
            + (rows.isEmpty ? [] : [.put(entity: entity.name, rows: rows, mode: mode)])
    }
}

extension ChangeSet {
    /// Makes room for records.
    fileprivate mutating func reserve(_ count: Int) {
        rows = RowBuffer(columnCount: rows.columnCount, rowCapacity: count)
        kinds.reserveCapacity(count)
        serviceVersions?.reserveCapacity(count)
    }

    /// The rows of one kind; without a copy if all rows are of that kind.
    fileprivate func rows(that kind: ChangeKind) -> RowBuffer {
        if kinds.allSatisfy({ $0 == kind }) { return rows }
        var some = RowBuffer(columnCount: rows.columnCount)
        for row in kinds.indices where kinds[row] == kind { some.append(rows[row]) }
        return some
    }

    fileprivate mutating func append(_ kind: ChangeKind, _ row: [Value], _ metadata: RecordMetadata?) {
        kinds.append(kind)
        rows.append(row)
        // In place: a new array for each record would cost the square of their number.
        serviceVersions?.append(metadata?.knownVersion)
    }
}
