import HoldfastStorage

extension DataStore {
    /// The changes that await the service, oldest first; empty if mutations are not recorded.
    ///
    /// - Parameter limit: At most so many; `nil` for all.
    /// - Throws: ``StorageError`` `.closed`, `.io`.
    @concurrent public func outboxEntries(limit: Int? = nil) async throws -> [OutboxEntry] {
        guard engine.recordsMutations else { return [] }
        return try await store.withSnapshot { snapshot in
            var scan = try await snapshot.query(
                QueryPlan(OutboxEntry.entity.name, sort: [SortKey("position")], limit: limit))
            var entries: [OutboxEntry] = []
            var rows = RowBuffer()
            repeat {
                try await scan.next(into: &rows)
                for row in 0..<rows.rowCount {
                    if let entry = OutboxEntry(rows[row]) { entries.append(entry) }
                }
            } while !rows.isEmpty
            return entries
        }
    }

    /// The number of changes that await the service; 0 if mutations are not recorded.
    @concurrent public func outboxCount() async throws -> Int {
        guard engine.recordsMutations else { return 0 }
        return try await store.withSnapshot { try await $0.count(OutboxEntry.entity.name) }
    }
}
