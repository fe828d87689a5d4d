import HoldfastStorage

/// Takes tombstones out of the store whose time has come, in small commits.
///
/// Beside the records goes a note of how far they were purged: a client that was away for longer cannot learn what was
/// deleted, so it reads everything.
struct TombstonePurge {
    let store: Store
    /// Seconds since 1970.
    let now: Int64

    /// The keys and versions of tombstones: the records that they keep may be large.
    private typealias Tombstones = (keys: [RecordKey], versions: [UInt64])

    /// Purges the tombstones of a model.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - limit: The largest number in one commit.
    ///   - mayContinue: Whether another commit may follow.
    /// - Returns: How many were purged; those that another process was at work with are left.
    /// - Throws: ``StorageError`` if the store cannot be read or written.
    func run(
        _ model: ServerModel, limit: Int, while mayContinue: () -> Bool
    ) async throws(StorageError) -> Int {
        var count = 0
        var last: Cursor?
        while mayContinue() {
            let (tombstones, note) = try await store.read { snapshot async throws(StorageError) in
                (try await expired(model, limit, after: last, in: snapshot), try await PurgeNote(model, in: snapshot))
            }
            guard let lastKey = tombstones.keys.last else { break }
            if try await purge(tombstones, of: model, note) { count += tombstones.keys.count }
            // What is before was looked at: with each commit from the beginning, a purge would take quadratic time.
            last = Cursor(lastKey.components)
        }
        return count
    }

    /// - Returns: Whether they were purged; `false` if another commit came first.
    private func purge(
        _ tombstones: Tombstones, of model: ServerModel, _ note: PurgeNote
    ) async throws(StorageError) -> Bool {
        let (keys, versions) = tombstones
        let through = max(note.through, versions.max() ?? 0)
        let (condition, operation) = note.raised(to: through)
        let request = CommitRequest(
            preconditions: zip(keys, versions).map { .version(entity: model.name, key: $0, $1) } + [condition],
            operations: [.delete(entity: model.name, keys: keys), operation])
        return try await store.commitIfFirst(request)
    }

    private func expired(
        _ model: ServerModel, _ limit: Int, after last: Cursor?, in snapshot: StoreSnapshot
    ) async throws(StorageError) -> Tombstones {
        let isDue = Predicate.and([
            .compare("_deleted", .equal, .boolean(true)), .compare("_ttl", .lessOrEqual, .integer(now)),
        ])
        let plan = QueryPlan(
            model.name, where: isDue, limit: limit, after: last, projection: model.entity.primaryKey)
        var scan = try await snapshot.query(plan)
        var result: Tombstones = ([], [])
        var rows = RowBuffer()
        repeat {
            try await scan.next(into: &rows)
            for row in 0..<rows.rowCount { result.keys.append(RecordKey(Array(rows[row]))) }
            result.versions += rows.versions
        } while !rows.isEmpty
        return result
    }
}
