#if SQLite
internal import CSQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Carries out groups of commits on the one connection that writes, opened for the first of them.
///
/// The commits of a group share a transaction: each is checked and applied in turn, one that fails is undone alone.
/// Unchecked because it is touched on the commit queue's thread only.
final class SQLiteCommitter: GroupWriter, @unchecked Sendable {
    private typealias Outcome = Result<CommitReceipt, StorageError>

    private let path: String
    private let configuration: SQLiteConfiguration
    private var connection: SQLiteConnection?
    private var isClosed = false
    private let tables: [String: SQLiteTable]
    private let migrationCount: Int64
    private let rowWriter = SQLiteRowWriter()
    private let limits: SQLiteLimits
    private let log: SQLiteChangeLog?
    private var synchronous: String?
    private let checkpointer: SQLiteCheckpointer
    private var walFrameCount = 0
    /// Frames in the log at which the writer next waits for snapshots.
    private var restartFrameCount: Int
    private var logSpace: SQLiteLogSpace?
    private var turns = SQLiteTurns()
    private var recentChanges = SQLiteRecentChanges()

    /// How long the writer waits for the snapshots that keep the log from beginning again.
    private static let restartTimeout = Duration.milliseconds(100)

    init(
        path: String, configuration: SQLiteConfiguration, tables: [String: SQLiteTable], migrationCount: Int64,
        limits: SQLiteLimits, log: SQLiteChangeLog?
    ) {
        checkpointer = SQLiteCheckpointer { () throws(StorageError) in
            try SQLiteConnection(path: path, configuration: configuration)
        }
        self.path = path
        self.configuration = configuration
        restartFrameCount = 2 * configuration.checkpointFrameCount
        self.log = log
        self.tables = tables
        self.migrationCount = migrationCount
        self.limits = limits
    }

