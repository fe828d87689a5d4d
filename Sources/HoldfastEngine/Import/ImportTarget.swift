import HoldfastStorage

/// The side of an import that writes: every method is one commit that leaves alone what is there.
struct ImportTarget: Sendable {
    /// What became of a batch, by the records' indexes in it.
    struct Outcome: Sendable {
        var imported: [Int] = []
        var present: [Int] = []
        /// Records that lead to one that does not exist, and by which relation.
        var orphans: [(row: Int, field: String)] = []
        /// Whether the target has its own record where the service knows that of the source.
        var hasConflict = false
    }

    let store: Store
    let engine: StorageEngine
    let catalog: ModelCatalog

    var limits: Capabilities.Limits { store.capabilities.limits }
    var recordsMutations: Bool { engine.recordsMutations }

    /// The present in microseconds since 1970-01-01T00:00Z.
    func now() async throws -> Int64 { try await engine.reserve(1, after: []) ?? 0 }

    /// Creates the records of a batch that are not there, with their metadata and outbox entries.
    func commit(
        _ batch: ImportBatch, of entity: EntitySchema, unsent: UnsentMutations
    ) async throws -> Outcome {
        var outcome = Outcome()
        if batch.keys.isEmpty { return outcome }
        var existing = RowBuffer()
        _ = try await engine.commit { _ in
            outcome = Outcome()
            try await store.get(batch.keys, of: entity.name, into: &existing)
            let known = try await known(batch.keys.map { ($0, entity) })
            var absent: [Int] = []
            for row in batch.keys.indices {
                if existing.versions[row] == 0 && !known.isDeleted[row] {
                    absent.append(row)
                } else {
                    outcome.present.append(row)
                    if batch.records[row].metadata != nil && !known.hasMetadata[row] { outcome.hasConflict = true }
                }
            }
            let (complete, preconditions) = try await withParents(absent, batch, of: entity, &outcome)
            outcome.imported = complete
            return draft(complete, of: batch, entity, unsent, requiring: preconditions)
        }
        return outcome
    }

    private func draft(
        _ rows: [Int], of batch: ImportBatch, _ entity: EntitySchema, _ unsent: UnsentMutations,
        requiring preconditions: [Precondition]
    ) -> WriteDraft {
        let shape = catalog.shape(of: entity)
        var draft = WriteDraft(pending: PendingEntries(), at: nil)
        draft.require(preconditions)
        var records = RowBuffer(columnCount: entity.fields.count, rowCapacity: rows.count)
        var nothing = RowBuffer(columnCount: entity.fields.count, rowCapacity: rows.count)
        var metadata = RowBuffer(columnCount: RecordMetadata.entity.fields.count)
        var entries = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
        for row in rows {
            records.append(batch.rows[row])
            nothing.appendAbsentRow()
            guard engine.records(entity.name) else { continue }
            let (record, key) = (batch.records[row], batch.keys[row])
            if let found = record.metadata { metadata.append(RecordMetadata(found, key: key).row) }
            unsent[entity.name, record.identifier]?.entry(ofExisting: key.outboxText, shape).append(to: &entries)
        }
        draft.save(records, keys: rows.map { batch.keys[$0] }, of: entity, over: nothing)
        draft.put(metadata, .upsert, RecordMetadata.entity.name)
        draft.put(entries, .insert, OutboxEntry.entity.name)
        return draft
    }

    /// The rows whose parents exist, or are among them, and what a commit of them has to demand.
    private func withParents(
        _ rows: [Int], _ batch: ImportBatch, of entity: EntitySchema, _ outcome: inout Outcome
    ) async throws -> (rows: [Int], preconditions: [Precondition]) {
        var rows = rows
        var preconditions: [Precondition] = []
        var found = RowBuffer()
        var toItself: [(foreignKey: ForeignKey, stored: Set<RecordKey>)] = []
        for foreignKey in catalog.owningKeys(of: entity) {
            let parent = foreignKey.parent.name
            let sought = Set(rows.compactMap { foreignKey.parentKey(batch.rows, $0) }).sorted()
            if sought.isEmpty { continue }
            try await store.get(sought, of: parent, into: &found)
            let stored = Set(sought.indices.filter { found.versions[$0] != 0 }.map { sought[$0] })
            preconditions += stored.sorted().map { .present(entity: parent, key: $0) }
            if parent == entity.name {
                toItself.append((foreignKey, stored))
            } else {
                rows = rows.filter { isLed($0, by: foreignKey, to: stored, batch, &outcome) }
            }
        }
        var count: Int
        repeat {
            count = rows.count
            for (foreignKey, stored) in toItself {
                let reachable = stored.union(rows.map { batch.keys[$0] })
                rows = rows.filter { isLed($0, by: foreignKey, to: reachable, batch, &outcome) }
            }
        } while rows.count < count
        return (rows, rows.isEmpty ? [] : preconditions)
    }

    private func isLed(
        _ row: Int, by foreignKey: ForeignKey, to parents: Set<RecordKey>, _ batch: ImportBatch,
        _ outcome: inout Outcome
    ) -> Bool {
        guard let key = foreignKey.parentKey(batch.rows, row), !parents.contains(key) else { return true }
        outcome.orphans.append((row, foreignKey.field))
        return false
    }

