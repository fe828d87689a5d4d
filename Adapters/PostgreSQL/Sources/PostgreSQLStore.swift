#if PostgreSQL
    internal import HoldfastAdapterKit
    internal import HoldfastStorage
    internal import Synchronization

    /// An open store: what stays the same from opening to closing.
    final class PostgreSQLStore: Sendable {
        let pool: PostgreSQLPool
        let serverVersion: Int
        private let tables: [String: PostgreSQLTable]
        private let configuration: PostgreSQLConfiguration
        private let committer: PostgreSQLCommitter
        private let commitCount = Atomic<Int>(0)

        /// The answer of a server nearby is waited for on the caller's thread for this many milliseconds.
        static let inlineWait: Int32 = 1
        /// Commits after which the log is cut.
        private static let pruneInterval = 512

        /// Opens the store; blocks.
        init(_ configuration: PostgreSQLConfiguration, _ request: OpenRequest) throws(StorageError) {
            self.configuration = configuration
            let opening = PostgreSQLOpening(configuration: configuration, request: request)
            let (connection, catalog) = try opening.open()
            serverVersion = connection.serverVersion
            var tables: [String: PostgreSQLTable] = [:]
            for entity in request.schema.entities {
                guard let stored = catalog.entity(named: entity.name) else {
                    throw StorageError.unknownEntity(entity.name)
                }
                tables[entity.name] = try PostgreSQLTable(entity, stored: stored, schema: configuration.schema)
            }
            self.tables = tables
            pool = PostgreSQLPool(configuration)
            pool.adopt(connection)
            committer = PostgreSQLCommitter(pool: pool, tables: tables, configuration: configuration)
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
            return try await retrying(.snapshot) { connection async throws(PostgreSQLStoreFailure) in
                let sequence = try await connection.beginSnapshot(schema: schema, pool: self.pool)
                return PostgreSQLSnapshot(connection, sequence: sequence, store: self)
            }
        }

        /// Reads records as last committed.
        func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
            let table = try table(request.entity)
            if request.keys.count > PostgreSQLRead.chunkKeyCount {
                let snapshot = try await snapshot()
                do {
                    try await snapshot.get(request, into: &rows)
                } catch {
                    await snapshot.close()
                    throw error
                }
                return await snapshot.close()
            }
            let read = PostgreSQLRead(table: table, keys: request.keys)
            let commands = read.commands
            let results = try await retrying(.work) { connection async throws(PostgreSQLStoreFailure) in
                try await connection.perform(commands, on: self.pool)
            }
            try read.take(results, into: &rows)
        }

        /// Runs a closure with a connection, again with another if the server went away and came back.
        ///
        /// A connection for a snapshot stays lent when the closure succeeds.
        private func retrying<Success: Sendable>(
            _ purpose: PostgreSQLPool.Purpose,
            _ body: (PostgreSQLConnection) async throws(PostgreSQLStoreFailure) -> Success
        ) async throws(StorageError) -> Success {
            let start = ContinuousClock.now
            while true {
                do throws(StorageError) {
                    let connection = try await pool.lend(for: purpose)
                    do throws(PostgreSQLStoreFailure) {
                        let result = try await body(connection)
                        if purpose == .work { pool.giveBack(connection, from: purpose) }
                        return result
                    } catch {
                        // A statement that failed in a transaction leaves it open; a new connection is simplest.
                        pool.giveBack(nil, from: purpose)
                        throw error.error
                    }
                } catch {
                    guard error.kind == .connectionLost, ContinuousClock.now - start < configuration.waitTimeout else {
                        throw error
                    }
                    pool.dropIdle()
                    try StorageError.checkCancellation()
                    await pool.pause(milliseconds: 20)
                }
            }
        }

        // MARK: Writing

        /// Commits a request.
        func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
            let receipt = try await committer.commit(request)
            let count = commitCount.add(1, ordering: .relaxed).newValue
            if count.isMultiple(of: Self.pruneInterval) { pool.queue.enqueue { self.prune() } }
            return receipt
        }

        /// Forgets commits that nobody can ask for any more; the last one stays.
        private func prune() {
            let schema = configuration.schema.quotedIdentifier
            guard let connection = try? pool.lendIdle(for: .work) else { return }
            _ = try? connection.run([
                PostgreSQLCommand(
                    "DELETE FROM \(schema).holdfast_commit WHERE sequence IN (SELECT sequence FROM (SELECT sequence, "
                        + "committed_at FROM \(schema).holdfast_commit ORDER BY sequence LIMIT 2048) AS o "
                        + "WHERE committed_at < now() - interval '1 hour') "
                        + "AND sequence < (SELECT max(sequence) FROM \(schema).holdfast_commit)"),
                PostgreSQLCommand(
                    "DELETE FROM \(schema).holdfast_deletion AS d "
                        + "WHERE sequence < (SELECT min(sequence) FROM \(schema).holdfast_commit) AND EXISTS (SELECT 1 "
                        + "FROM \(schema).holdfast_deletion AS n WHERE n.entity = d.entity AND n.sequence > d.sequence)"
                ),
            ])
            pool.giveBack(connection.isUnusable ? nil : connection, from: .work)
        }

        // MARK: The whole store

        /// Compares the tables with the catalog.
        func verify() async throws(StorageError) -> [String] {
            let schema = configuration.schema
            return try await retrying(.work) { connection async throws(PostgreSQLStoreFailure) in
                let outcome = await self.pool.queue.runCatching { () throws(StorageError) in
                    do throws(PostgreSQLStoreFailure) {
                        return try connection.defects(schema: schema)
                    } catch {
                        throw error.error
                    }
                }
                return try PostgreSQLStoreFailure.of { () throws(StorageError) in try outcome.get() }
            }
        }

        /// Ends everything: commits under way are carried out, snapshots are closed.
        func close() async {
            for snapshot in pool.beginClosing() { await snapshot.close() }
            await pool.allReturned()
        }
    }

    extension WorkQueue {
        /// Runs blocking work; what it throws is a value.
        func runCatching<Success: Sendable>(
            _ body: @escaping @Sendable () throws(StorageError) -> Success
        ) async -> Result<Success, StorageError> {
            do {
                return .success(try await run(body))
            } catch {
                return .failure(error)
            }
        }
    }

    extension PostgreSQLConnection {
        /// Runs short commands: sends them here, and receives here what a server nearby answers at once.
        func perform(
            _ commands: [PostgreSQLCommand], on pool: PostgreSQLPool
        ) async throws(PostgreSQLStoreFailure) -> [PostgreSQLResult] {
            do throws(PostgreSQLFailure) {
                try send(commands)
                if answers(withinMilliseconds: PostgreSQLStore.inlineWait) { return try receive() }
            } catch {
                throw PostgreSQLStoreFailure(error)
            }
            let outcome: Result<[PostgreSQLResult], PostgreSQLFailure>? = try? await pool.queue.run {
                () throws(StorageError) in Result { () throws(PostgreSQLFailure) in try self.receive() }
            }
            switch outcome {
            case .success(let results): return results
            case .failure(let failure): throw PostgreSQLStoreFailure(failure)
            case nil: throw PostgreSQLStoreFailure(StorageError.closedStore())
            }
        }

        /// Begins a read transaction.
        ///
        /// - Returns: A sequence up to which the transaction sees every commit; that of the last one unless others are
        ///   just being made.
        func beginSnapshot(schema: String, pool: PostgreSQLPool) async throws(PostgreSQLStoreFailure) -> UInt64 {
            let begin = PostgreSQLCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            let results = try await perform(
                [
                    begin,
                    PostgreSQLCommand(
                        "SELECT coalesce(max(sequence), 0), pg_snapshot_xmin(pg_current_snapshot())::text::int8 "
                            + "FROM \(schema).holdfast_commit"),
                ], on: pool)
            let last = results[1].integer(0, 0)
            // Every transaction with a smaller number than this has ended, whatever it did.
            if last < results[1].integer(0, 1) + sequenceBase { return UInt64(bitPattern: last) }
            // Others are under way, of this store or not. Who writes to the log holds a lock on it until the commit can
            // be seen; whoever holds none now, and has a number already, has ended before the snapshot that comes next.
            var parameters = PostgreSQLParameters()
            parameters.append("\(schema).holdfast_commit")
            let bound = try await perform(
                [
                    PostgreSQLCommand("ROLLBACK"),
                    PostgreSQLCommand(
                        """
                        WITH x AS MATERIALIZED (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::int8 AS next),
                        l AS (SELECT DISTINCT virtualtransaction AS v FROM pg_locks WHERE locktype = 'relation'
                            AND relation = $1::regclass AND mode = 'RowExclusiveLock'
                            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())),
                        d AS (SELECT (x.next % 4294967296 - t.transactionid::text::int8 + 4294967296) % 4294967296 AS age
                            FROM x, l JOIN pg_locks AS t ON t.virtualtransaction = l.v
                            WHERE t.locktype = 'transactionid' AND t.mode = 'ExclusiveLock' AND t.granted)
                        SELECT x.next - coalesce((SELECT max(age) FROM d WHERE age < 2147483648), 0) FROM x
                        """, parameters),
                ], on: pool)
            parameters = PostgreSQLParameters()
            parameters.append(bound[1].integer(0, 0) + sequenceBase)
            let seen = try await perform(
                [
                    begin,
                    PostgreSQLCommand(
                        "SELECT coalesce(max(sequence), 0) FROM \(schema).holdfast_commit WHERE sequence < $1",
                        parameters),
                ], on: pool)
            return UInt64(bitPattern: seen[1].integer(0, 0))
        }
    }
#endif
