#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Pauses before what failed is tried again, since the server is away or starts: each longer than the one before.
struct PostgreSQLRetries {
    private let start = ContinuousClock.now
    private let limit: Duration
    private var pause = Duration.milliseconds(10)

    private static let longestPause = Duration.milliseconds(500)

    /// Begins to count the time.
    ///
    /// - Parameter limit: After this time nothing is tried again.
    init(for limit: Duration) { self.limit = limit }

    /// Waits without blocking a thread.
    ///
    /// - Parameter error: What the last try failed with.
    /// - Throws: `error` if it does not pass with time, or if the time is over; ``StorageError`` `.cancelled`.
    mutating func wait(after error: StorageError) async throws(StorageError) {
        let left = limit - (ContinuousClock.now - start)
        guard error.kind == .connectionLost || error.kind == .busy, left > .zero else { throw error }
        try? await Task.sleep(for: min(pause, left))
        try StorageError.checkCancellation()
        pause = min(pause * 2, Self.longestPause)
    }
}
#endif
