#if Sync
internal import HoldfastStorage

/// Work that one does for all who want it at the same time.
final class Renewal: Sendable {
    private let running = Mutex<Task<Void, Never>?>(nil)

    /// Waits for the work in progress, or does it.
    func run(_ body: @escaping @Sendable () async -> Void) async {
        let task = running.withLock { running in
            if let running { return running }
            let task = Task {
                await body()
                self.running.withLock { $0 = nil }
            }
            running = task
            return task
        }
        await task.value
    }
}
#endif
