import HoldfastStorage

/// Takes labels out of the store that hardly any client needs, in small commits.
struct LabelPruning {
    let store: Store
    /// Seconds since 1970.
    let now: Int64

    /// Deletes old labels: all of the last hour stay, of older ones one a minute, and one a day of those that are older
    /// than a tombstone becomes.
    ///
    /// A client whose label is gone receives what changed since an earlier one, which is more than it needs. The newest
    /// label stays, since ``LabelReset`` compares it with the head.
    ///
    /// - Parameters:
    ///   - tombstoneLife: How old a tombstone becomes, in seconds.
    ///   - limit: The largest number in one commit.
    ///   - mayContinue: Whether another commit may follow.
    /// - Throws: ``StorageError`` if the store cannot be read or written.
    func run(
        tombstoneLife: Int64, limit: Int, while mayContinue: () -> Bool = { true }
    ) async throws(StorageError) {
        var selection = LabelSelection(horizon: (now - tombstoneLife) * 1000)
        while mayContinue() {
            let labels = try await store.read { snapshot async throws(StorageError) in
                try await labelsToPrune(limit, &selection, in: snapshot)
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
        _ limit: Int, _ selection: inout LabelSelection, in snapshot: StoreSnapshot
    ) async throws(StorageError) -> [Int64] {
        var labels: [Int64] = []
        guard let newest = try await Labels.head(in: snapshot)?.label.label else { return labels }
        let isNext = Predicate.and([
            .compare("label", .greater, .integer(selection.last)),
            .compare("label", .less, .integer(min((now - 3_600) * 1000, newest))),
        ])
        var scan = try await snapshot.query(
            QueryPlan(SystemEntity.label.name, where: isNext, sort: [SortKey("label")]))
        var rows = RowBuffer()
        repeat {
            try await scan.next(into: &rows)
            for row in 0..<rows.rowCount where labels.count < limit {
                guard case .integer(let label) = rows[row, 0] else { continue }
                if selection.deletes(label) { labels.append(label) }
            }
        } while !rows.isEmpty && labels.count < limit
        await scan.close()
        return labels
    }
}

/// Decides which labels are deleted, from the oldest to the newest.
private struct LabelSelection {
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
