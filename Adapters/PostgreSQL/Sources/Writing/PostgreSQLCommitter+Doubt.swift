#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Commits whose connection was lost before the server said what became of them.
extension PostgreSQLCommitter {
    /// In place of the number of records in the line of a token that was taken from its commit.
    private static let takenMark: Int64 = -1

    /// Finds out what became of a try, once and for all.
    ///
    /// It takes the token of the try: a line with it is written to the log of commits and made durable. While the try
    /// is in progress the server makes this wait. If the try was made, its own line is there. If it was not, it can no
    /// longer be made, however much of it still waits in the server, since tokens are unique.
    ///
    /// Also continues in a task that is cancelled.
    ///
    /// - Parameters:
    ///   - token: The token of the try.
    ///   - cause: What the connection was lost with.
    /// - Returns: The receipt of the try, or `nil` if it changed nothing and never will.
    /// - Throws: `cause` with an unknown outcome if the server does not say within the configured time, or if asking
    ///   fails with anything but `.connectionLost` or `.busy`.
    func settle(
        _ token: [UInt8], after cause: StorageError
    ) async throws(StorageError) -> CommitReceipt? {
        let deadline = ContinuousClock.now + configuration.waitTimeout
        while true {
            pool.dropIdle()
            do throws(StorageError) {
                let connection = try await acquireCertainly()
                let outcome = await connection.queue.runCatching { () throws(StorageError) in
                    try take(token, within: deadline - .now, connection)
                }
                pool.release(connection.isUnusable ? nil : connection, from: .work)
                return try outcome.get()
            } catch {
                let mayPass = error.kind == .connectionLost || error.kind == .busy
                if !mayPass || ContinuousClock.now >= deadline {
                    var error = cause
                    error.transaction = .outcomeUnknown
                    throw error
                }
            }
            await pool.pause(milliseconds: 50)
        }
    }

    /// Acquires a connection also for a task that is cancelled.
    private func acquireCertainly() async throws(StorageError) -> PostgreSQLConnection {
        let pool = pool
        let outcome: Result<PostgreSQLConnection, StorageError> = await Task {
            do throws(StorageError) {
                return .success(try await pool.acquire(for: .work))
            } catch {
                return .failure(error)
            }
        }.value
        return try outcome.get()
    }

    /// Takes a token from its commit unless that was made; blocks.
    ///
    /// A line that is there is written again as it is: the server flushes its log, and waits for synchronous replicas,
    /// at the end of a transaction only if that wrote to the log (`RecordTransactionCommit` in `xact.c`). Otherwise a
    /// commit could be acknowledged that the replica which takes over does not have.
    private func take(
        _ token: [UInt8], within time: Duration, _ connection: PostgreSQLConnection
    ) throws(StorageError) -> CommitReceipt? {
        var line = PostgreSQLParameters()
        line.append(connection.sequenceBase)
        line.append(.bytes(token), as: .bytes)
        line.append(Self.takenMark)
        var parameters = PostgreSQLParameters()
        parameters.append(.bytes(token), as: .bytes)
        do throws(PostgreSQLFailure) {
            let results = try connection.run([
                .begin("READ COMMITTED"),
                PostgreSQLCommand("SET LOCAL lock_timeout = \(max(1, time.milliseconds))", isKept: false),
                PostgreSQLCommand(
                    "INSERT INTO \(schema).holdfast_commit AS c (sequence, token, put_count) "
                        + "VALUES (\(PostgreSQLTable.sequence), $2, $3) "
                        + "ON CONFLICT (token) DO UPDATE SET put_count = c.put_count", line),
                PostgreSQLCommand(
                    "SELECT c.sequence, c.put_count, (SELECT coalesce(sum(d.record_count), 0)::int8 "
                        + "FROM \(schema).holdfast_deletion AS d WHERE d.sequence = c.sequence) "
                        + "FROM \(schema).holdfast_commit AS c WHERE c.token = $1", parameters),
                .commit,
            ])
            let row = results[3]
            guard row.rowCount == 1 else {
                throw PostgreSQLFailure(
                    state: "XX001", constraint: nil, index: 3, detail: "", isConnectionLost: false)
            }
            if row.integer(0, 1) == Self.takenMark { return nil }
            return CommitReceipt(
                sequence: UInt64(bitPattern: row.integer(0, 0)), putCount: Int(row.integer(0, 1)),
                deletedCount: Int(row.integer(0, 2)))
        } catch {
            // Asked before the connection goes back: a transaction that stays open makes it useless.
            if !connection.rollBack() { connection.isUnusable = true }
            throw error.storageError
        }
    }
}
#endif
