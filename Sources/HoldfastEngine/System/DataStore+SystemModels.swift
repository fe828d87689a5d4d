package import HoldfastModel
import HoldfastStorage

extension DataStore {
    /// What the store keeps beside the records, in the form of the system models, or `nil` for any other model.
    ///
    /// A change that awaits the service is a ``MutationEvent`` with the record as it is now; for a deletion as it was
    /// before.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - predicate: Which; `nil` for all.
    ///   - sort: In which order; as in ``query(_:where:sort:paginate:)``.
    ///   - paginate: Which page; `nil` for all.
    /// - Returns: The matching models, in the order of `sort`; `nil` if `type` is not a system model.
    /// - Throws: As ``query(_:where:sort:paginate:)``.
    /// - Complexity: O(n) in all that is kept of the kind.
    @concurrent package func systemModels<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)?, sort: QuerySortInput?, paginate: QueryPaginationInput?
    ) async throws -> [M]? {
        let all: RowBuffer
        switch type {
        case is MutationEvent.Type: all = try MutationEvent.rows(try await pendingEvents())
        case is MutationSyncMetadata.Type: all = try MutationSyncMetadata.rows(try await allRecordMetadata())
        case is ModelSyncMetadata.Type: all = try ModelSyncMetadata.rows(try await allModelStates())
        default: return nil
        }
        let entity = try M.schema.entity(among: [:])
        var reference = ReferenceStore(schema: try StorageSchema(entities: [entity]))
        _ = try reference.commit(
            CommitRequest(operations: [.put(entity: entity.name, rows: all, mode: .upsert)]))
        var plan = try M.schema.plan(where: predicate, sort: sort, paginate: paginate)
        plan.predicate = plan.predicate.convertingOperands(for: entity)
        var rows = RowBuffer(columnCount: entity.fields.count)
        for record in reference.query(try reference.schema.bind(plan)) {
            rows.append(record.row, version: record.version)
        }
        var models: [M] = []
        try M.read(rows, loader: nil, parents: nil, into: &models)
        return models
    }

    private func pendingEvents() async throws -> [MutationEvent] {
        var events: [MutationEvent] = []
        for entry in try await outboxEntries() {
            guard let model = catalog.model(named: entry.model), let modelType = model.type else { continue }
            let type: MutationEvent.MutationType =
                switch entry.operation {
                case .create: .create
                case .update: .update
                case .delete: .delete
                }
            let key = RecordKey(outboxText: entry.key, of: model.entity)
            let (seconds, microseconds) = entry.position.quotientAndRemainder(dividingBy: 1_000_000)
            let made = Timestamp(
                secondsSinceEpoch: seconds, nanoseconds: Int32(microseconds) * 1_000,
                tail: WrittenForm(offset: 0, fractionDigits: 6))
            events.append(
                MutationEvent(
                    id: String(entry.position), modelId: key.map(\.identifierText) ?? entry.key,
                    modelName: entry.model, json: try await json(modelType, key, entry, model), mutationType: type,
                    createdAt: Temporal.DateTime(made), version: entry.baseVersion.map { Int($0) },
                    inProcess: entry.stage == .inFlight, graphQLFilterJSON: entry.condition))
        }
        return events
    }

    private func json<M: Model>(
        _ type: M.Type, _ key: RecordKey?, _ entry: OutboxEntry, _ model: ModelCatalog.RegisteredModel
    ) async throws -> String {
        var found: M?
        if entry.operation == .delete {
            guard let before = entry.before, before != FieldValues.noRecord else { return "{}" }
            let rows = RowBuffer(row: FieldValues.row(before, of: model.entity), version: 1)
            found = try await withSnapshot { snapshot in
                var models: [M] = []
                try await read(rows, of: model, from: snapshot, loader: self, into: &models)
                return models.first
            }
        } else if let key {
            found = try await load(type, key: key)
        }
        return try found?.toJSON() ?? "{}"
    }

    private func allRecordMetadata() async throws -> [MutationSyncMetadata] {
        try await all(RecordMetadata.entity).compactMap { RecordMetadata($0[...]) }.map { metadata in
            MutationSyncMetadata(
                modelId: catalog.model(named: metadata.model).flatMap {
                    RecordKey(outboxText: metadata.key, of: $0.entity)?.identifierText
                } ?? metadata.key, modelName: metadata.model, deleted: metadata.isDeleted,
                lastChangedAt: metadata.lastChangedAt, version: Int(metadata.version))
        }
    }

    private func allModelStates() async throws -> [ModelSyncMetadata] {
        try await all(ModelState.entity).compactMap { ModelState($0[...]) }.map { state in
            ModelSyncMetadata(id: state.model, lastSync: state.lastSync, syncPredicate: state.syncPredicate)
        }
    }

    private func all(_ entity: EntitySchema) async throws -> [[Value]] {
        guard engine.recordsMutations else { return [] }
        return try await store.withSnapshot { snapshot in
            let rows = try await snapshot.rows(QueryPlan(entity.name))
            return (0..<rows.rowCount).map { Array(rows[$0]) }
        }
    }
}
