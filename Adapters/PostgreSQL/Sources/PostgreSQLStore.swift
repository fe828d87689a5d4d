#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// An open store: what stays the same from opening to closing.
final class PostgreSQLStore: Sendable {
    let pool: PostgreSQLPool
    let serverVersion: Int
    let timeline: PostgreSQLTimeline?
    private let tables: [String: PostgreSQLTable]
    /// How many migrations the store had when it was opened.
    private let migrationCount: Int64
    /// Asks how many it has now.
    private let migrationQuery: PostgreSQLCommand
    private let configuration: PostgreSQLConfiguration
    private let committer: PostgreSQLCommitter
    private let log: PostgreSQLChangeLog?
    private let pruning = Mutex(Pruning())

    private struct Pruning {
        var commitCount = 0
        /// Deletes earlier commits; `nil` when that is done.
        var task: Task<Void, Never>?

        /// Counts a commit; returns whether earlier commits should be deleted now.
        ///
        /// They should with the first commit, too: a handle may never make as many as lie between two times.
        mutating func isDue() -> Bool {
            defer { commitCount += 1 }
            return commitCount.isMultiple(of: PostgreSQLStore.pruneInterval) && task == nil
        }
    }

    /// Commits between two times that the log is cut.
    private static let pruneInterval = 512

    /// Opens the store; blocks.
    init(_ configuration: PostgreSQLConfiguration, _ request: OpenRequest) throws(StorageError) {
        self.configuration = configuration
        let opening = PostgreSQLOpening(configuration: configuration, request: request)
        let (connection, catalog, hasChangeLog) = try opening.open()
        serverVersion = connection.serverVersion
        var tables: [String: PostgreSQLTable] = [:]
        for entity in request.schema.entities {
            guard let stored = catalog.entity(named: entity.name) else {
                throw StorageError.unknownEntity(entity.name)
            }
            tables[entity.name] = try PostgreSQLTable(entity, stored: stored, schema: configuration.schema)
        }
        self.tables = tables
        migrationCount = catalog.migrationCount
        migrationQuery = PostgreSQLCommand(
            "SELECT " + PostgreSQLCatalog.migrationQuery(in: configuration.schema.quotedIdentifier))
        timeline = PostgreSQLTimeline(of: connection)
        try timeline?.hold(connection)
        pool = PostgreSQLPool(configuration, timeline: timeline)
        pool.adopt(connection)
        log = hasChangeLog ? PostgreSQLChangeLog(configuration, pool, schema: request.schema) : nil
        committer = PostgreSQLCommitter(
            pool: pool, tables: tables, migrationCount: migrationCount, configuration: configuration, log: log)
    }

    /// The table of an entity.
    func table(_ entity: String) throws(StorageError) -> PostgreSQLTable {
        guard let table = tables[entity] else { throw StorageError.unknownEntity(entity) }
        return table
    }

    // MARK: Reading

    /// Opens a snapshot.
    func snapshot() async throws(StorageError) -> PostgreSQLSnapshot {
        let schema = configuration.schema.quotedIdentifier
        let snapshot = try await retrying(.snapshot) { connection async throws(PostgreSQLStoreFailure) in
            let sequence = try await connection.beginSnapshot(schema: schema, migrationCount: self.migrationCount)
            return PostgreSQLSnapshot(connection, sequence: sequence, store: self)
        }
        if pool.register(snapshot) { return snapshot }
        await snapshot.close()
        throw StorageError.closedStore()
    }

