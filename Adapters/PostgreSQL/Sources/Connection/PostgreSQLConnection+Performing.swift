#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

extension PostgreSQLConnection {
    /// Runs commands in order; blocks.
    ///
    /// - Returns: One result for each.
    func perform(_ commands: [PostgreSQLCommand]) throws(PostgreSQLStoreFailure) -> [PostgreSQLResult] {
        do {
            return try run(commands)
        } catch {
            throw PostgreSQLStoreFailure(error)
        }
    }

    /// Runs short commands: sends them here, and receives here what a server nearby answers at once.
    ///
    /// - Parameter commands: Run in this order.
    /// - Returns: One result for each command.
    /// - Throws: ``PostgreSQLStoreFailure`` of the first command that fails, or if the connection is lost or closed.
    func perform(_ commands: [PostgreSQLCommand]) async throws(PostgreSQLStoreFailure) -> [PostgreSQLResult] {
        do throws(PostgreSQLFailure) {
            try sendAtOnce(commands)
        } catch {
            throw PostgreSQLStoreFailure(error)
        }
        return try await receiveAnswer()
    }

    /// Receives the results of what ``sendAtOnce(_:areForgotten:)`` sent.
    ///
    /// - Returns: One result for each command.
    /// - Throws: ``PostgreSQLStoreFailure`` of the first command that fails, or if the connection is lost or closed.
    func receiveAnswer() async throws(PostgreSQLStoreFailure) -> [PostgreSQLResult] {
        let start = ContinuousClock.now
        do throws(PostgreSQLFailure) {
            if try flushAtOnce(), let results = try receiveSoon(since: start) {
                if pace.yields(at: start) { await Task.yield() }
                return results
            }
        } catch {
            throw PostgreSQLStoreFailure(error)
        }
        let outcome: Result<[PostgreSQLResult], PostgreSQLFailure>? = try? await queue.run {
            () throws(StorageError) in Result { () throws(PostgreSQLFailure) in try self.receiveRest(since: start) }
        }
        switch outcome {
        case .success(let results): return results
        case .failure(let failure): throw PostgreSQLStoreFailure(failure)
        case nil: throw PostgreSQLStoreFailure(StorageError.closedStore())
        }
    }

    /// Ends a transaction that only read, without waiting for the server to say so.
    ///
    /// A pool must be waited for: it passes the session on when the transaction has ended, even if a part of the next
    /// batch has arrived.
    ///
    /// - Returns: Whether the connection can be used again.
    func leaveTransaction() async -> Bool {
        if isUnusable || mayBeCancelled { return false }
        if transactionSettings != nil { return (try? await perform([.rollback])) != nil }
        do throws(PostgreSQLFailure) {
            if try sendAtOnce([.rollback], areForgotten: true) { return true }
        } catch {
            return false
        }
        let isDone: Bool? = try? await queue.run { () throws(StorageError) in (try? self.receive()) != nil }
        return isDone == true
    }
}
#endif
