public import HoldfastStorage

/// Wakes the change feeds of a store when a commit of this process has been made.
public final class ChangeSignal: Sendable {
    private struct State {
        var sequence: UInt64
        var announcementCount: UInt64 = 0
        var isClosed = false
        var tickets: [UInt64: Ticket] = [:]
        var lastTicket: UInt64 = 0

        /// Ends the wait of a ticket, which may be forgotten already.
        ///
        /// - Returns: The task to be resumed; `nil` if it does not wait yet, or no longer.
        mutating func end(_ number: UInt64) -> CheckedContinuation<Void, Never>? {
            guard let ticket = tickets[number] else { return nil }
            tickets[number] = .over
            if case .waiting(let continuation) = ticket { return continuation }
            return nil
        }
    }

    /// A task that waits for a commit.
    private enum Ticket {
        /// It has not begun to wait.
        case drawn
        case waiting(CheckedContinuation<Void, Never>)
        /// It need not wait any longer.
        case over
    }

    private let state: Mutex<State>

    /// Creates a signal.
    ///
    /// - Parameter sequence: The sequence of the store's last commit.
    public init(sequence: UInt64 = 0) { state = Mutex(State(sequence: sequence)) }

    /// Says that a commit was made; wakes every feed.
    public func advance(to sequence: UInt64) {
        wake { state in
            state.sequence = max(state.sequence, sequence)
            state.announcementCount += 1
        }
    }

    /// How often a commit was announced here.
    package var announcementCount: UInt64 { state.withLock(\.announcementCount) }

    /// Forgets announced commits that the log does not have; every wait for one after the last would end at once.
    ///
    /// - Parameters:
    ///   - sequence: The log has nothing after it.
    ///   - announcementCount: What ``announcementCount`` was before the log was read. Does nothing if a commit was
    ///     announced since then, which the log may have by now.
    package func forget(after sequence: UInt64, since announcementCount: UInt64) {
        state.withLock { state in
            if state.announcementCount == announcementCount { state.sequence = min(state.sequence, sequence) }
        }
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
    /// - Throws: ``/HoldfastStorage/StorageError`` `.cancelled` if the task is cancelled.
    public func wait(after sequence: UInt64, atMost limit: Duration?) async throws(StorageError) {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            state.tickets[state.lastTicket] = .drawn
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
                    guard case .drawn = state.tickets[ticket], !state.isClosed, state.sequence <= sequence else {
                        return true
                    }
                    state.tickets[ticket] = .waiting(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            giveUp(ticket)
        }
        alarm?.cancel()
        // The alarm may come later, and finds no ticket then.
        state.withLock { state in state.tickets[ticket] = nil }
        if Task.isCancelled { throw StorageError(.cancelled, "The task was cancelled while it waited for a commit.") }
    }

    /// How many tasks wait.
    var waitingCount: Int { state.withLock(\.tickets.count) }

    private func giveUp(_ number: UInt64) {
        state.withLock { state in state.end(number) }?.resume()
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            return state.tickets.keys.compactMap { number in state.end(number) }
        }
        for waiter in waiters { waiter.resume() }
    }
}
