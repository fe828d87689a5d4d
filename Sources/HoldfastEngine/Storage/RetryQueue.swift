import Synchronization

/// Lets one writer at a time try again, first come, first served.
///
/// Writers of one process that change one record at once defeat each other: only one of them can succeed at a time.
/// Those that failed queue here, so that each competes only with writers that have just begun. If these keep defeating
/// it (``insist()``), writers that begin queue behind it too, so that it competes with ever fewer and gets through.
final class RetryQueue: Sendable {
    private struct State {
        var isTaken = false
        var isInsisting = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Whether writers that begin have to queue.
    var isInsisting: Bool { state.withLock { $0.isInsisting } }

    /// Waits for its turn; ``leave()`` ends it, also after an error.
    func enter() async {
        await withCheckedContinuation { continuation in
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

    /// Makes writers that begin queue behind the one whose turn it is.
    func insist() { state.withLock { $0.isInsisting = true } }

    /// Gives the turn to the next.
    func leave() {
        let next = state.withLock { state in
            state.isInsisting = false
            if state.waiters.isEmpty {
                state.isTaken = false
                return CheckedContinuation<Void, Never>?.none
            }
            return state.waiters.removeFirst()
        }
        next?.resume()
    }
}
