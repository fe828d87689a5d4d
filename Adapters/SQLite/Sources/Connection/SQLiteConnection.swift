#if SQLite
internal import CSQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// One connection to the database; owns the `sqlite3` handle and all its statements.
///
/// Unchecked because SQLite is opened without its own mutex: a connection has one holder at a time. The writer's
/// is touched on the writer's queue only; a reader's by the snapshot that took it from the pool, under the snapshot's
/// lock if there is a snapshot.
final class SQLiteConnection: @unchecked Sendable {
    let handle: OpaquePointer
    /// What the running query looks at; set and cleared by the connection's holder around each run.
    var cancellation: Cancellation?
    /// How often the running query may still ask whether to continue; `nil` if there is no limit.
    ///
    /// It asks every 4,000 steps of SQLite's machine, some 100 microseconds, counted over all runs of the statement:
    /// the first question may come at once.
    var questionBudget: Int?
    /// Whether its holder has one of the places of snapshots; set and cleared by the pool.
    var hasPlace = false
    /// How many migrations the store had when its handle was opened.
    var migrationCount: Int64 = 0
    /// Statements that read one record by key, one for each entity.
    var pointReads: [SQLiteStatement?] = []
    private var cache: [String: (statement: SQLiteStatement, lastUse: UInt64)] = [:]
    private var useCount: UInt64 = 0
    private var isOpen = true
    private(set) var busyTimeout = Duration.zero
    private var waitingSince = ContinuousClock.now
    private static let cacheCapacity = 64
    /// Longer statements are hardly ever run twice.
    private static let longestCachedText = 16 << 10

    init(path: String, flags: Int32) throws(StorageError) {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, nil)
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteErrorMapping.error(
                handle.map { sqlite3_extended_errcode($0) } ?? SQLITE_NOMEM,
                detail: handle.map { String(cString: sqlite3_errmsg($0)) })
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        sqlite3_extended_result_codes(handle, 1)
        for option in [SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_TRUSTED_SCHEMA] {
            _ = holdfast_sqlite3_db_config(handle, option, 0)
        }
        _ = holdfast_sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        try SQLiteFunctions.register(on: handle)
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            handle, 4_000,
            { context in
                guard let context else { return 0 }
                let connection = Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
                return connection.continues() ? 0 : 1
            }, context)
    }

    private func continues() -> Bool {
        if let budget = questionBudget {
            questionBudget = budget - 1
            return budget > 0
        }
        return !(cancellation?.isCancelled ?? false)
    }

    deinit {
        close()
    }

    /// Ends all statements and the connection, which must not be used afterwards; idempotent.
    func close() {
        clearCache()
        if isOpen { sqlite3_close_v2(handle) }
        isOpen = false
    }

    // MARK: Statements

    /// A statement for a text, from the cache if it is there; ``release(_:)`` returns it.
    func take(_ sql: String) throws(StorageError) -> SQLiteStatement {
        if let cached = cache.removeValue(forKey: sql) { return cached.statement }
        return try SQLiteStatement(sql, connection: handle)
    }

    /// A statement for a long text that is cached under a short key.
    func take(key: String, _ sql: () -> String) throws(StorageError) -> SQLiteStatement {
        if let cached = cache.removeValue(forKey: key) { return cached.statement }
        return try SQLiteStatement(sql(), connection: handle, key: key)
    }

    /// Resets a statement and keeps it for later.
    func release(_ statement: SQLiteStatement) {
        statement.reset()
        statement.freeLargeCopies()
        if statement.key.utf8.count > Self.longestCachedText { return }
        if cache.count >= Self.cacheCapacity, let oldest = cache.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            cache[oldest.key] = nil
        }
        useCount += 1
        cache[statement.key] = (statement, useCount)
    }

    /// Runs a statement without rows.
    func execute(_ sql: String, _ parameters: [SQLiteParameter] = []) throws(StorageError) {
        let statement = try take(sql)
        try statement.bind(parameters)
        while try statement.step() {}
        release(statement)
    }

    /// Runs a statement that will not be run again.
    func executeOnce(_ sql: String) throws(StorageError) {
        let statement = try SQLiteStatement(sql, connection: handle)
        while try statement.step() {}
    }

    /// Calls a closure for each row of a statement.
    func forEachRow(
        _ sql: String, _ parameters: [SQLiteParameter] = [],
        _ body: (SQLiteStatement) throws(StorageError) -> Void
    ) throws(StorageError) {
        let statement = try take(sql)
        try statement.bind(parameters)
        do {
            while try statement.step() { try body(statement) }
        } catch {
            statement.reset()
            throw error
        }
        release(statement)
    }

    /// The first cell of the first row, or `nil` without rows.
    func integer(_ sql: String, _ parameters: [SQLiteParameter] = []) throws(StorageError) -> Int64? {
        let statement = try take(sql)
        try statement.bind(parameters)
        let result = try statement.step() ? statement.integer(0) : nil
        release(statement)
        return result
    }

    /// Drops all cached statements.
    func clearCache() {
        cache = [:]
        pointReads = []
    }

    // MARK: State

    /// Whether no transaction is open; true also after SQLite rolled one back by itself.
    var isAutocommit: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// The rows that the last statement inserted, updated or deleted.
    var changeCount: Int { Int(sqlite3_changes64(handle)) }

    /// Whether the file cannot be written.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// How long statements wait for other connections.
    ///
    /// SQLite's own waiting looks less and less often, at last every 100 milliseconds, and so finds the lock taken
    /// again each time while another process has much to write.
    func setBusyTimeout(_ duration: Duration) {
        busyTimeout = duration
        sqlite3_busy_handler(
            handle,
            { context, count in
                guard let context else { return 0 }
                return Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue().waitForLock(count)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Waits a little for a lock.
    ///
    /// - Parameter count: How often it has been waited for already.
    /// - Returns: 0 if the time is over.
    private func waitForLock(_ count: Int32) -> Int32 {
        let now = ContinuousClock.now
        if count == 0 { waitingSince = now }
        let rest = busyTimeout - (now - waitingSince)
        if rest <= .zero { return 0 }
        SQLiteTurns.wait(min(rest, SQLiteTurns.lockInterval))
        return 1
    }

    /// One of SQLite's run-time limits.
    func limit(_ category: Int32) -> Int { Int(sqlite3_limit(handle, category, -1)) }

    /// Ends a transaction if one is open, in any state.
    func rollBack() {
        if isAutocommit { return }
        if (try? execute("ROLLBACK")) == nil { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }
}
#endif
