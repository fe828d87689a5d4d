import HoldfastStorage

extension DataStore {
    /// Opens a snapshot for the time of a closure.
    ///
    /// - Throws: As ``Store/withSnapshot(_:)``, but `CancellationError` if the task was cancelled.
    func withSnapshot<Result>(_ body: (StoreSnapshot) async throws -> Result) async throws -> Result {
        try await cancellable { try await store.withSnapshot(body) }
    }

    /// Runs a closure, and throws what Swift code expects if the task is cancelled while it runs.
    ///
    /// - Throws: What the closure throws; `CancellationError` in place of a ``StorageError`` `.cancelled`, unless
    ///   that has more to say, because the outcome of a commit is unknown.
    func cancellable<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as StorageError where error.kind == .cancelled && error.transaction != .outcomeUnknown {
            throw CancellationError()
        }
    }
}
