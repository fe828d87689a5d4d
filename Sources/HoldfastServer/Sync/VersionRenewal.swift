import HoldfastStorage

/// Gives every record a version above all that devices may have of it.
///
/// A store that was restored from a backup, or continues on a replica that lacks the last commits, gives out versions
/// for a second time, and devices take the later ones for old:
///
///     service                       device
///     version 7 ------------------> has version 7
///     restored: version 5
///     an edit: version 6 ---------> ignores it
///
/// A backup can be restored again and again, so the new version depends on the present alone: it is the seconds since
/// 2020, which are more than a record changed since then and than an earlier renewal gave it. Only a record that
/// changes more than once a second gets ahead of that clock. Its version rises by four for each second since its last
/// change. A clock that has gone back since an earlier renewal would give again what that one or changes since then
/// gave. Nothing in the backup shows this, so an administrator must set the clock right first.
///
/// Afterwards every device reads everything, which also takes from it what only the lost commits had.
struct VersionRenewal {
    let store: Store
    /// Milliseconds since 1970.
    let now: Int64

    /// What keeps the records of a model, and where it has what is renewed.
    private struct Model {
        let entity: EntitySchema
        let version: Int
        let lastChangedAt: Int
    }

    private static let batchSize = 500
    /// GraphQL's `Int`.
    private static let maximumVersion = Int64(Int32.max)
    /// More than a record changes within a second.
    private static let leastStep: Int64 = 8
    /// Seconds from 1970 to 2020.
    private static let epoch: Int64 = 1_577_836_800

    /// Renews the records of all models, tombstones too.
    ///
    /// Also of those that the schema lacks: other processes, or later ones, serve them from the same store.
    ///
    /// - Returns: How many there are.
    func run() async throws(StorageError) -> Int {
        var count = 0
        for entity in store.schema.entities {
            // Those of the service itself have none.
            guard let version = entity.position(of: "_version"),
                let lastChangedAt = entity.position(of: "_lastChangedAt")
            else { continue }
            count += try await run(Model(entity: entity, version: version, lastChangedAt: lastChangedAt))
        }
        return count
    }

    private func run(_ model: Model) async throws(StorageError) -> Int {
        // What is renewed has a later commit, so that it does not come again.
        let last = try await store.read { snapshot in snapshot.sequence }
        let range = VersionRange(model.entity.name, after: 0, through: last)
        var count = 0
        while true {
            let rows = try await batch(range)
            if rows.isEmpty { break }
            count += try await renew(rows, of: model)
        }
        while try await !demandFullReading(model) {}
        return count
    }

    private func batch(_ range: VersionRange) async throws(StorageError) -> RowBuffer {
        try await store.read { snapshot async throws(StorageError) in
            var rows = RowBuffer()
            var scan = try await snapshot.scan(range)
            try await scan.next(maximumRowCount: Self.batchSize, into: &rows)
            await scan.close()
            return rows
        }
    }

    /// - Returns: How many were renewed; 0 if another commit came first.
    private func renew(_ rows: RowBuffer, of model: Model) async throws(StorageError) -> Int {
        let name = model.entity.name
        var renewed = rows
        var preconditions: [Precondition] = []
        for row in 0..<rows.rowCount {
            let lastChangedAt = Self.integer(rows[row, model.lastChangedAt])
            let version = version(after: Self.integer(rows[row, model.version]), since: lastChangedAt)
            guard version <= Self.maximumVersion else {
                throw StorageError(.limitExceeded, "A version of '\(name)' would leave 32 bits.")
            }
            renewed.set(.integer(version), row: row, column: model.version)
            renewed.set(.integer(max(now, lastChangedAt + 1)), row: row, column: model.lastChangedAt)
            preconditions.append(.version(entity: name, key: model.entity.key(of: rows[row]), rows.versions[row]))
        }
        let request = CommitRequest(
            preconditions: preconditions, operations: [.put(entity: name, rows: renewed, mode: .update)])
        return try await store.commitIfFirst(request) ? rows.rowCount : 0
    }

    private static func integer(_ value: Value) -> Int64 {
        if case .integer(let integer) = value { integer } else { 0 }
    }

    private func version(after old: Int64, since lastChangedAt: Int64) -> Int64 {
        let clock = now / 1_000 - Self.epoch
        return old < clock ? clock : old + Self.leastStep + max(0, now - lastChangedAt) / 250
    }

    /// - Returns: Whether it was written; `false` if another commit came first.
    private func demandFullReading(_ model: Model) async throws(StorageError) -> Bool {
        let (condition, operation) = try await store.read { snapshot async throws(StorageError) in
            try await PurgeNote(model.entity, in: snapshot).raised(to: snapshot.sequence)
        }
        return try await store.commitIfFirst(CommitRequest(preconditions: [condition], operations: [operation]))
    }
}
