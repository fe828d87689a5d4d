import HoldfastModel
import HoldfastStorage

/// Reads and writes of records over one snapshot, committed as one change.
///
/// Reads see the transaction's own writes. Nothing reaches the store before ``draft()``'s commit.
final class RecordTransaction: Sendable {
    let engine: StorageEngine
    let snapshot: StoreSnapshot
    let state = Mutex(ReadWriteSet())

    init(engine: StorageEngine, snapshot: StoreSnapshot) {
        self.engine = engine
        self.snapshot = snapshot
    }

    // MARK: Reading

    /// The records of some keys as the transaction sees them, in their order; version 0 where there is none.
    func get(_ keys: [RecordKey], of entity: EntitySchema) async throws -> RowBuffer {
        let unknown = state.withLock { state in keys.filter { state.record(entity, $0) == nil } }
        var rows = RowBuffer()
        if !unknown.isEmpty { try await snapshot.get(unknown, of: entity.name, into: &rows) }
        return state.withLock { state in
            for (index, key) in unknown.enumerated() {
                let version = rows.versions[index]
                state.read(entity, key, row: version == 0 ? nil : Array(rows[index]), version: version)
            }
            var result = RowBuffer(columnCount: entity.fields.count, rowCapacity: keys.count)
            for key in keys {
                if let record = state.record(entity, key), let row = record.row {
                    result.append(row, version: max(record.version, 1))
                } else {
                    result.appendAbsentRow()
                }
            }
            return result
        }
    }

    /// The records of some keys that will be deleted, looked up with what is pending for them.
    func get(toDelete keys: [RecordKey], of entity: EntitySchema) async throws -> RowBuffer {
        let unknown = state.withLock { state in keys.filter { state.record(entity, $0) == nil } }
        if engine.recordsMutations, !unknown.isEmpty {
            let requests = PendingEntries.reads(entity, unknown, existing: unknown)
            let answers = try await snapshot.get([GetRequest(entity.name, keys: unknown)] + requests)
            state.withLock { state in
                state.read(answers[0], unknown, of: entity, pending: answers.dropFirst(), to: requests)
            }
        }
        return try await get(keys, of: entity)
    }

    /// The matching records as the transaction sees them, all fields, in the plan's order.
    func rows(_ plan: QueryPlan) async throws -> RowBuffer {
        let query = try schema.bind(plan, limits: limits)
        noteReading(query)
        return try await rows(noted: query, plan)
    }

    /// As ``rows(_:)``, after what the query reads was recorded.
    func rows(noted query: BoundQuery, _ plan: QueryPlan) async throws -> RowBuffer {
        guard hasWritten(query.entity) else { return try await snapshot.rows(plan) }
        var unpaged = plan
        (unpaged.offset, unpaged.limit) = (0, nil)
        let stored = try await snapshot.rows(unpaged)
        return state.withLock { $0.merge(stored, query) }
    }

    /// Records what a query reads.
    func noteReading(_ query: BoundQuery) {
        let prefixes = IndexPrefix.covering(query, limit: Self.maximumPrefixCount)
        state.withLock { state in
            guard let prefixes else { return state.read(query.keyRange) }
            for prefix in prefixes { state.read(prefix, of: query.entity) }
        }
    }

    /// Whether the transaction has written records of an entity.
    func hasWritten(_ entity: EntitySchema) -> Bool { state.withLock { $0.hasWritten(entity) } }

    /// The store's schema.
    var schema: StorageSchema { engine.store.schema }

    /// The adapter's limits.
    var limits: Capabilities.Limits { engine.store.capabilities.limits }

    // MARK: Writing

