#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// A repeatable-read transaction on its own connection.
///
/// Unchecked because `lock` protects the connection and what is done with it.
final class PostgreSQLSnapshot: AdapterSnapshot, @unchecked Sendable {
    let sequence: UInt64
    let store: PostgreSQLStore
    private let lock = AsyncMutex()
    private let closed = Mutex(false)
    private var connection: PostgreSQLConnection?
    /// What was asked for and must be received before anything else; only with `lock` held.
    private var ahead: PostgreSQLAhead?
    /// Cursors of scans that were dropped; they are closed with the next use of the connection.
    private let dropped = Mutex<[String]>([])
    private let cursorCount = Mutex(0)

    /// Takes over a connection with an open transaction.
    init(_ connection: PostgreSQLConnection, sequence: UInt64, store: PostgreSQLStore) {
        self.connection = connection
        self.sequence = sequence
        self.store = store
    }

    deinit {
        store.pool.unregister(ObjectIdentifier(self))
        guard let connection else { return }
        let (pool, hasAhead) = (store.pool, ahead != nil)
        pool.queue.enqueue { Self.release(connection, afterReceiving: hasAhead, to: pool) }
    }

    private static func release(
        _ connection: PostgreSQLConnection, afterReceiving hasAhead: Bool, to pool: PostgreSQLPool
    ) {
        // If that fails, so does what follows.
        if hasAhead { _ = try? connection.receive() }
        pool.release(connection.rollBack() ? connection : nil, from: .snapshot)
    }

    /// Whether ``close()`` has done its work.
    var isClosed: Bool { closed.load() }

    /// The connection, which has answered everything; only with `lock` held.
    private func openConnection() async throws(StorageError) -> PostgreSQLConnection {
        guard let connection else { throw StorageError.closedStore() }
        if ahead != nil { await receiveAhead(connection) }
        return connection
    }

