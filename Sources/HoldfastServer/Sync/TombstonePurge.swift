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

    /// Deletes old labels: all of the last hour stay, of older ones one a minute, and one a day of those that are older
    /// than a tombstone becomes.
    ///
    /// A client whose label is gone receives what changed since an earlier one, which is more than it needs. The newest
    /// label stays, since ``LabelReset`` compares it with the head.
    ///
    /// - Parameters:
    ///   - tombstoneLife: How old a tombstone becomes, in seconds.
    ///   - limit: At most so many in one commit.
    /// - Throws: ``StorageError`` if the store cannot be read or written.
    func pruneLabels(tombstoneLife: Int64, limit: Int) async throws(StorageError) {
        var pruning = LabelPruning(horizon: (now - tombstoneLife) * 1000)
        while true {
            let labels = try await store.read { snapshot async throws(StorageError) in
                try await labelsToPrune(limit, &pruning, in: snapshot)
            }
            guard !labels.isEmpty else { return }
            let keys = labels.map { RecordKey([.integer($0)]) }
            _ = try await store.commit(
                CommitRequest(operations: [.delete(entity: SystemEntity.label.name, keys: keys)]))
            if labels.count < limit { return }
        }
    }

    /// Labels to delete, after those that were looked at before.
    private func labelsToPrune(
        _ limit: Int, _ pruning: inout LabelPruning, in snapshot: StoreSnapshot
    ) async throws(StorageError) -> [Int64] {
        var labels: [Int64] = []
        guard let newest = try await Labels.head(in: snapshot)?.label.label else { return labels }
        let isNext = Predicate.and([
            .compare("label", .greater, .integer(pruning.last)),
            .compare("label", .less, .integer(min((now - 3_600) * 1000, newest))),
        ])
        var scan = try await snapshot.query(
            QueryPlan(SystemEntity.label.name, where: isNext, sort: [SortKey("label")]))
        var rows = RowBuffer()
        repeat {
            try await scan.next(into: &rows)
            for row in 0..<rows.rowCount where labels.count < limit {
                guard case .integer(let label) = rows[row, 0] else { continue }
                if pruning.deletes(label) { labels.append(label) }
            }
        } while !rows.isEmpty && labels.count < limit
        await scan.close()
        return labels
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

/// Decides which labels are deleted, from the oldest to the newest.
private struct LabelPruning {
    /// Of the labels before it, one of each day stays; of the others, one of each minute.
    let horizon: Int64
    /// The last label that was looked at.
    private(set) var last = Int64.min
    private var start: Int64?

    init(horizon: Int64) { self.horizon = horizon }

    /// Whether an earlier label of the same minute or day stays.
    mutating func deletes(_ label: Int64) -> Bool {
        let start = label - label % (label < horizon ? 86_400_000 : 60_000)
        defer { (last, self.start) = (label, start) }
        return start == self.start
    }
}
