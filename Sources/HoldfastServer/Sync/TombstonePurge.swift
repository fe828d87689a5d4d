import HoldfastStorage

/// Takes tombstones out of the store whose time has come, in small commits.
///
/// Beside the records goes a note of how far they were purged: a client that was away for longer cannot learn what was
/// deleted, so it reads everything.
struct TombstonePurge {
    let store: Store
    /// Seconds since 1970.
    let now: Int64

    /// Purges tombstones of a model.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - limit: At most so many.
    /// - Returns: How many were purged; 0 also if another process was at work.
    /// - Throws: ``StorageError`` if the store cannot be read or written.
    func run(_ model: ServerModel, limit: Int) async throws(StorageError) -> Int {
        let (rows, note) = try await store.read { snapshot async throws(StorageError) in
            (try await expired(model, limit, in: snapshot), try await PurgeNote(model, in: snapshot))
        }
        guard !rows.isEmpty else { return 0 }
        let keys = (0..<rows.rowCount).map { model.entity.key(of: rows[$0]) }
        let through = max(note.through, rows.versions.max() ?? 0)
        let (condition, operation) = note.raised(to: through)
        let request = CommitRequest(
            preconditions: zip(keys, rows.versions).map { .version(entity: model.name, key: $0, $1) } + [condition],
            operations: [.delete(entity: model.name, keys: keys), operation])
        return try await store.commitIfFirst(request) ? keys.count : 0
    }

    /// Takes out labels that are older than an hour, except one of each minute.
    ///
    /// A client whose label is gone receives what changed since an earlier one, which is more than it needs. The newest
    /// label stays, since ``LabelReset`` compares it with the head.
    ///
    /// - Parameter limit: At most so many.
    /// - Throws: ``StorageError`` if the store cannot be read or written.
    func thinLabels(limit: Int) async throws(StorageError) {
        let entity = SystemEntity.label.name
        let keys = try await store.read { snapshot async throws(StorageError) in
            var keys: [RecordKey] = []
            guard let newest = try await Labels.head(in: snapshot)?.label.label else { return keys }
            let isOld = Predicate.compare("label", .less, .integer(min((now - 3_600) * 1000, newest)))
            var scan = try await snapshot.query(QueryPlan(entity, where: isOld))
            var rows = RowBuffer()
            var minute: Int64 = -1
            repeat {
                try await scan.next(into: &rows)
                for row in 0..<rows.rowCount where keys.count < limit {
                    guard case .integer(let label) = rows[row, 0] else { continue }
                    if label / 60_000 == minute { keys.append(RecordKey([.integer(label)])) }
                    minute = label / 60_000
                }
            } while !rows.isEmpty && keys.count < limit
            return keys
        }
        guard !keys.isEmpty else { return }
        _ = try await store.commit(CommitRequest(operations: [.delete(entity: entity, keys: keys)]))
    }

    private func expired(
        _ model: ServerModel, _ limit: Int, in snapshot: StoreSnapshot
    ) async throws(StorageError) -> RowBuffer {
        let isDue = Predicate.and([
            .compare("_deleted", .equal, .boolean(true)), .compare("_ttl", .lessOrEqual, .integer(now)),
        ])
        var scan = try await snapshot.query(QueryPlan(model.name, where: isDue, limit: limit))
        var result = RowBuffer(columnCount: model.entity.fields.count)
        var rows = RowBuffer()
        repeat {
            try await scan.next(into: &rows)
            result.append(contentsOf: rows)
        } while !rows.isEmpty
        return result
    }
}
