import HoldfastStorage

/// A commit drafted from what is stored: a pure function of what is put into it.
///
/// Every record and outbox entry is written under the condition that it is still as it was read.
struct WriteDraft: Sendable {
    /// The commit, without operations if there is nothing to do.
    private(set) var request = CommitRequest()
    /// The changes to publish, in order.
    private(set) var changes: [ChangeSet] = []
    /// The entities whose records were not looked at, since none was observed when the draft was made.
    ///
    /// Observers that began since then learn that any of these records may have changed.
    var unexamined: [EntitySchema] = []

    private let pending: PendingEntries
    private let identity: String?
    private let localModels: Set<String>
    private let shape: @Sendable (EntitySchema) -> RecordShape
    private var position: Int64?
    private var newEntries = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
    private var foldedEntries = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
    private var obsoleteEntries: [RecordKey] = []
    /// Deletions that went with another one, and are sent on their own from now on.
    private var releasedEntries: [(entry: OutboxEntry, version: UInt64)] = []

    /// Begins a draft.
    ///
    /// - Parameters:
    ///   - pending: The pending outbox entries of the records, as far as they were looked for.
    ///   - position: The first position in the outbox; `nil` if mutations are not recorded.
    ///   - identity: Who makes the changes; `nil` if no one is signed in.
    ///   - localModels: Models of which only records with an entry get another one.
    ///   - shape: What all records of an entity have in common.
    init(
        pending: PendingEntries, at position: Int64?, identity: String? = nil, localModels: Set<String> = [],
        shape: @escaping @Sendable (EntitySchema) -> RecordShape = { RecordShape($0) }
    ) {
        self.pending = pending
        self.identity = identity
        self.localModels = localModels
        self.shape = shape
        self.position = position
    }

    /// Adds a condition.
    mutating func require(_ preconditions: [Precondition]) { request.preconditions += preconditions }

