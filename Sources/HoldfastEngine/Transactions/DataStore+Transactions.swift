import HoldfastModel
import HoldfastStorage

extension DataStore {
    /// Reads and writes several records as one change.
    ///
    /// The writes are committed when the closure returns, if everything it read is still so; otherwise the closure runs
    /// again on the newest state, so it should do nothing else. If it throws, nothing is changed. A transaction that
    /// writes nothing is never repeated: all its reads come from one snapshot, and nothing else is asked of them. For
    /// such use ``read(_:)``.
    ///
    /// After a conflict, a closure gets a turn. Other writers of this ``DataStore`` that had conflicts, and after
    /// further conflicts all others, wait while it runs: for 0.5 seconds, and for 1, 2, and 4 seconds if it has to run
    /// again. A closure that takes longer, or that writes the same records through the store itself, can still end in
    /// a conflict.
    ///
    /// ```swift
    /// let moved = try await store.transaction { transaction in
    ///     guard var from = try await transaction.query(Post.self, byId: "p1"),
    ///         var to = try await transaction.query(Post.self, byId: "p2")
    ///     else { return false }
    ///     from.rating = (from.rating ?? 0) - 1
    ///     to.rating = (to.rating ?? 0) + 1
    ///     try await transaction.save([from, to])
    ///     return true
    /// }
    /// ```
    ///
    /// - Parameter body: Reads and writes through the transaction.
    /// - Returns: What the closure returned.
    /// - Throws: What the closure throws; ``/HoldfastModel/ModelError`` `.brokenRelation` if a saved record belongs to
    ///   one that does not exist, which is checked after the closure; ``/HoldfastStorage/StorageError`` `.conflict` if
    ///   other writers kept getting in between, `.uniqueViolation`, `.limitExceeded`, `.full`, `.io`. Nothing was
    ///   changed, unless the error says `outcomeUnknown`.
    @discardableResult
    @concurrent public func transaction<Result: Sendable>(
        _ body: @Sendable (Transaction) async throws -> Result
    ) async throws -> Result {
        try await perform(runsCallerCode: true) { records in
            let transaction = Transaction(store: self, records: records)
            defer { transaction.loader.end() }
            return try await RetryQueue.$isBypassed.withValue(true) { try await body(transaction) }
        }
    }

    /// Reads several things from one consistent view of the store.
    ///
    /// The closure runs once. It never waits for writers, no writer waits for it, and it cannot end in a conflict. The
    /// view is held until the closure returns, so long work belongs after it.
    ///
    /// ```swift
    /// let (posts, comments) = try await store.read { reader in
    ///     (try await reader.query(Post.self), try await reader.query(Comment.self))
    /// }
    /// ```
    ///
    /// - Parameter body: Reads through the transaction.
    /// - Returns: What the closure returned.
    /// - Throws: What the closure throws; ``/HoldfastStorage/StorageError`` `.closed`, `.busy`, `.io`.
    @concurrent public func read<Result: Sendable>(
        _ body: @Sendable (ReadTransaction) async throws -> Result
    ) async throws -> Result {
        try await withSnapshot { snapshot in
            let transaction = ReadTransaction(store: self, source: snapshot)
            defer { transaction.loader.end() }
            return try await body(transaction)
        }
    }

    func perform<Result: Sendable>(
        runsCallerCode: Bool = false, _ body: (RecordTransaction) async throws -> Result
    ) async throws -> Result {
        var result: Result?
        try await cancellable {
            _ = try await engine.commit(runsCallerCode: runsCallerCode) { _ in
                try await store.withSnapshot { snapshot in
                    let records = RecordTransaction(engine: engine, snapshot: snapshot)
                    result = try await body(records)
                    return try await records.draft()
                }
            }
        }
        guard let result else { throw StorageError(.conflict, "The transaction did not run; try again.") }
        return result
    }

    /// A condition on a model's records, bound to its entity.
    func bound<M: Model>(_ type: M.Type, _ condition: (any QueryPredicate)?) throws -> BoundCondition? {
        guard let condition else { return nil }
        let model = try catalog.model(type)
        return try catalog.condition(condition, on: model).bound(
            to: model.entity, in: store.schema, limits: store.capabilities.limits)
    }
}
