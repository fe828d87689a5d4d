#if LevelDB
internal import CLevelDB
public import HoldfastAdapterKit
public import HoldfastStorage

/// An open LevelDB database, and which of its changes the device may still lose.
///
/// Unchecked because what changes is touched by the one thread that writes, or in a mutex; reading is up to LevelDB,
/// whose handle may be used by several threads at once.
public final class LevelDBEngine: KeyValueEngine, @unchecked Sendable {
    /// What opening found in the log.
    let recovery: LevelDBRecovery
    let directory: LevelDBDirectory
    private let configuration: LevelDBConfiguration
    private let connection: LevelDBConnection
    /// The changes that were written since the last sync.
    private var unsyncedCount: UInt64 = 0
    /// The log that was the newest when it was looked for.
    private var newestLog: UInt64 = 0
    /// What LevelDB's memory table holds since then, in bytes: never less than it says itself.
    private var tableByteCount: Int
    /// What of it was written since the last look.
    private var newByteCount = 0
    /// How many compactions run, each of which begins a new log.
    private let compactionCount = Mutex(0)
    private var failure: StorageError?
    /// Whether the mark names an earlier format, and nothing of this one was written.
    private var isMarkedAsEarlier = false

    /// Opens the store of a configuration; blocks while the log is read.
    ///
    /// - Parameters:
    ///   - configuration: Where the store is and how to open it.
    ///   - creates: Whether a store is created where there is none.
    /// - Throws: ``StorageError`` `.incompatibleStore` if there is no store and `creates` is `false`; otherwise what
    ///   reading or creating the directory or opening the database fails with.
    convenience init(_ configuration: LevelDBConfiguration, creates: Bool) throws(StorageError) {
        let directory = try LevelDBDirectory(configuration.location)
        do throws(StorageError) {
            let content = try directory.content()
            let isNew = content == .nothing
            if isNew && !creates { throw OpenRequest.missingStore }
            if isNew { try directory.create(mode: configuration.directoryMode) }
            try self.init(directory, configuration, creates: isNew, checksLog: !isNew)
            isMarkedAsEarlier = content == .store(isOfEarlierFormat: true)
        } catch {
            directory.deleteIfTemporary()
            throw error
        }
    }

    /// Opens the database of a directory that is marked as a store.
    ///
    /// - Parameters:
    ///   - directory: The store's directory.
    ///   - configuration: How to open the database.
    ///   - creates: Whether there is no database yet.
    ///   - checksLog: Whether to look at the log first; see ``LevelDBLogCheck``.
    /// - Throws: ``StorageError`` if the log cannot be checked or the database cannot be opened.
    init(
        _ directory: LevelDBDirectory, _ configuration: LevelDBConfiguration, creates: Bool, checksLog: Bool
    ) throws(StorageError) {
        var recovery = LevelDBRecovery()
        connection = try LevelDBConnection(path: directory.path, configuration, creates: creates) {
            () throws(StorageError) in
            if checksLog { recovery = try directory.recover() }
        }
        self.recovery = recovery
        self.directory = directory
        self.configuration = configuration
        // Nothing is known yet.
        tableByteCount = connection.writeBufferByteCount
    }

    /// Closes the database.
    public func close() {
        connection.close()
        directory.deleteIfTemporary()
    }

    // MARK: Reading

    /// The value of a key in the latest state.
    public func get(
        _ key: [UInt8], _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        try connection.get(key, .latest, body)
    }

    /// Scans the latest state.
    public func scan(
        _ range: ByteRange, isReversed: Bool,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try connection.scan(range, isReversed: isReversed, .latest, body)
    }

    /// A snapshot of LevelDB's.
    public func makeView() throws(StorageError) -> any KeyValueView { LevelDBView(connection) }

    // MARK: Writing

