public import HoldfastStorage

/// Wakes the change feeds of a store when a commit of this process has been made.
public final class ChangeSignal: Sendable {
    private struct State {
        var sequence: UInt64
        var isClosed = false
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastTicket: UInt64 = 0
        /// Tickets that were given up before their task began to wait.
        var givenUp: Set<UInt64> = []
    }
    private let state: Mutex<State>

    /// Creates a signal.
    ///
    /// - Parameter sequence: The sequence of the store's last commit.
    public init(sequence: UInt64 = 0) { state = Mutex(State(sequence: sequence)) }

    /// Says that a commit was made; wakes every feed.
    public func advance(to sequence: UInt64) {
        wake { state in state.sequence = max(state.sequence, sequence) }
    }

    /// Says that the store is closed; wakes every feed.
    public func close() {
        wake { state in state.isClosed = true }
    }

    /// Whether the store is closed.
    public var isClosed: Bool { state.withLock(\.isClosed) }

    /// The sequence of the last commit that was announced here.
    public var sequence: UInt64 { state.withLock(\.sequence) }

    /// Waits for a commit after a sequence, for the store to be closed, or for some time to pass.
    ///
    /// - Throws: ``StorageError`` `.cancelled` if the task is cancelled.
    public func wait(behind sequence: UInt64, atMost limit: Duration?) async throws(StorageError) {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let alarm = limit.map { limit in
            Task {
                try await Task.sleep(for: limit)
                giveUp(ticket)
            }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isClosed || state.sequence > sequence || state.givenUp.remove(ticket) != nil {
                        return true
                    }
                    state.waiters[ticket] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            giveUp(ticket)
        }
        alarm?.cancel()
        state.withLock { state in _ = state.givenUp.remove(ticket) }
        if Task.isCancelled { throw StorageError(.cancelled, "The task was cancelled while it waited for a commit.") }
    }

    private func giveUp(_ ticket: UInt64) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: ticket)
            if waiter == nil { state.givenUp.insert(ticket) }
            return waiter
        }
        waiter?.resume()
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            defer { state.waiters = [:] }
            return state.waiters.values.map { $0 }
        }
        for waiter in waiters { waiter.resume() }
    }
}