    // MARK: Reading by key

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        let read = PostgreSQLRead(table: try store.table(request.entity), keys: request.keys)
        try read.take(try await perform(read.commands), into: &rows)
    }

    func get(_ requests: [GetRequest]) async throws(StorageError) -> [RowBuffer] {
        let reads = try store.reads(requests)
        return try reads.answers(try await perform(reads.flatMap(\.commands)))
    }

    /// Runs short commands after a savepoint, so that the snapshot outlives their failure.
    private func perform(_ commands: [PostgreSQLCommand]) async throws(StorageError) -> [PostgreSQLResult] {
        await lock.lock()
        defer { lock.unlock() }
        let connection = try await openConnection()
        do throws(PostgreSQLStoreFailure) {
            return Array(try await connection.perform(Self.guarded(commands)).dropFirst().dropLast())
        } catch {
            await recover(connection)
            throw error.error
        }
    }

    // MARK: Queries

    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
        let table = try store.table(range.entity)
        let query = PostgreSQLQueryWriter(PostgreSQLPredicateWriter(table: table)).scan(range)
        return PostgreSQLScan(PostgreSQLScanState(self, query, of: table))
    }

    func scan(_ range: BoundVersionRange) async throws(StorageError) -> any AdapterScan {
        let table = try store.table(range.entity.name)
        let query = PostgreSQLQueryWriter(PostgreSQLPredicateWriter(table: table)).scan(range)
        return PostgreSQLScan(PostgreSQLScanState(self, query, of: table))
    }

    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        let table = try store.table(query.entity.name)
        guard let statements = PostgreSQLQueryWriter(PostgreSQLPredicateWriter(table: table)).query(query) else {
            return try await queryByScan(query)
        }
        let expectsFew = query.predicate != .constant(true)
        return PostgreSQLScan(PostgreSQLScanState(self, statements, of: table, expectsFew: expectsFew))
    }

    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        let table = try store.table(aggregate.query.entity.name)
        guard let steps = PostgreSQLQueryWriter(PostgreSQLPredicateWriter(table: table)).aggregate(aggregate) else {
            return try await aggregateByScan(aggregate)
        }
        let results = try await perform(steps.map(\.command), stoppedBy: PostgreSQLCancellation())
        var values = Array(repeating: Value.null, count: aggregate.functions.count)
        for (step, result) in zip(steps, results) { try step.take(result, aggregate, table, into: &values) }
        return values
    }

    /// A name for a cursor that no other of this transaction has.
    func makeCursorName() -> String { "c\(cursorCount.increment())" }

    /// Closes a cursor soon; never blocks.
    func drop(_ cursor: String) { dropped.withLock { $0.append(cursor) } }

    /// Runs commands that may take long, and that a cancelled task ends.
    ///
    /// They come after a savepoint, so that the snapshot outlives their failure.
    func perform(
        _ commands: [PostgreSQLCommand], stoppedBy cancellation: PostgreSQLCancellation
    ) async throws(StorageError) -> [PostgreSQLResult] {
        await lock.lock()
        defer { lock.unlock() }
        let connection = try await openConnection()
        let forgotten = dropped.withLock { dropped in
            defer { dropped = [] }
            return dropped
        }
        // A cancellation may end any of them, so all come after the savepoint.
        let batch = Self.guarded(forgotten.map { PostgreSQLCommand("CLOSE \($0)", isKept: false) } + commands)
        let pool = store.pool
        let outcome = await withTaskCancellationHandler {
            await cancellation.perform(batch, on: connection)?.mapError(\.error)
        } onCancel: {
            cancellation.cancel(on: pool)
        }
        // The task was cancelled while it waited for `lock`: there is nothing to recover from.
        guard let outcome else {
            dropped.withLock { $0 += forgotten }
            throw StorageError.cancelledWork()
        }
        do {
            let results = try outcome.get()
            return Array(results.dropFirst(forgotten.count + 1).dropLast())
        } catch {
            await recover(connection)
            throw Self.reason(error, cancellation)
        }
    }

    private static func guarded(_ commands: [PostgreSQLCommand]) -> [PostgreSQLCommand] {
        [PostgreSQLCommand("SAVEPOINT holdfast")] + commands + [PostgreSQLCommand("RELEASE SAVEPOINT holdfast")]
    }

    private static func reason(_ error: StorageError, _ cancellation: PostgreSQLCancellation) -> StorageError {
        cancellation.isCancelled && error.kind == .busy ? StorageError.cancelledWork() : error
    }

    /// Returns to the savepoint; a cancellation that arrives late may end the first try.
    ///
    /// If that fails, the transaction has ended, and the connection counts as lost: the server would refuse every command.
    private func recover(_ connection: PostgreSQLConnection) async {
        for _ in 0..<2 where !connection.isUnusable {
            let commands = [
                PostgreSQLCommand("ROLLBACK TO SAVEPOINT holdfast"),
                PostgreSQLCommand("RELEASE SAVEPOINT holdfast"),
            ]
            if (try? await connection.perform(commands)) != nil { return }
        }
        connection.isUnusable = true
    }

    // MARK: Reading ahead

    /// Asks for a batch that will be needed soon; does not wait for the server.
    ///
    /// - Parameters:
    ///   - command: Fetches the batch.
    ///   - cancellation: Ends the command.
    /// - Returns: `nil` if others use the snapshot, if it is closed or broken, or if the task was cancelled; nothing was
    ///   asked for then.
    func askAhead(
        _ command: PostgreSQLCommand, stoppedBy cancellation: PostgreSQLCancellation
    ) async -> PostgreSQLAhead? {
        guard lock.tryLock() else { return nil }
        defer { lock.unlock() }
        // Before sending, so that what is sent can always be stopped.
        guard let connection, ahead == nil, cancellation.begin(on: connection) else { return nil }
        guard (try? connection.sendAtOnce(Self.guarded([command]))) != nil else {
            await cancellation.end(on: connection)
            return nil
        }
        let ahead = PostgreSQLAhead(stoppedBy: cancellation)
        self.ahead = ahead
        return ahead
    }

    /// The batch that was asked for; a cancelled task ends the wait.
    func receive(_ ahead: PostgreSQLAhead) async throws(StorageError) -> PostgreSQLResult {
        let pool = store.pool
        return try await withTaskCancellationHandler { () -> Result<PostgreSQLResult, StorageError> in
            await lock.lock()
            defer { lock.unlock() }
            if self.ahead === ahead, let connection { await receiveAhead(connection) }
            return ahead.outcome ?? .failure(StorageError.closedStore())
        } onCancel: {
            ahead.cancellation.cancel(on: pool)
        }.get()
    }

    /// Receives what was asked for ahead, for the scan that did so; only with `lock` held.
    private func receiveAhead(_ connection: PostgreSQLConnection) async {
        guard let ahead else { return }
        self.ahead = nil
        var outcome: Result<PostgreSQLResult, StorageError>
        do throws(PostgreSQLStoreFailure) {
            outcome = .success(try await connection.receiveAnswer()[1])
        } catch {
            outcome = .failure(error.error)
        }
        await ahead.cancellation.end(on: connection)
        if case .failure(let error) = outcome {
            await recover(connection)
            outcome = .failure(Self.reason(error, ahead.cancellation))
        }
        ahead.outcome = outcome
    }

    func close() async {
        store.pool.unregister(ObjectIdentifier(self))
        await lock.lock()
        defer { lock.unlock() }
        closed.store(true)
        guard let connection else { return }
        await receiveAhead(connection)
        self.connection = nil
        store.pool.release(await connection.leaveTransaction() ? connection : nil, from: .snapshot)
    }
}
#endif