    /// Writes a batch as one of LevelDB's.
    ///
    /// - Throws: ``StorageError``, with an unknown outcome the first time; nothing is written from then on, because
    ///   LevelDB's log may end in the middle of a write.
    public func write(_ batch: KeyValueBatch, isSynced: Bool) throws(StorageError) {
        if let failure { throw failure }
        if batch.isEmpty && unsyncedCount == 0 { return }
        if isMarkedAsEarlier { try mark(before: batch) }
        do throws(StorageError) {
            try connection.write(translated(batch), isSynced: isSynced)
            newByteCount += 2 * (batch.byteCount + 200 * batch.count)
            if isSynced { try syncNewLog() }
            unsyncedCount = isSynced ? 0 : unsyncedCount + UInt64(batch.count)
        } catch {
            var later = error
            later.transaction = .untouched
            later.message =
                "An earlier write failed, so the store accepts no more writes; open it again. " + error.message
            failure = later
            var error = error
            error.transaction = .outcomeUnknown
            throw error
        }
    }

    /// Marks the store as one of this format, if a batch may put something of it.
    ///
    /// Not sooner: the version of the earlier format can continue with a store that this one refused or only read. The
    /// formats differ in records, so what an opening deletes, and what it writes about the store, is the same in both.
    private func mark(before batch: KeyValueBatch) throws(StorageError) {
        var isOfBoth = true
        batch.forEach { key, value in
            if value != nil && !KeyValueCatalog.isOfStore(key) { isOfBoth = false }
        }
        if isOfBoth { return }
        try directory.mark()
        isMarkedAsEarlier = false
    }

    private func translated(_ batch: KeyValueBatch) -> LevelDBBatch {
        let translated = LevelDBBatch()
        batch.forEach { key, value in
            guard let value else { return translated.delete(key) }
            guard key.count == KeyValueCatalog.sequenceKey.count, key.elementsEqual(KeyValueCatalog.sequenceKey) else {
                return translated.put(key, value)
            }
            // With this, losses from a power failure are distinguished from later damage; see `LevelDBLogCheck`.
            var sequence = Array(value)
            KeyValueCellCodec.append(unsigned: unsyncedCount, to: &sequence)
            sequence.withUnsafeBytes { translated.put(key, $0) }
        }
        return translated
    }

    /// Has the device keep what LevelDB leaves open when it begins a new log: the name of it, and the end of the one
    /// before, which it no longer syncs.
    ///
    /// It begins one when its memory table is full, and in a compaction. A compaction is counted before it takes
    /// LevelDB's lock to begin the log, so that a commit in that log finds it here, or it has ended since: then the
    /// files have what was in the log before, and syncing them has synced the names, too.
    private func syncNewLog() throws(StorageError) {
        let isFull = tableByteCount + newByteCount >= connection.writeBufferByteCount
        if !isFull && compactionCount.load() == 0 { return }
        let log = try directory.newestLog()
        if log == newestLog {
            tableByteCount += newByteCount
        } else {
            try directory.syncLogs()
            newestLog = log
            tableByteCount = newByteCount
        }
        newByteCount = 0
    }

    // MARK: Maintenance

    /// Copies a view to a directory at which nothing exists.
    public func backUp(_ view: any KeyValueView, to destination: String) throws(StorageError) {
        try LevelDBBackup(view, configuration).run(to: destination)
    }

    /// Brings all files into one order without what was overwritten or deleted; takes long.
    func compact() {
        compactionCount.increment()
        defer { compactionCount.withLock { $0 -= 1 } }
        connection.compact()
    }

    /// About how many bytes of the files a range of keys takes; what is in the log only does not count.
    func byteCount(_ range: ByteRange) -> Int {
        range.upper.map { connection.byteCount(from: range.lower, to: $0) } ?? 0
    }
}

/// An unchanging state of a database.
private final class LevelDBView: KeyValueView {
    private let connection: LevelDBConnection
    private let options: LevelDBReadOptions

    init(_ connection: LevelDBConnection) {
        self.connection = connection
        options = LevelDBReadOptions(connection.createSnapshot())
    }

    func close() {
        if let snapshot = options.snapshot { connection.release(snapshot) }
    }

    func get(
        _ key: [UInt8], _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        try connection.get(key, options, body)
    }

    func scan(
        _ range: ByteRange, isReversed: Bool,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try connection.scan(range, isReversed: isReversed, options, body)
    }
}
#endif