    /// The connection, unless it is closed.
    func openConnection() throws(StorageError) -> SQLiteConnection {
        if let connection { return connection }
        if isClosed { throw StorageError.closedStore() }
        let connection = try SQLiteConnection(path: path, configuration: configuration)
        connection.migrationCount = migrationCount
        sqlite3_wal_hook(
            connection.handle,
            { context, _, _, frameCount in
                guard let context else { return SQLITE_OK }
                let committer = Unmanaged<SQLiteCommitter>.fromOpaque(context).takeUnretainedValue()
                committer.note(frameCount: Int(frameCount))
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
        let pageByteCount = try connection.integer("PRAGMA page_size") ?? 4_096
        logSpace = SQLiteLogSpace(path: path, pageByteCount: Int(pageByteCount))
        self.connection = connection
        return connection
    }

    /// Closes the connection, which copies the write-ahead log into the file if no other connection has it open.
    func close() {
        isClosed = true
        connection?.close()
        connection = nil
    }

    // MARK: Transactions

    /// Begins a write transaction whose commit will be as durable as asked.
    func begin(_ durability: Durability) throws(StorageError) {
        // Not `OFF` for commits that need not last: when the log begins again at its start, earlier commits are safe only
        // if its new header is synced, which `NORMAL` does and `OFF` does not.
        try setSynchronous(durability == .powerLoss ? "FULL" : "NORMAL")
        if turns.needsPause(at: .now) { SQLiteTurns.wait(SQLiteTurns.pause) }
        try openConnection().execute("BEGIN IMMEDIATE")
    }

    private func setSynchronous(_ level: String) throws(StorageError) {
        if synchronous == level { return }
        try openConnection().execute("PRAGMA synchronous = \(level)")
        synchronous = level
    }

    /// Carries out commits in the transaction that was begun, and ends it.
    func commit(_ requests: [CommitRequest], _ durability: Durability) -> [Result<CommitReceipt, StorageError>] {
        do {
            return try apply(requests)
        } catch  where requests.count > 1 {
            return requests.map { applyAlone($0) }
        } catch {
            return requests.map { _ in .failure(error) }
        }
    }

    /// A commit in its own transaction, after the group's failed as a whole.
    private func applyAlone(_ request: CommitRequest) -> Outcome {
        do {
            try openConnection().execute("BEGIN IMMEDIATE")
            return try apply([request])[0]
        } catch {
            return .failure(error)
        }
    }

    /// Applies requests and ends the transaction.
    ///
    /// - Returns: One outcome for each request.
    /// - Throws: ``StorageError`` if the transaction failed as a whole; nothing was changed then. Where that is not known,
    ///   the outcomes say so: a commit that was carried out again and failed could be there all the same.
    private func apply(_ requests: [CommitRequest]) throws(StorageError) -> [Outcome] {
        let connection = try openConnection()
        var outcomes: [Outcome] = []
        do {
            outcomes = try applyInTransaction(requests, connection)
            if outcomes.contains(where: \.isSuccess) {
                // Only a commit that waits for the disk is faster in a log that is long enough.
                if synchronous == "FULL" { logSpace?.extend(frameCount: walFrameCount) }
                try end(connection)
                turns.release(at: .now)
                log?.announce(outcomes)
            } else {
                connection.rollBack()
            }
            return outcomes
        } catch {
            connection.rollBack()
            recentChanges = SQLiteRecentChanges()
            if error.transaction == .outcomeUnknown { return outcomes.map { $0.isSuccess ? .failure(error) : $0 } }
            var error = error
            error.transaction = .rolledBack
            throw error
        }
    }

    /// Commits the transaction.
    ///
    /// - Throws: ``StorageError``, with an unknown outcome if the device failed: the commit is then written to the end
    ///   of the log, and is there if the process dies before another one takes its place.
    private func end(_ connection: SQLiteConnection) throws(StorageError) {
        do throws(StorageError) {
            try connection.execute("COMMIT")
        } catch {
            var error = error
            if error.kind == .io { error.transaction = .outcomeUnknown }
            throw error
        }
    }

    private func applyInTransaction(
        _ requests: [CommitRequest], _ connection: SQLiteConnection
    ) throws(StorageError) -> [Outcome] {
        let last = try connection.lastSequenceUnlessMigrated()
        turns.begin(at: last)
        recentChanges.begin(at: last)
        var sequence = last
        var outcomes: [Outcome] = []
        outcomes.reserveCapacity(requests.count)
        for request in requests {
            if requests.count > 1 { try connection.execute("SAVEPOINT member") }
            do {
                var application = SQLiteCommit(
                    connection: connection, tables: tables, rowWriter: rowWriter, limits: limits,
                    lastSequence: sequence, recentChanges: recentChanges)
                let receipt = try application.apply(request)
                if receipt.sequence != sequence {
                    try log?.append(request, receipt.sequence, connection)
                    recentChanges.note(request, receipt.sequence)
                }
                sequence = receipt.sequence
                outcomes.append(.success(receipt))
            } catch {
                let isEngineFailure = error.nativeCode != nil && error.kind != .uniqueViolation
                if connection.isAutocommit || isEngineFailure && requests.count == 1 { throw error }
                var error = error
                if isEngineFailure { error.transaction = .rolledBack }
                outcomes.append(.failure(error))
                if requests.count > 1 { try connection.execute("ROLLBACK TO member") }
            }
            if requests.count > 1 { try connection.execute("RELEASE member") }
        }
        if sequence != last {
            try connection.execute(
                "UPDATE holdfast_store SET sequence = ?", [.integer(Int64(bitPattern: sequence))])
        }
        turns.end(at: sequence)
        return outcomes
    }

    // MARK: The write-ahead log

    private func note(frameCount: Int) {
        // The log has begun again.
        if frameCount < walFrameCount { restartFrameCount = 2 * configuration.checkpointFrameCount }
        walFrameCount = frameCount
    }

    /// Has the write-ahead log copied into the file when it has grown, and copies what was written meanwhile.
    ///
    /// Done here and not by SQLite after a commit, because no commit should wait for it. Where snapshots overlap, one
    /// of them always needs an earlier state: a copy that waits for none of them never comes to the end of the log,
    /// which would grow without limit. So the writer waits a little when the log has twice its usual length.
    func settle() {
        guard walFrameCount >= configuration.checkpointFrameCount, let connection else { return }
        switch checkpointer.progress {
        case .idle: checkpointer.start()
        case .running: break
        case .done:
            // A reader may hold it up; then a later commit tries again.
            if walFrameCount < restartFrameCount {
                connection.checkpoint()
            } else {
                connection.restartLog(waiting: Self.restartTimeout)
                // A snapshot that stays open must not slow down every commit.
                restartFrameCount = walFrameCount + configuration.checkpointFrameCount
            }
            checkpointer.reset()
        }
    }

    /// Returns when the log is not being copied any longer.
    func finishCheckpoints() async { await checkpointer.close() }
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
#endif
