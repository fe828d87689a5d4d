import HoldfastStorage

extension DataStore {
    /// The unsent changes, oldest first; empty if mutations are not recorded.
    ///
    /// - Parameter limit: The maximum number to return; `nil` for all.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`, `.io`.
    @concurrent public func outboxEntries(limit: Int? = nil) async throws -> [OutboxEntry] {
        guard engine.recordsMutations else { return [] }
        return try await withSnapshot { snapshot in
            let rows = try await snapshot.rows(
                QueryPlan(OutboxEntry.entity.name, sort: [SortKey("position")], limit: limit))
            return (0..<rows.rowCount).compactMap { OutboxEntry(rows[$0]) }
        }
    }

    /// The number of unsent changes; 0 if mutations are not recorded.
    @concurrent public func outboxCount() async throws -> Int {
        guard engine.recordsMutations else { return 0 }
        return try await withSnapshot { try await $0.count(OutboxEntry.entity.name) }
    }
}
