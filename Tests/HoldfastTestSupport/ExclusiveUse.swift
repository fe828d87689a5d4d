import HoldfastStorage

/// Lets tests of several targets use something that the process has one of, one test at a time.
package final class ExclusiveUse: Sendable {
    /// Of the `ModelRegistry`.
    package static let modelRegistry = ExclusiveUse()

    private let lock = AsyncMutex()

    /// Waits for the others, runs a test, and lets the next one in.
    package func callAsFunction<Result>(_ body: () async throws -> Result) async throws -> Result {
        await lock.lock()
        defer { lock.unlock() }
        return try await body()
    }
}
