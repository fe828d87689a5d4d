#if Sync
internal import HoldfastStorage

/// Work that one does for all who want it at the same time.
final class Renewal: Sendable {
    private let running = Mutex<Task<Void, any Error>?>(nil)

    /// Waits for the work in progress, or does it.
    ///
    /// - Throws: What the work throws, for all who waited.
    func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let task = running.withLock { running in
            if let running { return running }
            let task = Task {
                defer { self.running.withLock { $0 = nil } }
                try await body()
            }
            running = task
            return task
        }
        try await task.value
    }
}
#endif
