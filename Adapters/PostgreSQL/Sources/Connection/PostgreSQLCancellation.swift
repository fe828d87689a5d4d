#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Tells the server to stop a running statement, and never another one.
final class PostgreSQLCancellation: Sendable {
    private struct State {
        var running: PostgreSQLConnection?
        var isCancelled = false
        /// Whether the server is being notified.
        var isSending = false
        /// Whether it was notified, but has not answered in time.
        var isUnanswered = false
        /// The task that waits until it has been notified.
        var ending: UnsafeContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Performs commands, which ``cancel(on:)`` stops.
    ///
    /// - Returns: What came of them; `nil` if nothing was sent, since ``cancel(on:)`` had been called.
    func perform(
        _ commands: [PostgreSQLCommand], on connection: PostgreSQLConnection
    ) async -> Result<[PostgreSQLResult], PostgreSQLStoreFailure>? {
        guard begin(on: connection) else { return nil }
        let outcome: Result<[PostgreSQLResult], PostgreSQLStoreFailure>
        do throws(PostgreSQLStoreFailure) {
            outcome = .success(try await connection.perform(commands))
        } catch {
            outcome = .failure(error)
        }
        await end(on: connection)
        return outcome
    }

    /// Commands are sent to a connection; ``end(on:)`` must follow when they are answered.
    ///
    /// - Returns: Whether ``cancel(on:)`` can stop them; it cannot if it was called before, and nothing has begun then.
    func begin(on connection: PostgreSQLConnection) -> Bool {
        state.withLock { state in
            if !state.isCancelled { state.running = connection }
            return !state.isCancelled
        }
    }

    /// The commands have ended; waits for a cancellation that is being sent, without blocking a thread.
    ///
    /// A server that hangs accepts the request and does not answer. It is waited for as long as for other answers; the
    /// request can arrive at any time then, so the connection is not used again.
    func end(on connection: PostgreSQLConnection) async {
        // Nothing that comes later can be stopped there.
        let isLost = connection.isUnusable
        await withUnsafeContinuation { continuation in
            let isDone = state.withLock { state in
                state.running = nil
                let isDone = isLost || !state.isSending
                if !isDone { state.ending = continuation }
                return isDone
            }
            if isDone { continuation.resume() }
        }
        if state.withLock({ $0.isUnanswered }) { connection.isUnusable = true }
    }

    /// Stops what runs, and lets nothing begin any longer; never blocks.
    func cancel(on pool: PostgreSQLPool) {
        let connection = state.withLock { state -> PostgreSQLConnection? in
            // What was running then has been stopped, and nothing has begun since.
            if state.isCancelled { return nil }
            state.isCancelled = true
            state.isSending = state.running != nil
            return state.running
        }
        guard let connection else { return }
        pool.afterSilence { [weak self] in self?.endSending(isAnswered: false) }
        pool.queue.enqueue {
            connection.cancel()
            self.endSending(isAnswered: true)
        }
    }

    /// The request was answered, or is waited for no longer; what comes second does nothing.
    private func endSending(isAnswered: Bool) {
        let ending = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            guard state.isSending else { return nil }
            state.isSending = false
            state.isUnanswered = !isAnswered
            defer { state.ending = nil }
            return state.ending
        }
        ending?.resume()
    }
}
#endif
