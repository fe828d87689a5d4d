import HoldfastStorage

extension DataStore {
    /// Queues the creation of records that no service knows: those saved while mutations of the model were not
    /// recorded.
    ///
    /// - Parameter model: The model's name.
    /// - Returns: How many were queued. It is done in commits of 1,000; an error leaves those that were made, and the
    ///   call can be repeated.
    /// - Throws: ``StorageError`` `.misuse` for an unknown model, `.conflict`, `.full`, `.io`.
    @concurrent package func adopt(_ model: String) async throws -> Int {
        let entity = try remoteEntity(model)
        guard engine.records(model) else { return 0 }
        var count = 0
        var last: RecordKey?
        while let keys = try await keys(of: entity, after: last), let end = keys.last {
            last = end
            var found = 0
            _ = try await engine.commit { _ in
                try await store.withSnapshot { snapshot in
                    let unknown = try await syncedRecords(keys, of: entity, in: snapshot)
                        .filter { $0.stored.row != nil && $0.stored.metadata == nil && $0.stored.entries.isEmpty }
                    found = unknown.count
                    var draft = WriteDraft(pending: PendingEntries(), at: nil)
                    if found == 0 { return draft }
                    let position = try await engine.reserve(found, after: [snapshot.sequence], in: snapshot) ?? 0
                    let identity = try await presentIdentity(in: snapshot)
                    var rows = RowBuffer(columnCount: OutboxEntry.entity.fields.count, rowCapacity: found)
                    for (index, change) in unknown.enumerated() {
                        OutboxEntry(
                            model: model, key: change.record.keyText, position: position + Int64(index),
                            operation: .create, identity: identity
                        ).append(to: &rows)
                        draft.require([
                            .version(entity: model, key: change.record.key, change.rowVersion)
                        ])
                    }
                    draft.put(rows, .insert, OutboxEntry.entity.name)
                    return draft
                }
            }
            count += found
        }
        return count
    }

    /// The keys of the next 1,000 records; `nil` at the end.
    private func keys(of entity: EntitySchema, after last: RecordKey?) async throws -> [RecordKey]? {
        var plan = QueryPlan(entity.name, limit: 1_000, projection: entity.primaryKey)
        plan.after = last.map { Cursor($0.components) }
        let rows = try await store.withSnapshot { try await $0.rows(plan) }
        return rows.isEmpty ? nil : (0..<rows.rowCount).map { RecordKey(Array(rows[$0])) }
    }
}
