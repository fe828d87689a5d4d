import HoldfastStorage

extension DataStore {
    /// The unsent changes, oldest first; empty if mutations are not recorded.
    ///
    /// ```swift
    /// try await store.save(Post(id: "p1", title: "Hold fast"))
    /// let entries = try await store.outboxEntries()
    /// let first = entries.first.map { "\($0.operation) \($0.model)" }  // "create Post"
    /// ```
    ///
    /// - Parameter limit: The maximum number to return; `nil` for all.
    /// - Returns: The entries, oldest first.
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
    ///
    /// ```swift
    /// let unsent = try await store.outboxCount()  // 1: later edits of the post fold into its entry
    /// ```
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`, `.io`.
    @concurrent public func outboxCount() async throws -> Int {
        guard engine.recordsMutations else { return 0 }
        return try await withSnapshot { try await $0.count(OutboxEntry.entity.name) }
    }

    /// Whether the outbox is empty; cheaper than to count its changes.
    ///
    /// - Parameter models: The models whose changes count; `nil` for all.
    /// - Returns: Whether there is none.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`, `.io`.
    @concurrent package func isOutboxEmpty(of models: Set<String>? = nil) async throws -> Bool {
        guard engine.recordsMutations else { return true }
        let plan = QueryPlan(
            OutboxEntry.entity.name, where: OutboxEntry.isChange(of: models), limit: 1,
            projection: OutboxEntry.entity.primaryKey)
        return try await withSnapshot { try await $0.rows(plan).isEmpty }
    }

    /// The position of the last change in the outbox; `nil` if it is empty.
    @concurrent package func lastOutboxPosition() async throws -> Int64? {
        guard engine.recordsMutations else { return nil }
        let plan = QueryPlan(
            OutboxEntry.entity.name, sort: [SortKey("position", .descending)], limit: 1, projection: ["position"])
        return try await withSnapshot { snapshot in
            let last = try await snapshot.rows(plan)
            guard !last.isEmpty, case .integer(let position) = last[0, 0] else { return nil }
            return position
        }
    }
}

extension OutboxEntry {
    /// The condition that an entry is a change of one of some models; `nil` for all.
    static func isChange(of models: Set<String>?) -> Predicate {
        guard let models else { return .all }
        return .isIn("model", models.sorted().map { .text($0) })
    }
}
