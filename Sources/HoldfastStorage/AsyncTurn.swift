/// Lets one task after the other use something, without blocking a thread.
package final class AsyncTurn: Sendable {
    private struct State {
        var isTaken = false
        var waiters: [UnsafeContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Creates a turn that is free.
    package init() {}

    /// Takes the turn if it is free.
    ///
    /// - Returns: Whether it was free.
    package func takeIfFree() -> Bool {
        state.withLock { state in
            if state.isTaken { return false }
            state.isTaken = true
            return true
        }
    }

    /// Waits for the turn.
    package func take() async {
        if takeIfFree() { return }
        await withUnsafeContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken {
                    state.waiters.append(continuation)
                    return false
                }
                state.isTaken = true
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// Passes the turn on.
    package func pass() {
        let next = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            if state.waiters.isEmpty {
                state.isTaken = false
                return nil
            }
            return state.waiters.removeFirst()
        }
        next?.resume()
    }
}