    /// Creates or replaces records.
    func save(
        _ rows: RowBuffer, of entity: EntitySchema, where condition: BoundCondition? = nil,
        atService serviceCondition: String? = nil
    ) async throws {
        let rows = try engine.store.canonical(rows, of: entity)
        let keys = (0..<rows.rowCount).map { entity.key(of: rows[$0]) }
        let existing = try await get(keys, of: entity)
        if let condition { try await check(condition, existing, of: entity) }
        state.withLock { state in
            for (index, key) in keys.enumerated() {
                state.write(entity, key, row: Array(rows[index]), where: serviceCondition)
            }
        }
    }

    /// Saves what differs between two states of a record over the stored one.
    ///
    /// - Parameters:
    ///   - new: The record as it should become.
    ///   - old: The record as it was read.
    ///   - entity: Its entity.
    /// - Returns: The record as saved; `nil` if there is none.
    /// - Throws: ``ModelError`` `.conditionFailed` if the keys differ; as ``get(_:of:)``.
    func save(_ new: RowBuffer, from old: RowBuffer, of entity: EntitySchema) async throws -> [Value]? {
        let (new, old) = try (engine.store.canonical(new, of: entity), engine.store.canonical(old, of: entity))
        let key = entity.key(of: new[0])
        guard entity.key(of: old[0]) == key else {
            throw ModelError(
                .conditionFailed, "An edit of a '\(entity.name)' changed its key; save and delete records instead.")
        }
        let edited = entity.fields.indices.filter { new[0, $0] != old[0, $0] }
            .joined(with: engine.catalog.shape(of: entity).jointColumns)
        let stored = try await get([key], of: entity)
        if stored.versions[0] == 0 { return nil }
        var row = Array(stored[0])
        for position in edited { row[position] = new[0, position] }
        if !edited.isEmpty { try await save(RowBuffer(row: row), of: entity) }
        return row
    }

    /// Checks that records exist and satisfy a condition.
    ///
    /// - Throws: ``ModelError`` `.conditionFailed`.
    func check(_ condition: BoundCondition, _ rows: RowBuffer, of entity: EntitySchema) async throws {
        let matches = try await ConditionEvaluator(source: self, limits: limits).matches(rows, condition)
        try StorageEngine.check(matches, rows, entity)
    }

    // MARK: Committing

    /// The commit that makes the transaction's writes real if everything it read still holds.
    ///
    /// Empty if it wrote nothing: what was read from one snapshot was true together, also if it has changed since.
    func draft() async throws -> WriteDraft {
        let state = state.withLock { $0 }
        var (saved, deleted): ([String: Set<RecordKey>], [String: Set<RecordKey>]) = ([:], [:])
        var touched: [(entity: EntitySchema, keys: [RecordKey], existing: [RecordKey])] = []
        var runs = state.runs()
        if runs.isEmpty { return WriteDraft(pending: PendingEntries(), at: nil) }
        for run in runs {
            let sought = run.keys.indices.filter { !state.hasPending(run.entity, run.keys[$0]) }
            let existing = sought.filter { run.existing.versions[$0] != 0 }
            touched.append((run.entity, sought.map { run.keys[$0] }, existing.map { run.keys[$0] }))
            if run.isSave {
                saved[run.entity.name, default: []].formUnion(run.keys)
            } else {
                deleted[run.entity.name, default: []].formUnion(run.keys)
            }
        }
        var pending = try await engine.pending(touched, besides: state.pending, in: snapshot)
        try await readUnsentLives(runs, into: &pending)
        var conditions = state.readConditions(of: try await rangesRead(state), since: snapshot.sequence)
        var versions = state.versionsRead.map { $0 + pending.versions } ?? [snapshot.sequence]
        for index in runs.indices where runs[index].isSave {
            // Over what is stored: a key that the transaction itself has written and cleared again was seen.
            runs[index].rows = try await engine.keepingKeysOfAbsentParents(
                of: runs[index].rows, over: runs[index].existing, of: runs[index].entity, in: snapshot)
            let run = runs[index]
            let parents = try await engine.parents(
                of: run.rows, over: run.existing, of: run.entity, besides: saved, without: deleted, in: snapshot)
            conditions += parents.conditions
            versions += parents.versions
        }
        // What led to a deleted record before may be part of any commit.
        if runs.contains(where: { !$0.isSave && !engine.catalog.foreignKeys(to: $0.entity).isEmpty }) {
            versions.append(snapshot.sequence)
        }
        let position = try await engine.reserve(max(1, state.written.count), after: versions, in: snapshot)
        var draft = engine.draft(pending, at: position)
        draft.require(conditions)
        for run in runs {
            if run.isSave {
                draft.save(
                    run.rows, keys: run.keys, of: run.entity, over: run.existing, where: run.conditions)
            } else {
                draft.delete(
                    run.existing, of: run.entity, isKeyOnly: run.isKeyOnly, where: run.conditions, with: run.cascades)
            }
        }
        return draft
    }

