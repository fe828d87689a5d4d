#if SQLite
internal import CSQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// An open store: what stays the same from opening to closing.
final class SQLiteStore: Sendable {
    let readers: SQLiteReaderPool
    /// The commits that wait for the connection that writes; `nil` if the file cannot be written.
    let commits: CommitQueue?
    let committer: SQLiteCommitter?
    let readQueue = WorkQueue(label: "holdfast.sqlite.readers", width: .concurrent)
    let limits = SQLiteLimits.library
    private let tables: [String: SQLiteTable]
    /// The log of commits, if there is one.
    private let log: SQLiteChangeLog?
    private let file: SQLiteFile
    private let configuration: SQLiteConfiguration

    /// Opens the store; blocks.
    init(_ configuration: SQLiteConfiguration, _ request: OpenRequest) throws(StorageError) {
        self.configuration = configuration
        let file = try SQLiteFile(configuration.location)
        self.file = file
        do throws(StorageError) {
            let opening = SQLiteOpening(configuration: configuration, file: file, request: request)
            let (connection, catalog) = try opening.open()
            var tables: [String: SQLiteTable] = [:]
            for (number, entity) in request.schema.entities.enumerated() {
                guard let stored = catalog.entity(named: entity.name) else {
                    throw StorageError.unknownEntity(entity.name)
                }
                tables[entity.name] = try SQLiteTable(entity, number: number, stored: stored)
            }
            self.tables = tables
            readers = SQLiteReaderPool(
                path: file.path, configuration: configuration, migrationCount: catalog.migrationCount)
            let log = try SQLiteChangeLog(configuration, connection, schema: request.schema)
            self.log = log
            let committer =
                connection.isReadOnly
                ? nil
                : SQLiteCommitter(
                    path: file.path, configuration: configuration, tables: tables,
                    migrationCount: catalog.migrationCount, limits: limits, log: log)
            self.committer = committer
            try readers.adopt(connection)
            commits = committer.map { CommitQueue(label: "holdfast.sqlite.writer", writer: $0) }
        } catch {
            file.deleteIfTemporary()
            throw error
        }
    }

    deinit { file.deleteIfTemporary() }

    /// The table of an entity.
    func table(_ entity: String) throws(StorageError) -> SQLiteTable {
        guard let table = tables[entity] else { throw StorageError.unknownEntity(entity) }
        return table
    }

    /// Opens a snapshot; waits its turn if too many are open.
    func snapshot() async throws(StorageError) -> SQLiteSnapshot {
        try await readers.acquirePlace()
        if let connection = try readers.acquireIdle(hasPlace: true) {
            return try SQLiteSnapshot(connection, store: self)
        }
        return try await readQueue.run { () throws(StorageError) in
            try SQLiteSnapshot(try self.readers.acquire(hasPlace: true), store: self)
        }
    }

    /// Reads records as last committed.
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        let table = try table(request.entity)
        if request.keys.count <= SQLiteSnapshot.inlineKeyCount, let connection = try readers.acquireIdle() {
            return try read(request.keys, of: table, connection, into: &rows)
        }
        try await readQueue.fill(&rows) { rows throws(StorageError) in
            try self.read(request.keys, of: table, try self.readers.acquire(), into: &rows)
        }
    }

    /// Reads records with an acquired connection, and releases it.
    ///
    /// The snapshot that several keys need takes no place: it ends with the work. A caller who holds a snapshot may read
    /// here, and must not wait for others to close theirs.
    private func read(
        _ keys: [RecordKey], of table: SQLiteTable, _ connection: SQLiteConnection, into rows: inout RowBuffer
    ) throws(StorageError) {
        if keys.count > 1 { return try SQLiteSnapshot(connection, store: self).read(keys, of: table, into: &rows) }
        defer { readers.release(connection) }
        try connection.withoutSnapshot { () throws(StorageError) in try connection.read(keys, of: table, into: &rows) }
    }

    /// Reads a page as last committed: on the caller's thread, if it takes few steps.
    ///
    /// What SQLite can read by itself takes no place either.
    func page(_ query: BoundQuery, into rows: inout RowBuffer) async throws(StorageError) {
        let writer = SQLiteQueryWriter(table: try table(query.entity.name), limits: limits)
        guard let statement = writer.query(query) else { return try await snapshot().page(query, into: &rows) }
        if query.limit ?? .max <= SQLiteSnapshot.inlinePageSize, let connection = try readers.acquireIdle() {
            defer { readers.release(connection) }
            let isDone = try connection.withoutSnapshot { () throws(StorageError) in
                try connection.read(statement, into: &rows)
            }
            if isDone { return }
        }
        let cancellation = Cancellation()
        try await readQueue.fill(&rows, stopping: cancellation) { rows throws(StorageError) in
            let snapshot = try SQLiteSnapshot(try self.readers.acquire(), store: self)
            try snapshot.page(statement, stoppedBy: cancellation, into: &rows)
        }
    }

    /// Ends everything: commits that wait are carried out, snapshots are closed.
    func close() async {
        log?.signal.close()
        await commits?.finish()
        for snapshot in readers.beginClosing() { await snapshot.close() }
        await readers.allReturned()
        // The last connection that closes copies the log into the file.
        await committer?.finishCheckpoints()
        try? await commits?.run { self.committer?.close() }
        file.deleteIfTemporary()
    }

    // MARK: Changes

    /// Starts a change feed.
    func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed {
        guard let log, configuration.changeLogCommitCount > 0 else {
            throw StorageError.missingChangeLog()
        }
        let start = if let sequence { sequence } else { try await lastSequence() }
        return LoggedChangeFeed(
            after: start, isAtEnd: sequence == nil, signal: log.signal, pollInterval: .milliseconds(100),
            longestPollInterval: .seconds(1)
        ) { [self] after, isKnown throws(StorageError) in
            try await read { connection throws(StorageError) in
                try log.element(after: after, withoutRecordsOf: isKnown, connection)
            }
        }
    }

    /// The sequence of the store's last commit; read on the caller's thread if a connection is idle.
    private func lastSequence() async throws(StorageError) -> UInt64 {
        if let connection = try readers.acquireIdle() {
            defer { readers.release(connection) }
            return try connection.lastSequence()
        }
        return try await read { connection throws(StorageError) in try connection.lastSequence() }
    }

    /// Runs a closure with an acquired connection, off the caller's executor.
    private func read<Success: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        try await readQueue.run { () throws(StorageError) in
            let connection = try self.readers.acquire()
            defer { self.readers.release(connection) }
            return try body(connection)
        }
    }

    // MARK: Maintenance

    /// Checks the database's structure and that the catalog and the tables agree.
    func verify() async throws(StorageError) -> [String] {
        try await readQueue.run { () throws(StorageError) in
            let connection = try self.readers.acquire()
            defer { self.readers.release(connection) }
            do throws(StorageError) {
                return try connection.defects()
            } catch  where error.kind == .corruption {
                return ["The database cannot be read: \(error.nativeCode ?? error.message)."]
            }
        }
    }

    /// Copies the store to a path at which nothing exists.
    func backUp(to destination: String) async throws(StorageError) {
        let mode = configuration.fileMode
        try await readQueue.run { () throws(StorageError) in
            let connection = try self.readers.acquire()
            defer { self.readers.release(connection) }
            try connection.backUp(to: destination, mode: mode)
        }
    }
}
#endif
