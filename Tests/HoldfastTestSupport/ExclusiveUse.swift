import HoldfastModel
import HoldfastStorage

/// Lets tests of several targets use something that the process has one of, one test at a time.
package final class ExclusiveUse: Sendable {
    /// Of the `ModelRegistry`, which each test finds empty.
    package static let modelRegistry = ExclusiveUse { ModelRegistry.reset() }

    private let lock = AsyncMutex()
    private let reset: @Sendable () -> Void

    private init(reset: @escaping @Sendable () -> Void) { self.reset = reset }

    /// Waits for the others, runs a test, and lets the next one in.
    package func callAsFunction<Result>(_ body: () async throws -> Result) async throws -> Result {
        await lock.lock()
        defer {
            reset()
            lock.unlock()
        }
        return try await body()
    }
}