    /// Looks up all entries of deleted records of which perhaps nothing was sent.
    ///
    /// Of a record with more entries than the commit has room for, they are not looked for, and are sent.
    private func readUnsentLives(_ runs: [ReadWriteSet.Run], into pending: inout PendingEntries) async throws {
        if pending.isEmpty { return }
        // Where nothing is taken back, a deletion writes three rows at most: as many as with two entries.
        var room = limits.commitRowCount - 3 * runs.reduce(0) { $0 + $1.keys.count }
        let reader = SyncedRecordReader(snapshot: snapshot, catalog: engine.catalog)
        for run in runs where !run.isSave {
            for key in run.keys {
                guard let (newest, _) = pending[run.entity.name, key.outboxText], newest.operation == .update,
                    newest.stage == .pending, newest.baseVersion == nil
                else { continue }
                let (entries, versions) = try await reader.entries(of: newest.model, newest.key)
                let earlier = entries.filter { !$0.isNewest }.map { (entry: $0, version: versions[$0.storedKey] ?? 0) }
                if earlier.count > max(1, room + 1) { continue }
                room -= max(0, earlier.count - 1)
                pending.insert(earlier: earlier, than: newest)
            }
        }
    }

    /// Values of one entity's indexes that a commit asks about, at most; beyond that it asks about the entity.
    static let maximumPrefixCount = 1_000

    /// What queries have read, as preconditions name it.
    ///
    /// Records under some values of an index are named one by one, so that the adapter learns that one is gone. Where
    /// they are too many and not known anyway, the whole entity counts as read.
    private func rangesRead(_ state: ReadWriteSet) async throws -> Set<KeyRange> {
        var ranges = state.ranges
        let counts = Dictionary(state.prefixes.keys.map { ($0.entity, 1) }, uniquingKeysWith: +)
        for (entity, count) in counts where count > Self.maximumPrefixCount { ranges.insert(KeyRange(entity)) }
        for (range, knownKeys) in state.prefixes where !ranges.contains(KeyRange(range.entity)) {
            guard var prefix = range.indexPrefix else { continue }
            var keys = knownKeys
            if keys == nil { keys = try await storedKeys(under: prefix, of: range.entity) }
            if let keys {
                prefix.keys = keys
                ranges.insert(KeyRange(range.entity, under: prefix))
            } else {
                ranges.insert(KeyRange(range.entity))
            }
        }
        return ranges
    }

    /// The keys of the stored records that have some values in an index; `nil` if they are many.
    private func storedKeys(under prefix: IndexPrefix, of name: String) async throws -> [RecordKey]? {
        let entity = try schema.entity(named: name)
        guard let index = entity.indexes.first(where: { $0.name == prefix.index }) else { return nil }
        let isUnder = Predicate.and(zip(index.fields, prefix.values).map { .compare($0, .equal, $1) })
        let rows = try await snapshot.rows(
            QueryPlan(name, where: isUnder, limit: Self.maximumPrefixCount + 1, projection: entity.primaryKey))
        if rows.rowCount > Self.maximumPrefixCount { return nil }
        return (0..<rows.rowCount).map { RecordKey(Array(rows[$0])) }
    }
}
