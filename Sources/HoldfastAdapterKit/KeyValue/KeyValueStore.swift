internal import HoldfastStorage

/// An open store: what stays the same from opening to closing.
final class KeyValueStore: Sendable {
    /// What an adapter says of its stores.
    struct Options: Sendable {
        /// What the store is marked with; `nil` if the engine marks its stores itself.
        var mark: String?
        /// Commits that a change feed can look back; 0 for no change feed.
        var changeLogCommitCount: Int
        /// Whether index entries are kept.
        var hasIndexes: Bool
        /// Whether other handles may write at the same time.
        var isShared: Bool
    }

    let database: KeyValueDatabase
    let readQueue = WorkQueue(label: "holdfast.keyvalue.readers", width: .concurrent)
    let tables: [String: KeyValueTable]
    let options: Options
    private let commits: CommitQueue
    /// Wakes the change feeds.
    private let signal: ChangeSignal
    /// `nil` if no change log is kept.
    private let log: KeyValueChangeLog?
    /// The stored catalog that the tables are of.
    private let catalog: [UInt8]

    /// More keys than this are not read on the caller's thread.
    private static let inlineKeyCount = 64
    /// How often a change feed looks for commits of other handles.
    private static let pollInterval = Duration.milliseconds(100)

    /// Brings a store to a schema and takes over its engine, which is closed if this fails; blocks.
    init(_ engine: any KeyValueEngine, _ options: Options, _ request: OpenRequest) throws(StorageError) {
        database = KeyValueDatabase(engine)
        self.options = options
        log =
            options.changeLogCommitCount > 0
            ? KeyValueChangeLog(request.schema, commitCount: options.changeLogCommitCount) : nil
        let opened = try KeyValueOpening(engine: engine, options: options, log: log, request: request).run()
        tables = opened.tables
        catalog = opened.catalog
        signal = ChangeSignal(sequence: opened.sequence)
        let committer = KeyValueCommitter(
            database, tables: tables, catalog: options.isShared ? catalog : nil, sequence: opened.sequence,
            storeMark: opened.mark, log: log, signal: signal)
        commits = CommitQueue(label: "holdfast.keyvalue.writer", writer: committer)
    }

    /// The table of an entity.
    func table(_ entity: String) throws(StorageError) -> KeyValueTable {
        guard let table = tables[entity] else { throw StorageError.unknownEntity(entity) }
        return table
    }

    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try await commits.commit(request)
    }

    /// Opens a snapshot.
    func snapshot() throws(StorageError) -> KeyValueSnapshot {
        let view = try database.view()
        let sequence = try view.read { view throws(StorageError) in
            if options.isShared { try KeyValueCatalog.check(view, isStill: catalog) }
            return try KeyValueCatalog.sequence(view)
        }
        return KeyValueSnapshot(view, sequence: sequence, self)
    }

    /// Starts a change feed.
    func changes(after sequence: UInt64?) throws(StorageError) -> any ChangeFeed {
        guard let log else { throw StorageError.missingChangeLog() }
        try database.checkIsOpen()
        let isShared = options.isShared
        let start = if let sequence { sequence } else { isShared ? try snapshot().sequence : signal.sequence }
        return LoggedChangeFeed(
            after: start, isAtEnd: sequence == nil, signal: signal, pollInterval: isShared ? Self.pollInterval : nil
        ) { [database, readQueue, signal] after, _ throws(StorageError) in
            try await readQueue.run { () throws(StorageError) in
                // Where one handle writes, a commit may be in the store before it is acknowledged. Asked before the
                // view is made: a commit in between is acknowledged, but not in the view, and would look like a gap.
                let acknowledged = signal.sequence
                return try database.view().read { view throws(StorageError) in
                    let last = isShared ? try KeyValueCatalog.sequence(view) : acknowledged
                    return try log.element(after: after, last: last, view)
                }
            }
        }
    }

    // MARK: Reading by key

    /// Reads records as last committed.
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        // A snapshot also notices that another handle has changed the catalog.
        if request.keys.count > 1 || options.isShared || !database.engine.readsConcurrently {
            return try await snapshot().get(request, into: &rows)
        }
        let table = try table(request.entity)
        try database.use { () throws(StorageError) in
            try table.read(request.keys, database.engine, into: &rows)
        }
    }

    /// Reads records of a view; few of them on the caller's thread.
    func get(
        _ request: GetRequest, _ view: KeyValueHeldView, into rows: inout RowBuffer
    ) async throws(StorageError) {
        let table = try table(request.entity)
        if request.keys.count <= Self.inlineKeyCount && database.engine.readsConcurrently {
            return try view.read { view throws(StorageError) in try table.read(request.keys, view, into: &rows) }
        }
        try await readQueue.fill(&rows) { rows throws(StorageError) in
            try view.read { view throws(StorageError) in try table.read(request.keys, view, into: &rows) }
        }
    }

    // MARK: Maintenance

    /// Reads everything; returns one sentence per defect.
    func verify() async throws(StorageError) -> [String] {
        try await readQueue.run { () throws(StorageError) in
            try self.database.view().read { view throws(StorageError) in
                var verification = KeyValueVerification(view, self.tables)
                return try verification.run()
            }
        }
    }

    /// Copies the store to another place.
    func backUp(to destination: String) async throws(StorageError) {
        try await readQueue.run { () throws(StorageError) in
            try self.database.view().read { view throws(StorageError) in
                try self.database.engine.backUp(view, to: destination)
            }
        }
    }

    // MARK: Ending

    /// Ends everything: commits that wait are carried out, snapshots are closed.
    func close() async {
        signal.close()
        await commits.finish()
        await database.close()
    }
}
