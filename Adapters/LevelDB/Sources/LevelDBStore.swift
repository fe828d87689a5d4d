#if LevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// An open store: what stays the same from opening to closing.
final class LevelDBStore: Sendable {
    let database: LevelDBDatabase
    let readQueue = WorkQueue(label: "holdfast.leveldb.readers", width: .concurrent)
    let tables: [String: LevelDBTable]
    let recovery: LevelDBRecovery
    let directory: LevelDBDirectory
    let configuration: LevelDBConfiguration
    private let commits: CommitQueue
    /// Wakes the change feeds.
    private let signal: ChangeSignal
    /// `nil` if the configuration asks for no change feed.
    private let log: LevelDBChangeLog?

    /// More keys than this are not read on the caller's thread.
    static let inlineKeyCount = 64

    /// Opens the store; blocks.
    init(_ configuration: LevelDBConfiguration, _ request: OpenRequest) throws(StorageError) {
        self.configuration = configuration
        let directory = try LevelDBDirectory(configuration.location)
        self.directory = directory
        do throws(StorageError) {
            let opening = LevelDBOpening(configuration: configuration, directory: directory, request: request)
            let opened = try opening.open()
            recovery = opened.recovery
            tables = opened.tables
            database = LevelDBDatabase(opened.writer.handle)
            signal = ChangeSignal(sequence: opened.sequence)
            log =
                configuration.changeLogCommitCount > 0
                ? LevelDBChangeLog(request.schema, commitCount: configuration.changeLogCommitCount) : nil
            try log?.trim(opened.writer, last: opened.sequence)
            let committer = LevelDBCommitter(
                database, opened.writer, tables: opened.tables, sequence: opened.sequence, log: log, signal: signal)
            commits = CommitQueue(label: "holdfast.leveldb.writer", writer: committer)
        } catch {
            directory.deleteIfTemporary()
            throw error
        }
    }

    deinit { directory.deleteIfTemporary() }

    /// The table of an entity.
    func table(_ entity: String) throws(StorageError) -> LevelDBTable {
        guard let table = tables[entity] else { throw StorageError.unknownEntity(entity) }
        return table
    }

    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try await commits.commit(request)
    }

    /// Opens a snapshot.
    func snapshot() throws(StorageError) -> LevelDBSnapshot {
        try LevelDBSnapshot(try database.view(), self)
    }

    /// Starts a change feed.
    func changes(after sequence: UInt64?) throws(StorageError) -> any ChangeFeed {
        guard let log else {
            throw StorageError(.unsupported, "The store keeps no change log; configure a changeLogCommitCount.")
        }
        try database.checkIsOpen()
        return LoggedChangeFeed(after: sequence ?? signal.sequence, signal: signal, pollInterval: nil) {
            [database, readQueue, signal] after throws(StorageError) in
            try await readQueue.run { () throws(StorageError) in
                try database.use { handle throws(StorageError) in
                    try log.news(after: after, last: signal.sequence, handle)
                }
            }
        }
    }

    // MARK: Reading by key

    /// Reads records as last committed.
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        if request.keys.count > 1 { return try await snapshot().get(request, into: &rows) }
        try read(request, .latest, into: &rows)
    }

    /// Reads records on the caller's thread.
    func read(
        _ request: GetRequest, _ options: LevelDBReadOptions, into rows: inout RowBuffer
    ) throws(StorageError) {
        let table = try table(request.entity)
        do throws(StorageError) {
            try database.use { handle throws(StorageError) in
                rows.reset(columnCount: table.entity.fields.count)
                for key in request.keys {
                    let found: Void? = try handle.get(table.key(key.components), options) {
                        value throws(StorageError) in
                        try table.append(value, to: &rows)
                    }
                    if found == nil { rows.appendAbsentRow() }
                }
            }
        } catch {
            rows.reset(columnCount: table.entity.fields.count)
            throw error
        }
    }

    // MARK: Ending

    /// Ends everything: commits that wait are carried out, snapshots are closed.
    func close() async {
        signal.close()
        await commits.finish()
        await database.close()
        directory.deleteIfTemporary()
    }
}
#endif
