import Synchronization

/// Gives every outbox entry a place behind all earlier ones of this process, also when the clock stands or goes back.
final class OutboxClock: Sendable {
    private let now: @Sendable () -> Int64
    private let last = Mutex<Int64>(.min)

    init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// The first of `count` consecutive places.
    func reserve(_ count: Int) -> Int64 {
        let present = now()
        return last.withLock { last in
            let first = last >= present ? last + 1 : present
            last = first + Int64(count) - 1
            return first
        }
    }
}
