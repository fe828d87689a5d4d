#if SQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// A read transaction on its own connection.
///
/// Unchecked because `lock` protects the connection, its statements and everything else that is mutable here.
final class SQLiteSnapshot: AdapterSnapshot, @unchecked Sendable {
    let sequence: UInt64
    let store: SQLiteStore
    private let lock = Mutex<Void>(())
    private let closed = Mutex(false)
    private var connection: SQLiteConnection?
    /// Statements of scans that have begun and not ended.
    private var running: [ObjectIdentifier: SQLiteStatement] = [:]
    /// Scans that were dropped; their statements end with the next use of the connection.
    private let dropped = Mutex<[ObjectIdentifier]>([])

    /// More keys than this are not read on the caller's thread.
    static let inlineKeyCount = 64
    /// Nor is a page with more rows.
    static let inlinePageSize = 128

    /// Begins a read transaction.
    ///
    /// - Throws: ``StorageError``, `.closed` if the store was closed meanwhile; the connection goes back to the pool.
    init(_ connection: SQLiteConnection, store: SQLiteStore) throws(StorageError) {
        self.store = store
        do {
            try connection.execute("BEGIN")
            sequence = try connection.lastSequenceUnlessMigrated()
        } catch {
            connection.rollBack()
            store.readers.release(connection)
            throw error
        }
        self.connection = connection
        if store.readers.register(self) { return }
        release()
        throw StorageError.closedStore()
    }

    deinit {
        store.readers.unregister(ObjectIdentifier(self))
        release()
    }

