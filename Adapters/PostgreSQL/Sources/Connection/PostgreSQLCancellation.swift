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
        /// The tasks that wait until it has been notified.
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
        await end()
        return outcome
    }

    /// Commands are sent to a connection; ``end()`` must follow when they are answered.
    ///
    /// - Returns: Whether ``cancel(on:)`` can stop them; it cannot if it was called before, and nothing has begun then.
    func begin(on connection: PostgreSQLConnection) -> Bool {
        state.withLock { state in
            if !state.isCancelled { state.running = connection }
            return !state.isCancelled
        }
    }

    /// The commands have ended; waits for a cancellation that is being sent, without blocking a thread.
    func end() async {
        await withUnsafeContinuation { continuation in
            let isDone = state.withLock { state in
                state.running = nil
                if state.isSending { state.ending = continuation }
                return !state.isSending
            }
            if isDone { continuation.resume() }
        }
    }

    /// Stops what runs, and lets nothing begin any longer; never blocks.
    func cancel(on pool: PostgreSQLPool) {
        let connection = state.withLock { state -> PostgreSQLConnection? in
            state.isCancelled = true
            if state.isSending { return nil }
            state.isSending = state.running != nil
            return state.running
        }
        guard let connection else { return }
        pool.queue.enqueue {
            connection.cancel()
            let ending = self.state.withLock { state in
                state.isSending = false
                defer { state.ending = nil }
                return state.ending
            }
            ending?.resume()
        }
    }
}
#endif