    /// Reads records as last committed.
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        let read = PostgreSQLRead(table: try table(request.entity), keys: request.keys)
        try read.take(try await results(of: [read]), into: &rows)
    }

    /// Reads records of several entities as last committed, in one round trip.
    func get(_ requests: [GetRequest]) async throws(StorageError) -> [RowBuffer] {
        let reads = try reads(requests)
        return try reads.answers(try await results(of: reads))
    }

    /// The reads that answer some requests.
    func reads(_ requests: [GetRequest]) throws(StorageError) -> [PostgreSQLRead] {
        var reads: [PostgreSQLRead] = []
        for request in requests {
            reads.append(PostgreSQLRead(table: try table(request.entity), keys: request.keys))
        }
        return reads
    }

    private func results(of reads: [PostgreSQLRead]) async throws(StorageError) -> [PostgreSQLResult] {
        var commands = reads.flatMap(\.commands) + [migrationQuery]
        // Several statements of a read see one moment only in a transaction. It is not one of the snapshots: who
        // holds one may read here, and must not wait for others to give up theirs.
        let isSplit = reads.contains { $0.statementCount > 1 }
        if isSplit {
            commands.insert(.beginSnapshot, at: 0)
            commands.append(.commit)
        }
        let batch = commands
        let results = try await retrying(.work) { connection async throws(PostgreSQLStoreFailure) in
            try await connection.perform(batch)
        }
        return try checked(isSplit ? results.dropFirst().dropLast() : results[...])
    }

    /// The results without the last one, which is that of ``migrationQuery``.
    ///
    /// It is sent in the same batch as what is read, and runs after it: a migration before that shows.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch` if another handle has migrated the store.
    private func checked(_ results: ArraySlice<PostgreSQLResult>) throws(StorageError) -> [PostgreSQLResult] {
        if results.last?.integer(0, 0) != migrationCount { throw StorageError.migratedStore() }
        return Array(results.dropLast())
    }

    /// Reads a page as last committed; a single statement sees one moment by itself, several need a snapshot.
    func page(_ query: BoundQuery, into rows: inout RowBuffer) async throws(StorageError) {
        let table = try table(query.entity.name)
        guard let statements = PostgreSQLQueryWriter(PostgreSQLPredicateWriter(table: table)).query(query),
            statements.parts.count == 1
        else { return try await snapshot().page(query, into: &rows) }
        let result = try await stoppable(statements.command(part: 0, readCount: 0))
        let layout = statements.layout
        rows.reset(columnCount: layout.cellCount, rowCapacity: result.rowCount)
        do throws(StorageError) {
            try table.check(result)
            for row in 0..<result.rowCount { try layout.append(result, row: row, to: &rows) }
        } catch {
            rows.reset(columnCount: layout.cellCount)
            throw error
        }
    }

    /// The result of a command that may take long, and that a cancelled task ends.
    ///
    /// The connection is not used again after that: the request to stop may arrive late, and end another command.
    private func stoppable(_ command: PostgreSQLCommand) async throws(StorageError) -> PostgreSQLResult {
        let (cancellation, pool) = (PostgreSQLCancellation(), pool)
        let outcome: Result<PostgreSQLResult, StorageError> = await withTaskCancellationHandler {
            do throws(StorageError) {
                let results = try await retrying(.work) {
                    connection async throws(PostgreSQLStoreFailure) -> [PostgreSQLResult]? in
                    // Nothing was sent then, and others can use the connection.
                    guard let outcome = await cancellation.perform([command, self.migrationQuery], on: connection)
                    else { return nil }
                    if cancellation.isCancelled { throw PostgreSQLStoreFailure(StorageError.cancelledWork()) }
                    return try outcome.get()
                }
                guard let results else { throw StorageError.cancelledWork() }
                return .success(try checked(results[...])[0])
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancellation.cancel(on: pool)
        }
        return try outcome.get()
    }

    /// Runs a closure with a connection, again with another if the server went away and came back.
    ///
    /// A connection for a snapshot stays acquired when the closure succeeds.
    private func retrying<Success: Sendable>(
        _ purpose: PostgreSQLPool.Purpose,
        _ body: (PostgreSQLConnection) async throws(PostgreSQLStoreFailure) -> Success
    ) async throws(StorageError) -> Success {
        var retries = PostgreSQLRetries(for: configuration.waitTimeout)
        while true {
            do throws(StorageError) {
                let connection = try await pool.acquire(for: purpose)
                do throws(PostgreSQLStoreFailure) {
                    let result = try await body(connection)
                    if purpose == .work { pool.release(connection, from: purpose) }
                    return result
                } catch {
                    // A statement that failed in a transaction leaves it open; a new connection is simplest.
                    pool.release(nil, from: purpose)
                    throw error.error
                }
            } catch {
                // What is busy has waited for as long already.
                guard error.kind == .connectionLost else { throw error }
                pool.dropIdle()
                try await retries.wait(after: error)
            }
        }
    }

    // MARK: Writing

    /// Commits a request.
    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        let receipt = try await committer.commit(request)
        if !request.operations.isEmpty { log?.announce(receipt.sequence) }
        pruning.withLock { pruning in
            if pruning.isDue() { pruning.task = Task { await self.prune() } }
        }
        return receipt
    }

    /// Deletes commits that no reader can request any longer: those of the last hour stay, and what change feeds need.
    ///
    /// Waits for a connection: while there are many commits, no connection is idle, and the log grows.
    private func prune() async {
        defer { pruning.withLock { $0.task = nil } }
        let schema = configuration.schema.quotedIdentifier
        guard let connection = try? await pool.acquire(for: .work) else { return }
        var parameters = PostgreSQLParameters()
        parameters.append(connection.sequenceBase)
        let results = try? await connection.perform([
            PostgreSQLCommand(
                "WITH d AS (DELETE FROM \(schema).holdfast_commit WHERE sequence IN (SELECT sequence FROM "
                    + "(SELECT sequence, committed_at FROM \(schema).holdfast_commit ORDER BY sequence LIMIT 2048) "
                    + "AS o WHERE committed_at < now() - interval '1 hour') AND sequence < (SELECT sequence "
                    + "FROM \(schema).holdfast_commit ORDER BY sequence DESC LIMIT 1 OFFSET "
                    + "(SELECT change_log_count FROM \(schema).holdfast_store)) "
                    // Commits that are still in progress must find their place in a feed.
                    + "AND sequence < pg_snapshot_xmin(pg_current_snapshot())::text::int8 + $1 RETURNING sequence) "
                    + "UPDATE \(schema).holdfast_store SET forgotten_through = greatest(forgotten_through, "
                    + "(SELECT max(sequence) FROM d)) WHERE EXISTS (SELECT 1 FROM d)", parameters),
            PostgreSQLCommand(
                "DELETE FROM \(schema).holdfast_deletion AS d "
                    + "WHERE sequence < (SELECT min(sequence) FROM \(schema).holdfast_commit) AND EXISTS (SELECT 1 "
                    + "FROM \(schema).holdfast_deletion AS n WHERE n.entity = d.entity AND n.sequence > d.sequence)"
            ),
        ])
        pool.release(results == nil ? nil : connection, from: .work)
    }

    // MARK: Changes

    /// For tests: what wakes the feeds of this process, with the last commit that it announced; `nil` without a log.
    var changeSignal: ChangeSignal? { log?.signal }

    /// Starts a change feed.
    func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed {
        guard let log, configuration.changeLogCommitCount > 0 else {
            throw StorageError.missingChangeLog()
        }
        var start = sequence ?? 0
        if sequence == nil {
            let snapshot = try await snapshot()
            start = snapshot.sequence
            await snapshot.close()
        }
        let pace = PostgreSQLFeedPace()
        return LoggedChangeFeed(
            after: start, signal: log.signal, pollInterval: PostgreSQLChangeLog.pollInterval
        ) { [self] after, isKnown throws(StorageError) in
            log.listen()
            await log.wait(for: pace)
            return try await retrying(.work) { connection async throws(PostgreSQLStoreFailure) in
                try await log.element(after: after, withoutRecordsOf: isKnown, connection)
            }
        }
    }

    // MARK: The whole store

    /// Compares the tables with the catalog.
    func verify() async throws(StorageError) -> [String] {
        let schema = configuration.schema
        return try await retrying(.work) { connection async throws(PostgreSQLStoreFailure) in
            let outcome = await connection.queue.runCatching { () throws(StorageError) in
                do throws(PostgreSQLStoreFailure) {
                    return try connection.defects(schema: schema)
                } catch {
                    throw error.error
                }
            }
            return try PostgreSQLStoreFailure.of { () throws(StorageError) in try outcome.get() }
        }
    }

    /// Ends everything: commits in progress are carried out, snapshots are closed.
    func close() async {
        log?.close()
        // A handle may be closed right after its only commit.
        let task = pruning.withLock { $0.task }
        await task?.value
        // Each waits for a server that is silent, so they do it at the same time.
        await withTaskGroup(of: Void.self) { group in
            for snapshot in pool.beginClosing() { group.addTask { await snapshot.close() } }
        }
        await pool.allReturned()
    }
}
#endif
