import HoldfastStorage

extension StoreSnapshot {
    /// All rows of a query at once.
    func rows(_ plan: QueryPlan) async throws(StorageError) -> RowBuffer {
        var scan = try await query(plan)
        var batch = RowBuffer()
        var rows = RowBuffer()
        repeat {
            try await scan.next(into: &batch)
            if rows.isEmpty { rows.reset(columnCount: batch.columnCount) }
            rows.append(contentsOf: batch)
        } while !batch.isEmpty
        return rows
    }
}