    /// What the target knows of records besides themselves.
    private func known(
        _ records: [(key: RecordKey, entity: EntitySchema)]
    ) async throws -> (isDeleted: [Bool], hasMetadata: [Bool], hasEntry: [Bool]) {
        let no = Array(repeating: false, count: records.count)
        guard recordsMutations else { return (no, no, no) }
        let names = records.map { (model: Value.text($0.entity.name), key: Value.text($0.key.outboxText)) }
        var rows = RowBuffer()
        try await store.get(names.map { RecordKey([$0, $1]) }, of: RecordMetadata.entity.name, into: &rows)
        let metadata = (0..<rows.rowCount).map { RecordMetadata(rows[$0]) }
        var (isDeleted, hasEntry) = (metadata.map { $0?.isDeleted ?? false }, no)
        let newest = records.map { OutboxEntry.newestKey($0.entity.name, $0.key.outboxText) }
        try await store.get(newest, of: OutboxEntry.entity.name, into: &rows)
        for row in 0..<rows.rowCount where rows.versions[row] != 0 {
            hasEntry[row] = true
            if OutboxEntry(rows[row])?.operation == .delete { isDeleted[row] = true }
        }
        return (isDeleted, metadata.map { $0 != nil }, hasEntry)
    }

    // MARK: - What has no record

    /// Queues deletions of records that are not there, unless the target has something queued of them.
    ///
    /// - Returns: How many were queued.
    func commit(deletions: [(entry: OutboxEntry, key: RecordKey)]) async throws -> Int {
        var count = 0
        _ = try await engine.commit { _ in
            let records = try records(deletions.map { ($0.entry.model, $0.key) })
            let known = try await known(records)
            let exists = try await exist(records)
            var draft = WriteDraft(pending: PendingEntries(), at: nil)
            var entries = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
            var met: Set<RecordKey> = []
            for (index, deletion) in deletions.enumerated()
            where !exists[index] && !known.isDeleted[index] && !known.hasEntry[index] {
                // Identifiers that differ may name one record.
                guard met.insert(OutboxEntry.newestKey(deletion.entry.model, deletion.entry.key)).inserted else {
                    continue
                }
                deletion.entry.append(to: &entries)
                draft.require([.absent(entity: deletion.entry.model, key: deletion.key)])
            }
            count = entries.rowCount
            draft.put(entries, .insert, OutboxEntry.entity.name)
            return draft
        }
        return count
    }

    /// Records what the service said of records that are not there, unless the target knows better.
    ///
    /// - Returns: The model of each one that was recorded.
    func commit(tombstones: [(metadata: RecordMetadata, key: RecordKey)]) async throws -> [String] {
        var models: [String] = []
        if tombstones.isEmpty { return models }
        _ = try await engine.commit { _ in
            models = []
            let records = try records(tombstones.map { ($0.metadata.model, $0.key) })
            let known = try await known(records)
            let exists = try await exist(records)
            var draft = WriteDraft(pending: PendingEntries(), at: nil)
            var rows = RowBuffer(columnCount: RecordMetadata.entity.fields.count)
            var met: Set<RecordKey> = []
            for (index, tombstone) in tombstones.enumerated() where !exists[index] && !known.hasMetadata[index] {
                let key = RecordMetadata.entity.key(of: tombstone.metadata.row)
                guard met.insert(key).inserted else { continue }
                rows.append(tombstone.metadata.row)
                draft.require([.absent(entity: tombstone.metadata.model, key: tombstone.key)])
                models.append(tombstone.metadata.model)
            }
            draft.put(rows, .insert, RecordMetadata.entity.name)
            return draft
        }
        return models
    }

    /// Takes over the states of models that have none.
    func commit(states: [ModelState]) async throws {
        if states.isEmpty { return }
        _ = try await engine.commit { _ in
            var rows = RowBuffer()
            try await store.get(states.map { RecordKey($0.model) }, of: ModelState.entity.name, into: &rows)
            var added = RowBuffer(columnCount: ModelState.entity.fields.count)
            for (index, state) in states.enumerated() where rows.versions[index] == 0 { added.append(state.row) }
            var draft = WriteDraft(pending: PendingEntries(), at: nil)
            draft.put(added, .insert, ModelState.entity.name)
            return draft
        }
    }

    private func records(
        _ names: [(model: String, key: RecordKey)]
    ) throws(StorageError) -> [(key: RecordKey, entity: EntitySchema)] {
        var records: [(RecordKey, EntitySchema)] = []
        for (model, key) in names { records.append((key, try store.schema.entity(named: model))) }
        return records
    }

    private func exist(_ records: [(key: RecordKey, entity: EntitySchema)]) async throws -> [Bool] {
        var exists = Array(repeating: false, count: records.count)
        var rows = RowBuffer()
        for (model, group) in Dictionary(grouping: records.indices, by: { records[$0].entity.name }) {
            try await store.get(group.map { records[$0].key }, of: model, into: &rows)
            for (row, index) in group.enumerated() { exists[index] = rows.versions[row] != 0 }
        }
        return exists
    }
}
