import HoldfastStorage

/// A commit on its way, which its task may give up until it is begun.
final class PendingCommit: Sendable {
    typealias Outcome = Result<CommitReceipt, StorageError>

    private enum State {
        case new
        case waiting(UnsafeContinuation<Outcome, Never>)
        case cancelled
        case begun
    }

    let request: CommitRequest
    /// The rows and keys of all operations.
    let rowCount: Int
    private let state = Mutex(State.new)

    init(_ request: CommitRequest) {
        self.request = request
        rowCount = request.operations.reduce(0) { count, operation in
            switch operation {
            case .put(_, let rows, _): count + rows.rowCount
            case .delete(_, let keys): count + keys.count
            case .clear: count + 1
            }
        }
    }

    /// Stores who waits.
    ///
    /// - Returns: `false` if the task was cancelled already; it receives that error.
    func wait(_ continuation: UnsafeContinuation<Outcome, Never>) -> Bool {
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .waiting(continuation)
            return false
        }
        if isCancelled { continuation.resume(returning: .failure(StorageError.cancelledWork())) }
        return !isCancelled
    }

    /// Marks the commit as begun; from now on it is carried through.
    ///
    /// - Returns: Who waits, or `nil` if the commit was cancelled.
    func begin() -> UnsafeContinuation<Outcome, Never>? {
        state.withLock { state in
            guard case .waiting(let continuation) = state else { return nil }
            state = .begun
            return continuation
        }
    }

    /// Gives the commit up if it is not begun.
    func cancel() {
        let waiting = state.withLock { state -> UnsafeContinuation<Outcome, Never>? in
            switch state {
            case .begun, .cancelled: return nil
            case .new:
                state = .cancelled
                return nil
            case .waiting(let continuation):
                state = .cancelled
                return continuation
            }
        }
        waiting?.resume(returning: .failure(StorageError.cancelledWork()))
    }
}
