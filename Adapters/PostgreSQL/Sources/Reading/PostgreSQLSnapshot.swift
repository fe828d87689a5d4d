#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// A repeatable-read transaction on its own connection.
///
/// Unchecked because `lock` protects the connection and what is done with it.
final class PostgreSQLSnapshot: AdapterSnapshot, @unchecked Sendable {
    let sequence: UInt64
    let store: PostgreSQLStore
    /// Begins a transaction that sees one moment.
    static let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    private let lock = AsyncTurn()
    private let closed = Mutex(false)
    private var connection: PostgreSQLConnection?
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
        let pool = store.pool
        pool.queue.enqueue { Self.release(connection, to: pool) }
    }

    private static func release(_ connection: PostgreSQLConnection, to pool: PostgreSQLPool) {
        pool.giveBack(connection.rollBack() ? connection : nil, from: .snapshot)
    }

    /// Whether ``close()`` has done its work.
    var isClosed: Bool { closed.load() }

    /// The connection; only in a turn.
    private func openConnection() throws(StorageError) -> PostgreSQLConnection {
        guard let connection else { throw StorageError.closedStore() }
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

    private func perform(_ commands: [PostgreSQLCommand]) async throws(StorageError) -> [PostgreSQLResult] {
        await lock.take()
        defer { lock.pass() }
        let connection = try openConnection()
        do throws(PostgreSQLStoreFailure) {
            return try await connection.perform(commands)
        } catch {
            throw error.error
        }
    }

    // MARK: Queries

    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
        let query = PostgreSQLQueryWriter(PostgreSQLPredicateWriter(table: try store.table(range.entity))).scan(range)
        return PostgreSQLScan(PostgreSQLScanState(self, query))
    }

    func scan(_ range: BoundVersionRange) async throws(StorageError) -> any AdapterScan {
        let table = try store.table(range.entity.name)
        let query = PostgreSQLQueryWriter(PostgreSQLPredicateWriter(table: table)).scan(range)
        return PostgreSQLScan(PostgreSQLScanState(self, query))
    }

    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        let table = try store.table(query.entity.name)
        guard let statements = PostgreSQLQueryWriter(PostgreSQLPredicateWriter(table: table)).query(query) else {
            return try await queryByScan(query)
        }
        let expectsFew = query.predicate != .constant(true)
        return PostgreSQLScan(PostgreSQLScanState(self, statements, expectsFew: expectsFew))
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
        _ commands: [PostgreSQLCommand], stoppedBy cancellation: PostgreSQLCancellation,
        waitsInline: Bool = true
    ) async throws(StorageError) -> [PostgreSQLResult] {
        await lock.take()
        defer { lock.pass() }
        let connection = try openConnection()
        if cancellation.isCancelled { throw StorageError.cancelledWork() }
        let forgotten = dropped.withLock { dropped in
            defer { dropped = [] }
            return dropped
        }
        var batch = forgotten.map { PostgreSQLCommand("CLOSE \($0)", isKept: false) }
        batch.append(PostgreSQLCommand("SAVEPOINT holdfast"))
        batch += commands
        batch.append(PostgreSQLCommand("RELEASE SAVEPOINT holdfast"))
        let (pool, finalBatch) = (store.pool, batch)
        let outcome = await withTaskCancellationHandler {
            await cancellation.perform(finalBatch, on: connection, waitsInline: waitsInline).mapError(\.error)
        } onCancel: {
            cancellation.cancel(on: pool)
        }
        do {
            let results = try outcome.get()
            return Array(results.dropFirst(forgotten.count + 1).dropLast())
        } catch {
            try await recover(connection)
            if cancellation.isCancelled && error.kind == .busy { throw StorageError.cancelledWork() }
            throw error
        }
    }

    /// Returns to the savepoint; a cancellation that arrives late may end the first try.
    private func recover(_ connection: PostgreSQLConnection) async throws(StorageError) {
        for _ in 0..<2 where !connection.isUnusable {
            let commands = [
                PostgreSQLCommand("ROLLBACK TO SAVEPOINT holdfast"),
                PostgreSQLCommand("RELEASE SAVEPOINT holdfast"),
            ]
            if (try? await connection.perform(commands)) != nil { return }
        }
    }

    func close() async {
        store.pool.unregister(ObjectIdentifier(self))
        await lock.take()
        defer { lock.pass() }
        closed.store(true)
        guard let connection else { return }
        self.connection = nil
        store.pool.giveBack(await connection.leaveTransaction() ? connection : nil, from: .snapshot)
    }
}
#endif
