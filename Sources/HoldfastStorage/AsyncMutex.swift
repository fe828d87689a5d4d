/// A lock that suspends the tasks that wait for it, first come, first served, instead of blocking their threads.
///
/// It may be held across suspensions. Waiting cannot be cancelled.
package final class AsyncMutex: Sendable {
    private struct State {
        var isLocked = false
        var waiters: [UnsafeContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Creates a lock that is free.
    package init() {}

    /// Takes the lock if it is free.
    ///
    /// - Returns: Whether it was free.
    package func tryLock() -> Bool {
        state.withLock { state in
            if state.isLocked { return false }
            state.isLocked = true
            return true
        }
    }

    /// Waits for the lock.
    package func lock() async {
        if tryLock() { return }
        await withUnsafeContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isLocked {
                    state.waiters.append(continuation)
                    return false
                }
                state.isLocked = true
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// Gives the lock to the task that waits longest.
    package func unlock() {
        let next = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            if state.waiters.isEmpty {
                state.isLocked = false
                return nil
            }
            return state.waiters.removeFirst()
        }
        next?.resume()
    }
}
