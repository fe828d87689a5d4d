import HoldfastStorage

/// Takes tombstones out of the store whose time has come, in small commits.
///
/// Beside the records goes a note of how far they were purged: a client that was away for longer cannot be told what was
/// deleted, so it reads everything.
struct TombstonePurge {
    let store: Store
    /// Seconds since 1970.
    let now: Int64

    /// Purges tombstones of a model.
    ///
    /// - Parameter limit: At most so many.
    /// - Returns: How many were purged; 0 also if another process was at work.
    func run(_ model: ServerModel, limit: Int) async throws(StorageError) -> Int {
        let snapshot = try await store.snapshot()
        let rows: RowBuffer
        let note: (version: UInt64, through: UInt64)
        do {
            rows = try await expired(model, limit, in: snapshot)
            note = try await Self.note(model, in: snapshot)
        } catch {
            await snapshot.close()
            throw error
        }
        await snapshot.close()
        guard !rows.isEmpty else { return 0 }
        let keys = (0..<rows.rowCount).map { model.entity.key(of: rows[$0]) }
        let setting = SystemEntity.setting.name
        let noteKey = Self.key(model)
        var preconditions = zip(keys, rows.versions).map { Precondition.version(entity: model.name, key: $0, $1) }
        preconditions.append(
            note.version == 0
                ? .absent(entity: setting, key: noteKey) : .version(entity: setting, key: noteKey, note.version))
        let through = max(note.through, rows.versions.max() ?? 0)
        let value = (0..<8).reversed().map { UInt8(truncatingIfNeeded: through >> (8 * UInt64($0))) }
        let request = CommitRequest(
            preconditions: preconditions,
            operations: [
                .delete(entity: model.name, keys: keys),
                .put(
                    entity: setting, rows: RowBuffer(row: noteKey.components + [.bytes(value)]), mode: .upsert),
            ])
        do {
            _ = try await store.commit(request)
            return keys.count
        } catch {
            guard error.kind == .preconditionFailed || error.kind == .conflict else { throw error }
            return 0
        }
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
            for row in 0..<rows.rowCount { result.append(rows[row], version: rows.versions[row]) }
        } while !rows.isEmpty
        return result
    }

    /// The latest version of a tombstone of a model that was purged; 0 if none was.
    static func purgedThrough(_ model: ServerModel, in snapshot: StoreSnapshot) async throws(StorageError) -> UInt64 {
        try await note(model, in: snapshot).through
    }

    private static func note(
        _ model: ServerModel, in snapshot: StoreSnapshot
    ) async throws(StorageError) -> (version: UInt64, through: UInt64) {
        var rows = RowBuffer()
        try await snapshot.get([key(model)], of: SystemEntity.setting.name, into: &rows)
        guard rows.versions[0] != 0, case .bytes(let bytes) = rows[0, 1] else { return (rows.versions[0], 0) }
        return (rows.versions[0], bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    private static func key(_ model: ServerModel) -> RecordKey { RecordKey("purged " + model.name) }
}
