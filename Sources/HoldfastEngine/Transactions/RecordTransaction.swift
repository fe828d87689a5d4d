import HoldfastModel
import HoldfastStorage

/// Reads and writes of records over one snapshot, committed as one change.
///
/// Reads see the transaction's own writes. Nothing reaches the store before ``draft(_:)``'s commit.
final class RecordTransaction: Sendable {
    let engine: StorageEngine
    let snapshot: StoreSnapshot
    let state = Mutex(TransactionState())

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

    /// The matching records as the transaction sees them, all fields, in the plan's order.
    func rows(_ plan: QueryPlan) async throws -> RowBuffer {
        let query = try schema.bind(plan, limits: limits)
        guard noteReading(query) else { return try await snapshot.rows(plan) }
        var unpaged = plan
        (unpaged.offset, unpaged.limit) = (0, nil)
        let stored = try await snapshot.rows(unpaged)
        return state.withLock { $0.merge(stored, query) }
    }

    /// Takes note of what a query reads.
    ///
    /// - Returns: Whether the transaction has written records of the entity.
    func noteReading(_ query: BoundQuery) -> Bool {
        state.withLock { state in
            state.read(query.keyRange)
            return state.hasWritten(query.entity)
        }
    }

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
        let runs = state.runs()
        if runs.isEmpty { return WriteDraft(pending: PendingEntries(), at: nil) }
        for run in runs {
            let existing = run.keys.indices.filter { run.existing.versions[$0] != 0 }.map { run.keys[$0] }
            touched.append((run.entity, run.keys, existing))
            if run.isSave {
                saved[run.entity.name, default: []].formUnion(run.keys)
            } else {
                deleted[run.entity.name, default: []].formUnion(run.keys)
            }
        }
        var draft = engine.draft(
            try await engine.pending(touched),
            at: try await engine.reserve(max(1, state.written.count), behind: snapshot.sequence, in: snapshot))
        draft.require(state.readConditions(since: snapshot.sequence))
        for run in runs {
            if run.isSave {
                draft.require(
                    try await engine.parents(
                        of: run.rows, over: run.existing, of: run.entity, besides: saved, without: deleted,
                        in: snapshot
                    ).conditions)
                draft.save(
                    run.rows, keys: run.keys, of: run.entity, over: run.existing, where: run.conditions)
            } else {
                draft.delete(run.existing, of: run.entity, isKeyOnly: run.isKeyOnly, where: run.conditions)
            }
        }
        return draft
    }
}
