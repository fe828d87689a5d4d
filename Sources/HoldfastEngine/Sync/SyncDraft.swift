import HoldfastStorage

/// A commit of what a service said: the differences between records as they were read and as they shall be.
///
/// Pure. The commit replaces or deletes a record only if it is still as it was read.
struct SyncDraft {
    private var preconditions: [Precondition] = []
    private var operations: [WriteOperation] = []
    private var changes: [ChangeSet] = []
    private var metadata = SystemRows(RecordMetadata.entity)
    private var entries = SystemRows(OutboxEntry.entity)
    private var shelf = SystemRows(ShelfItem.entity)
    private var letters = SystemRows(DeadLetter.entity)
    private var states = SystemRows(ModelState.entity)

    /// Creates a draft under the condition that a fence still holds.
    init(under fence: Precondition) { preconditions = [fence] }

    /// Adds the records of one entity.
    mutating func add(_ changed: [SyncedRecordChange], of entity: EntitySchema) {
        // Positions are sorted and not the changes, which are large: to move one retains and releases all that it holds.
        let order = changed.indices.filter { changed[$0].record != changed[$0].stored }
            .sorted { changed[$0].record.key < changed[$1].record.key }
        var inserts = RowBuffer(columnCount: entity.fields.count)
        var updates = RowBuffer(columnCount: entity.fields.count)
        var deleted: [RecordKey] = []
        var set = ChangeSet(
            sequence: 0, entity: entity, kinds: [], rows: RowBuffer(columnCount: entity.fields.count), origin: .remote,
            serviceVersions: [])
        var removed = set
        for position in order {
            let change = changed[position]
            let (stored, record) = (change.stored, change.record)
            switch (stored.row, record.row) {
            case (nil, nil): break
            case (nil, let row?):
                inserts.append(row)
                set.append(.created, row, record)
            case (let old?, let row?):
                if old == row { break }
                updates.append(row)
                require(entity, record.key, change.rowVersion)
                set.append(.updated, row, record)
            case (let old?, nil):
                deleted.append(record.key)
                require(entity, record.key, change.rowVersion)
                removed.append(.deleted, old, record)
            }
            addSystemRows(change)
        }
        if !inserts.isEmpty { operations.append(.put(entity: entity.name, rows: inserts, mode: .insert)) }
        if !updates.isEmpty { operations.append(.put(entity: entity.name, rows: updates, mode: .update)) }
        if !deleted.isEmpty { operations.append(.delete(entity: entity.name, keys: deleted)) }
        for set in [set, removed] where !set.kinds.isEmpty { changes.append(set) }
    }

    /// Adds records that stay as they are, and are shown only from now on.
    mutating func show(_ rows: RowBuffer, of entity: EntitySchema, as kind: ChangeKind) {
        if rows.isEmpty { return }
        changes.append(
            ChangeSet(
                sequence: 0, entity: entity, kinds: Array(repeating: kind, count: rows.rowCount), rows: rows,
                origin: .remote))
    }

    /// Adds the state of a model.
    mutating func add(_ state: ModelState) { states.put(state.row) }

    /// Adds what the models at hand cannot hold.
    mutating func add(_ item: ShelfItem) { shelf.put(item.row) }

    /// Adds an entry that replaces one as it was read.
    mutating func replace(_ entry: OutboxEntry, version: UInt64) {
        require(OutboxEntry.entity, entry.storedKey, version)
        var rows = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
        entry.append(to: &rows)
        entries.put(Array(rows[0]))
    }

    /// The commit.
    func draft() -> WriteDraft {
        var draft = WriteDraft(pending: PendingEntries(), at: nil)
        draft.require(preconditions)
        let system = [metadata, entries, shelf, letters, states].flatMap(\.operations)
        draft.add(operations + system, publishing: changes)
        return draft
    }

    private mutating func addSystemRows(_ change: SyncedRecordChange) {
        let (stored, record) = (change.stored, change.record)
        if stored.metadata != record.metadata {
            metadata.replace(
                record.metadata?.row, at: RecordMetadata.storedKey(record.entity.name, record.keyText))
        }
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
                var rows = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
                entry.append(to: &rows)
                entries.put(Array(rows[0]))
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

    mutating func replace(_ row: [Value]?, at key: RecordKey) {
        if let row { put(row) } else { deleted.append(key) }
    }

    var operations: [WriteOperation] {
        (deleted.isEmpty ? [] : [.delete(entity: entity.name, keys: deleted)])
            + (rows.isEmpty ? [] : [.put(entity: entity.name, rows: rows, mode: .upsert)])
    }
}

extension ChangeSet {
    fileprivate mutating func append(_ kind: ChangeKind, _ row: [Value], _ record: SyncedRecord) {
        kinds.append(kind)
        rows.append(row)
        // In place: a new array for each record would cost the square of their number.
        serviceVersions?.append(record.metadata?.version)
    }
}