    // MARK: Reading by key

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        let table = try store.table(request.entity)
        if request.keys.count <= Self.inlineKeyCount {
            let isDone = try lock.withLockIfAvailable { _ throws(StorageError) in
                try openConnection().read(request.keys, of: table, into: &rows)
                return true
            }
            if isDone != nil { return }
        }
        try await store.readQueue.fill(&rows) { rows throws(StorageError) in
            try self.read(request.keys, of: table, into: &rows)
        }
    }

    /// Reads records by key; blocks while another task uses the connection.
    func read(_ keys: [RecordKey], of table: SQLiteTable, into rows: inout RowBuffer) throws(StorageError) {
        try lock.withLock { _ throws(StorageError) in try openConnection().read(keys, of: table, into: &rows) }
    }

    // MARK: Queries

    private func writer(_ table: SQLiteTable) -> SQLiteQueryWriter {
        SQLiteQueryWriter(table: table, limits: store.limits)
    }

    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
        let table = try store.table(range.entity)
        let query = writer(table).scan(range)
        return SQLiteScan(SQLiteScanState(self, query))
    }

    func scan(_ range: BoundVersionRange) async throws(StorageError) -> any AdapterScan {
        let query = writer(try store.table(range.entity.name)).scan(range)
        return SQLiteScan(SQLiteScanState(self, query))
    }

    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        let table = try store.table(query.entity.name)
        guard let statement = writer(table).query(query) else {
            return try await queryByScan(query)
        }
        return SQLiteScan(SQLiteScanState(self, statement))
    }

    /// Reads all rows of a query; blocks.
    ///
    /// - Throws: ``StorageError``; `rows` is empty in that case.
    func page(
        _ query: SQLiteQuery, stoppedBy cancellation: Cancellation, into rows: inout RowBuffer
    ) throws(StorageError) {
        rows.reset(columnCount: query.layout.cellCount)
        do throws(StorageError) {
            let scan = SQLiteScanState(self, query, stoppedBy: cancellation)
            _ = try fill(&rows, maximumRowCount: .max, of: scan)
        } catch {
            rows.reset(columnCount: query.layout.cellCount)
            throw error
        }
    }

    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        let table = try store.table(aggregate.query.entity.name)
        guard let steps = writer(table).aggregate(aggregate) else {
            return try await aggregateByScan(aggregate)
        }
        let cancellation = Cancellation()
        return try await store.readQueue.run(stopping: cancellation) { () throws(StorageError) in
            try self.withConnection(stoppedBy: cancellation) { connection throws(StorageError) in
                var values = Array(repeating: Value.null, count: aggregate.functions.count)
                for step in steps {
                    try connection.run(step, of: aggregate, table: table, into: &values)
                }
                return values
            }
        }
    }

    // MARK: The connection

    /// Whether ``close()`` has done its work.
    var isClosed: Bool { closed.load() }

    /// The connection; the lock must be held.
    ///
    /// - Throws: ``StorageError`` `.closed`; `.io` if SQLite has ended the transaction, which it does after some errors:
    ///   a read would then see the newest state.
    private func openConnection() throws(StorageError) -> SQLiteConnection {
        guard let connection else { throw StorageError.closedStore() }
        if connection.isAutocommit {
            throw StorageError(
                .io, "The snapshot was lost with an earlier error of the disk or of memory; take another one.",
                retry: .immediately)
        }
        return connection
    }

    /// Runs a closure with the connection, under the lock; blocks.
    private func withConnection<Success: Sendable>(
        stoppedBy cancellation: Cancellation,
        _ body: (SQLiteConnection) throws(StorageError) -> Success
    ) throws(StorageError) -> Success {
        try lock.withLock { _ throws(StorageError) in
            let connection = try openConnection()
            endDroppedScans(connection)
            try cancellation.check()
            connection.cancellation = cancellation
            defer { connection.cancellation = nil }
            return try body(connection)
        }
    }

    private func endDroppedScans(_ connection: SQLiteConnection) {
        let scans = dropped.withLock { dropped in
            defer { dropped = [] }
            return dropped
        }
        for scan in scans { end(scan, connection) }
    }

    private func end(_ scan: ObjectIdentifier, _ connection: SQLiteConnection) {
        if let statement = running.removeValue(forKey: scan) { connection.release(statement) }
    }

    /// Ends all statements and the transaction, and returns the connection; the lock must be held or no other user
    /// left.
    private func release() {
        guard let connection else { return }
        closed.store(true)
        self.connection = nil
        for statement in running.values { connection.release(statement) }
        running = [:]
        connection.rollBack()
        store.readers.release(connection)
    }

    func close() async {
        store.readers.unregister(ObjectIdentifier(self))
        let isDone: Void? = lock.withLockIfAvailable { _ in release() }
        if isDone != nil { return }
        try? await store.readQueue.run { () throws(StorageError) in self.lock.withLock { _ in self.release() } }
    }

    // MARK: Scans

    /// Fills a buffer with the next rows of a scan; blocks.
    ///
    /// - Returns: Whether the scan is over.
    func fill(_ rows: inout RowBuffer, maximumRowCount: Int, of scan: SQLiteScanState) throws(StorageError) -> Bool {
        let identifier = ObjectIdentifier(scan)
        return try withConnection(stoppedBy: scan.cancellation) { connection throws(StorageError) in
            do throws(StorageError) {
                let isLast = try fill(&rows, maximumRowCount, of: scan, identifier, connection)
                scan.progress.rowCount += rows.rowCount
                return isLast
            } catch {
                end(identifier, connection)
                throw error
            }
        }
    }

    /// Fills a buffer with a page on the caller's thread, if no other task uses the connection and it takes few steps.
    ///
    /// - Returns: Whether the scan is over; `nil` if it has to begin elsewhere.
    func fillAtOnce(
        _ rows: inout RowBuffer, maximumRowCount: Int, of scan: SQLiteScanState
    ) throws(StorageError) -> Bool? {
        let outcome = try lock.withLockIfAvailable { _ throws(StorageError) -> Bool? in
            let connection = try openConnection()
            endDroppedScans(connection)
            connection.questionBudget = 1
            defer { connection.questionBudget = nil }
            let identifier = ObjectIdentifier(scan)
            do throws(StorageError) {
                let isLast = try fill(&rows, maximumRowCount, of: scan, identifier, connection)
                scan.progress.rowCount += rows.rowCount
                return isLast
            } catch {
                end(identifier, connection)
                scan.progress = (0, 0)
                rows.reset(columnCount: scan.query.layout.cellCount)
                if error.kind == .cancelled { return nil }
                throw error
            }
        }
        return outcome ?? nil
    }

    private func fill(
        _ rows: inout RowBuffer, _ maximumRowCount: Int, of scan: SQLiteScanState, _ identifier: ObjectIdentifier,
        _ connection: SQLiteConnection
    ) throws(StorageError) -> Bool {
        let layout = scan.query.layout
        while true {
            let statement = try statement(of: scan, identifier, connection, read: rows.rowCount)
            while rows.rowCount < maximumRowCount {
                guard try statement.step() else {
                    end(identifier, connection)
                    scan.progress.part += 1
                    if scan.progress.part == scan.query.parts.count { return true }
                    if scan.query.limit == scan.progress.rowCount + rows.rowCount { return true }
                    break
                }
                try layout.append(statement, to: &rows)
            }
            if rows.rowCount == maximumRowCount {
                guard scan.query.limit == scan.progress.rowCount + rows.rowCount else { return false }
                end(identifier, connection)
                return true
            }
        }
    }

    /// The scan's statement, begun if it is not yet.
    private func statement(
        of scan: SQLiteScanState, _ identifier: ObjectIdentifier, _ connection: SQLiteConnection, read count: Int
    ) throws(StorageError) -> SQLiteStatement {
        if let statement = running[identifier] { return statement }
        let statement = try connection.begin(
            scan.progress.part, of: scan.query, read: scan.progress.rowCount + count)
        running[identifier] = statement
        return statement
    }

    /// Ends a scan's statement soon; never blocks.
    func drop(_ scan: ObjectIdentifier) {
        let isDone: Void? = lock.withLockIfAvailable { _ in
            if let connection { end(scan, connection) }
        }
        if isDone == nil { dropped.withLock { $0.append(scan) } }
    }
}
#endif