    /// Adds records to be saved.
    ///
    /// - Parameters:
    ///   - rows: The records, one per key.
    ///   - keys: Their keys.
    ///   - entity: Their entity.
    ///   - existing: The stored record of each key, version 0 where there is none.
    ///   - conditions: What the service's records must satisfy, by key.
    mutating func save(
        _ rows: RowBuffer, keys: [RecordKey], of entity: EntitySchema, over existing: RowBuffer,
        where conditions: [RecordKey: String] = [:]
    ) {
        if rows.isEmpty { return }
        let isAllNew = existing.versions.allSatisfy { $0 == 0 }
        var inserts = RowBuffer(columnCount: rows.columnCount)
        var updates = RowBuffer(columnCount: rows.columnCount)
        let shape = shape(entity)
        let rows = keepingReadOnlyColumns(of: rows, keys: keys, over: existing, shape)
        var kinds: [ChangeKind] = []
        kinds.reserveCapacity(rows.rowCount)
        for row in 0..<rows.rowCount {
            let version = existing.versions[row]
            if version == 0 {
                kinds.append(.created)
                if !isAllNew { inserts.append(rows[row]) }
                record(.create, keys[row], of: entity, over: nil, where: conditions[keys[row]])
            } else {
                kinds.append(.updated)
                updates.append(rows[row])
                request.preconditions.append(.version(entity: entity.name, key: keys[row], version))
                let changed = entity.fields.indices.filter { rows[row, $0] != existing[row, $0] }
                    .joined(with: shape.jointColumns)
                if !changed.isEmpty {
                    record(
                        .update, keys[row], of: entity, over: existing[row], changed, where: conditions[keys[row]])
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
    ///   - isKeyOnly: Whether the records have only their keys' cells.
    ///   - conditions: What the service's records must satisfy, by key.
    ///   - cascades: The records with whose deletions these go, by key.
    mutating func delete(
        _ existing: RowBuffer, of entity: EntitySchema, isKeyOnly: Bool = false,
        where conditions: [RecordKey: String] = [:], with cascades: [RecordKey: SendOrder.Record] = [:]
    ) {
        if existing.isEmpty { return }
        var keys: [RecordKey] = []
        for row in 0..<existing.rowCount {
            let key = entity.key(of: existing[row])
            keys.append(key)
            request.preconditions.append(.version(entity: entity.name, key: key, existing.versions[row]))
            let cascade = cascades[key].flatMap { sendsDeletion(of: $0) ? $0 : nil }
            record(.delete, key, of: entity, over: existing[row], where: conditions[key], with: cascade)
        }
        request.operations.append(.delete(entity: entity.name, keys: keys))
        changes.append(
            ChangeSet(
                sequence: 0, entity: entity, kinds: Array(repeating: .deleted, count: keys.count), rows: existing,
                knowledge: isKeyOnly ? .keysOnly : .certain))
    }

    /// Adds operations with the changes that they make.
    mutating func add(_ operations: [WriteOperation], publishing changes: [ChangeSet]) {
        request.operations += operations
        self.changes += changes
    }

    /// Adds the deletion of everything in an entity.
    mutating func clear(_ entity: EntitySchema, isObserved: Bool) {
        request.operations.append(.clear(entity: entity.name))
        if isObserved { changes.append(.missed(entity, through: 0)) }
    }

    /// Adds the outbox's part and hands over the commit.
    consuming func finish() -> WriteDraft {
        addReleasedEntries()
        put(newEntries, .insert, OutboxEntry.entity.name)
        put(foldedEntries, .update, OutboxEntry.entity.name)
        if !obsoleteEntries.isEmpty {
            request.operations.append(.delete(entity: OutboxEntry.entity.name, keys: obsoleteEntries))
        }
        return self
    }

    /// The position in the outbox of the newest change of a record; `nil` if nothing of it awaits the service.
    ///
    /// A draft that changes nothing leaves the change that was there before.
    ///
    /// - Complexity: O(n) in the draft's changes.
    func position(of model: String, _ key: String) -> Int64? {
        var newest: Int64?
        for entries in [newEntries, foldedEntries] {
            for row in 0..<entries.rowCount {
                guard let entry = OutboxEntry(entries[row]), entry.model == model, entry.key == key else { continue }
                newest = max(newest ?? entry.position, entry.position)
            }
        }
        guard newest == nil, let (entry, _) = pending[model, key] else { return newest }
        return obsoleteEntries.contains(entry.storedKey) ? nil : entry.position
    }

    /// Adds rows whose change is not published; nothing if there are none.
    mutating func put(_ rows: RowBuffer, _ mode: WriteOperation.PutMode, _ entity: String) {
        if !rows.isEmpty { request.operations.append(.put(entity: entity, rows: rows, mode: mode)) }
    }

    /// Rows with what only the service sets as it is in the records that the service knows.
    ///
    /// A model that was made or read before the service set it holds `nil` or an older value. To save that is not a
    /// change of the field; as one, it would conflict with each change by others.
    private func keepingReadOnlyColumns(
        of rows: RowBuffer, keys: [RecordKey], over existing: RowBuffer, _ shape: RecordShape
    ) -> RowBuffer {
        let columns = shape.readOnlyColumns
        if columns.isEmpty { return rows }
        var kept: [Int: [Value]] = [:]
        for row in 0..<rows.rowCount {
            let stored = existing.versions[row] == 0 ? nil : existing[row]
            if stored != nil, columns.allSatisfy({ rows[row, $0] == existing[row, $0] }) { continue }
            guard let known = known(keys[row], of: shape.entity, as: stored) else { continue }
            var cells = Array(rows[row])
            for column in columns { cells[column] = known[column] }
            kept[row] = cells
        }
        return rows.replacing(kept)
    }

    /// A record that the service knows, or soon will, as it was stored last; `nil` if it does not know it.
    private func known(_ key: RecordKey, of entity: EntitySchema, as stored: ArraySlice<Value>?) -> [Value]? {
        if stored == nil && pending.isEmpty { return nil }
        let text = key.outboxText
        if let (entry, _) = pending[entity.name, text] {
            switch entry.operation {
            case .create: return nil
            case .update: return stored.map(Array.init)
            case .delete:
                // A record that is saved over its deletion continues as it was.
                guard let before = entry.before, before != FieldValues.noRecord else { return nil }
                return FieldValues.row(before, of: entity)
            }
        }
        if case .known = pending.serviceVersion(of: entity.name, text) { return stored.map(Array.init) }
        return nil
    }

    /// Queues a change for the service.
    ///
    /// - Parameters:
    ///   - operation: What the change does.
    ///   - key: The record's key.
    ///   - entity: The record's entity.
    ///   - stored: The record as stored; `nil` if there is none.
    ///   - changed: The positions of the fields that an update changes.
    ///   - condition: What the service's record must satisfy; `nil` for no condition.
    ///   - cascade: The record with whose deletion this one goes; `nil` for a change of its own.
    private mutating func record(
        _ operation: OutboxEntry.Operation, _ key: RecordKey, of entity: EntitySchema, over stored: ArraySlice<Value>?,
        _ changed: [Int] = [], where condition: String? = nil, with cascade: SendOrder.Record? = nil
    ) {
        guard let entryPosition = position else { return }
        if localModels.contains(entity.name), pending[entity.name, key.outboxText] == nil { return }
        position = entryPosition + 1
        var entry = OutboxEntry(
            model: entity.name, key: key.outboxText, position: entryPosition, operation: operation,
            changedFields: changed.map { entity.fields[$0].name }, condition: condition, identity: identity)
        entry.cascade = cascade
        if operation == .delete { entry.deletedAt = entryPosition }
        guard let (old, version) = pending[entry.model, entry.key] else {
            switch pending.serviceVersion(of: entry.model, entry.key) {
            case .unmentioned where operation == .delete: return
            case .unmentioned: (entry.operation, entry.changedFields) = (.create, [])
            case .known(let version): entry.baseVersion = version
            case .unknown: break
            }
            entry.note(stored, changed, of: entity)
            entry.append(to: &newEntries)
            return
        }
        request.preconditions.append(.version(entity: OutboxEntry.entity.name, key: old.storedKey, version))
        if operation == .delete, isUnsent(old) {
            // A condition makes no difference: it is about the service's record, and there is none. Sent, the creation
            // might lead to a record that was deleted unsent as well.
            for (older, version) in pending.earlier(than: old) {
                request.preconditions.append(
                    .version(entity: OutboxEntry.entity.name, key: older.storedKey, version))
                obsoleteEntries.append(older.storedKey)
            }
            obsoleteEntries.append(old.storedKey)
        } else if !old.canFold(entry) {
            if old.operation == .delete && operation == .create {
                // The service keeps a tombstone, over which nothing can be created.
                (entry.operation, entry.changedFields) = (.update, shape(entity).changeableFields)
                entry.before = FieldValues.noRecord
            } else {
                entry.note(stored, changed, of: entity)
            }
            var older = old
            older.isNewest = false
            older.append(to: &newEntries)
            entry.append(to: &foldedEntries)
        } else if let folded = old.folding(entry, over: stored, of: shape(entity)) {
            folded.append(to: &foldedEntries)
            if old.operation == .delete {
                releasedEntries += pending.cascaded(with: SendOrder.Record(model: old.model, key: old.key))
            }
        } else {
            obsoleteEntries.append(old.storedKey)
        }
    }

    /// Whether the deletion of a record, which is part of the draft, goes to the service.
    private func sendsDeletion(of record: SendOrder.Record) -> Bool {
        if let (entry, _) = pending[record.model, record.key] {
            // A creation that was not sent goes with the deletion.
            return !isUnsent(entry)
        }
        if localModels.contains(record.model) { return false }
        if case .unmentioned = pending.serviceVersion(of: record.model, record.key) { return false }
        return true
    }

    /// Whether nothing was sent of a record since its creation, and all may be of one user, so that its deletion leaves
    /// nothing to send.
    private func isUnsent(_ newest: OutboxEntry) -> Bool {
        let entries = pending.earlier(than: newest).map(\.entry) + [newest]
        return entries[0].operation == .create
            && entries.allSatisfy { $0.stage == .pending && $0.mayBe(of: identity) }
    }

    /// Adds the deletions that are sent on their own because the one they went with has folded away.
    private mutating func addReleasedEntries() {
        if releasedEntries.isEmpty { return }
        var written = Set(obsoleteEntries)
        for row in 0..<foldedEntries.rowCount { written.insert(OutboxEntry.entity.key(of: foldedEntries[row])) }
        for (entry, version) in releasedEntries where !written.contains(entry.storedKey) {
            request.preconditions.append(.version(entity: OutboxEntry.entity.name, key: entry.storedKey, version))
            var released = entry
            released.cascade = nil
            released.append(to: &foldedEntries)
        }
    }
}

extension OutboxEntry {
    /// Records what the change replaces.
    fileprivate mutating func note(_ stored: ArraySlice<Value>?, _ changed: [Int], of entity: EntitySchema) {
        guard let stored else { return }
        switch operation {
        case .create: break
        case .update: before = FieldValues.text(stored, changed, of: entity)
        case .delete: before = FieldValues.text(stored, of: entity)
        }
    }

    /// This pending entry with a later change folded in, and with what both replaced; `nil` if nothing is left to send.
    fileprivate func folding(
        _ later: OutboxEntry, over stored: ArraySlice<Value>?, of shape: RecordShape
    ) -> OutboxEntry? {
        let entity = shape.entity
        guard var folded = folding(later, allFields: shape.changeableFields) else { return nil }
        guard operation == .update, let before, let stored else { return folded }
        if before == FieldValues.noRecord { return folded }
        let known = changedFields.compactMap(entity.position(of:))
        var row = Array(stored)
        for (position, value) in zip(known, FieldValues.values(before, known, of: entity)) { row[position] = value }
        folded.before =
            later.operation == .delete
            ? FieldValues.text(row, of: entity)
            : FieldValues.text(row, folded.changedFields.compactMap(entity.position(of:)), of: entity)
        return folded
    }
}
