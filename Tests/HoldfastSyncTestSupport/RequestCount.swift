import HoldfastStorage

/// Counts, and wakes who waits for a number.
package final class RequestCount: Sendable {
    private struct State {
        var count = 0
        var waiter: (number: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())

    package init() {}

    package func add() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.count += 1
            guard let waiter = state.waiter, state.count >= waiter.number else { return nil }
            state.waiter = nil
            return waiter.continuation
        }
        waiter?.resume()
    }

    package func reach(_ number: Int) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isReached = state.withLock { state in
                if state.count < number { state.waiter = (number, continuation) }
                return state.count >= number
            }
            if isReached { continuation.resume() }
        }
    }
}
