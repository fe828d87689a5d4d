#if PostgreSQL
internal import HoldfastStorage

extension PostgreSQLConnection {
    /// Begins a read transaction.
    ///
    /// - Parameters:
    ///   - schema: The quoted name of the store's schema.
    ///   - migrationCount: How many migrations the store had when it was opened.
    /// - Returns: A sequence up to which the transaction sees every commit; that of the last one unless others are
    ///   just being made.
    /// - Throws: ``PostgreSQLStoreFailure`` if a query fails; with ``StorageError`` `.schemaMismatch` if another handle
    ///   has migrated the store.
    func beginSnapshot(schema: String, migrationCount: Int64) async throws(PostgreSQLStoreFailure) -> UInt64 {
        let migrations = PostgreSQLCatalog.migrationQuery(in: schema)
        let results = try await perform(
            [
                .beginSnapshot,
                PostgreSQLCommand(
                    "SELECT coalesce(max(sequence), 0), \(migrations), "
                        + "pg_snapshot_xmin(pg_current_snapshot())::text::int8 FROM \(schema).holdfast_commit"),
            ])
        try Self.check(results[1], migrationCount)
        let last = results[1].integer(0, 0)
        // Every transaction with a smaller number than this has ended, committed or not.
        if last < results[1].integer(0, 2) + sequenceBase { return UInt64(bitPattern: last) }
        let bound = try await settledBound(schema: schema, after: [.rollback])
        var parameters = PostgreSQLParameters()
        parameters.append(bound)
        let seen = try await perform(
            [
                .beginSnapshot,
                PostgreSQLCommand(
                    "SELECT coalesce(max(sequence), 0), \(migrations) FROM \(schema).holdfast_commit "
                        + "WHERE sequence < $1", parameters),
            ])
        try Self.check(seen[1], migrationCount)
        return UInt64(bitPattern: seen[1].integer(0, 0))
    }

    private static func check(
        _ beginning: PostgreSQLResult, _ migrationCount: Int64
    ) throws(PostgreSQLStoreFailure) {
        if beginning.integer(0, 1) != migrationCount { throw PostgreSQLStoreFailure(StorageError.migratedStore()) }
    }

    /// A sequence below which no commit is in progress: the next snapshot sees each that was made.
    ///
    /// Many transactions have nothing to do with the store. A transaction that writes to its log holds a lock on it,
    /// taken before the transaction has a number, until the commit can be seen; a transaction that holds none now, and
    /// has a number already, has ended. A number that was given out but is not among the locks yet counts as one of the
    /// store.
    ///
    /// - Parameters:
    ///   - schema: The quoted name of the store's schema.
    ///   - commands: Sent before the question.
    /// - Returns: The sequence.
    /// - Throws: ``PostgreSQLStoreFailure`` if a command or the question fails.
    func settledBound(
        schema: String, after commands: [PostgreSQLCommand] = []
    ) async throws(PostgreSQLStoreFailure) -> Int64 {
        var parameters = PostgreSQLParameters()
        parameters.append("\(schema).holdfast_commit")
        let question = PostgreSQLCommand(
            """
            WITH s AS MATERIALIZED (SELECT pg_current_snapshot() AS s),
            x AS MATERIALIZED (SELECT pg_snapshot_xmax(s)::text::int8 AS next FROM s),
            l AS MATERIALIZED (SELECT virtualtransaction AS v, locktype, transactionid::text::int8 AS number,
                locktype = 'relation' AND relation = $1::regclass AND mode = 'RowExclusiveLock'
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AS is_log
                FROM pg_locks WHERE locktype = 'relation' OR locktype = 'transactionid' AND mode = 'ExclusiveLock'
                AND granted),
            d AS (SELECT (x.next % 4294967296 - t.number + 4294967296) % 4294967296 AS age
                FROM x, l JOIN l AS t ON t.v = l.v WHERE l.is_log AND t.locktype = 'transactionid'),
            u AS (SELECT x.next - p::text::int8 AS age FROM s, x, pg_snapshot_xip(s.s) AS p
                WHERE NOT EXISTS (SELECT 1 FROM l WHERE l.locktype = 'transactionid'
                    AND l.number = p::text::int8 % 4294967296))
            SELECT x.next - coalesce((SELECT max(age) FROM d WHERE age < 2147483648), 0),
                x.next - coalesce((SELECT max(age) FROM u), 0) FROM x
            """, parameters)
        var result = try await perform(commands + [question])[commands.count]
        // Such a number is usually of a transaction that ended just now.
        for _ in 0..<3 where result.integer(0, 1) < result.integer(0, 0) {
            result = try await perform([question])[0]
        }
        return min(result.integer(0, 0), result.integer(0, 1)) + sequenceBase
    }
}
#endif
