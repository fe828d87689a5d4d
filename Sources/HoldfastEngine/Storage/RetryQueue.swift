import HoldfastStorage

/// Lets one writer at a time try again, first come, first served.
///
/// Writers of one process that change one record at once defeat each other: only one of them can succeed at a time.
/// Those that failed queue here, so that each competes only with writers that have just begun. If these keep defeating
/// it, writers that begin queue behind it too, so that it competes with ever fewer and gets through.
///
/// A writer whose turn runs the caller's code could wait for another writer that waits for its turn. So writers called
/// from that code do not queue (``isBypassed``), and as they are not always known (the code may start tasks), each
/// attempt of such a turn holds other writers back only for ``firstTimeLimit``, doubled with every attempt, and only the
/// first ``timedAttempts`` do. After that, other writers continue without a turn until this turn is over.
final class RetryQueue: Sendable {
    /// How long the first attempt of a turn that runs the caller's code holds other writers back.
    static let firstTimeLimit = Duration.milliseconds(500)
    /// The number of attempts of a turn that runs the caller's code which hold other writers back.
    static let timedAttempts = 4

    /// Whether the current task runs the caller's code on behalf of a writer.
    @TaskLocal static var isBypassed = false

    private typealias Waiter = CheckedContinuation<Bool, Never>

    private struct State {
        var isTaken = false
        /// Whether writers that begin have to queue.
        var queuesNewWriters = false
        /// Whether the turn has exceeded its time limit, so that others no longer wait for it.
        var isOverdue = false
        /// Attempts of the turn.
        var attempts = 0
        /// Counts the attempts of all turns.
        var attempt: UInt64 = 0
        var waiters: [Waiter] = []

        mutating func begin() {
            (isTaken, queuesNewWriters, isOverdue, attempts) = (true, false, false, 0)
            attempt += 1
        }

        mutating func takeWaiters() -> [Waiter] {
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Mutex(State())
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a queue.
    ///
    /// - Parameter sleep: Lets time pass; an error ends it at once.
    init(sleep: @escaping @Sendable (Duration) async throws -> Void) { self.sleep = sleep }

    /// For tests: how many wait for their turn.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Whether writers that begin have to queue.
    var queuesNewWriters: Bool { state.withLock { $0.queuesNewWriters } }

    /// Waits for its turn.
    ///
    /// - Returns: Whether it has the turn, which ``leave()`` ends, also after an error; if not, it continues without.
    func enter() async -> Bool {
        await withCheckedContinuation { (continuation: Waiter) in
            let answer: Bool? = state.withLock { state in
                if !state.isTaken {
                    state.begin()
                    return true
                }
                if state.isOverdue { return false }
                state.waiters.append(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// An attempt of the one whose turn it is begins.
    ///
    /// - Parameters:
    ///   - queuesNewWriters: Whether writers that begin have to queue behind it.
    ///   - runsCallerCode: Whether the attempt runs code that may itself use the store.
    func beginAttempt(queuesNewWriters: Bool, runsCallerCode: Bool) {
        let (attempt, attempts, waiters) = state.withLock { state in
            state.attempt += 1
            state.attempts += 1
            state.isOverdue = runsCallerCode && state.attempts > Self.timedAttempts
            state.queuesNewWriters = queuesNewWriters && !state.isOverdue
            // The timer of the attempt before, for which they wait, finds that it is over and does nothing.
            return (state.attempt, state.attempts, state.isOverdue ? state.takeWaiters() : [])
        }
        for waiter in waiters { waiter.resume(returning: false) }
        guard runsCallerCode && attempts <= Self.timedAttempts else { return }
        Task.detached {
            try? await self.sleep(Self.firstTimeLimit * (1 << (attempts - 1)))
            self.endWaiting(for: attempt)
        }
    }

    /// Gives the turn to the next.
    func leave() {
        let next: Waiter? = state.withLock { state in
            if state.waiters.isEmpty {
                (state.isTaken, state.queuesNewWriters) = (false, false)
                return nil
            }
            state.begin()
            return state.waiters.removeFirst()
        }
        next?.resume(returning: true)
    }

    /// Lets the waiting writers continue without a turn if the attempt is not over.
    private func endWaiting(for attempt: UInt64) {
        let waiters = state.withLock { state in
            guard state.isTaken && state.attempt == attempt else { return [Waiter]() }
            (state.isOverdue, state.queuesNewWriters) = (true, false)
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume(returning: false) }
    }
}
