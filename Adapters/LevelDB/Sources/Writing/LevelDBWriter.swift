#if LevelDB
internal import HoldfastStorage

/// Writes batches, and knows which of them the device may still lose.
///
/// Unchecked because it is touched by one thread at a time: the one that opens the store, then the commit queue's.
final class LevelDBWriter: @unchecked Sendable {
    let handle: LevelDBConnection
    private let directory: LevelDBDirectory
    /// The changes that were written since the last sync.
    private var unsyncedCount: UInt64 = 0
    /// The log that was the newest when it was looked for.
    private var newestLog: UInt64 = 0
    /// What LevelDB's memory table holds since then, in bytes: never less than it says itself.
    private var tableByteCount: Int
    /// What of it was written since the last look.
    private var newByteCount = 0
    private var failure: StorageError?

    init(_ handle: LevelDBConnection, _ directory: LevelDBDirectory) {
        self.handle = handle
        self.directory = directory
        // Nothing is known yet.
        tableByteCount = handle.writeBufferByteCount
    }

    /// Applies a batch.
    ///
    /// - Parameter isSynced: Whether it, and all before it, shall survive a loss of power when this returns.
    /// - Throws: ``StorageError``, with an unknown outcome the first time; nothing is written from then on, because
    ///   LevelDB's log may end in the middle of a write.
    func write(_ batch: LevelDBBatch, isSynced: Bool) throws(StorageError) {
        if let failure { throw failure }
        do throws(StorageError) {
            try handle.write(batch, isSynced: isSynced)
            newByteCount += 2 * (batch.byteCount + 200 * Int(batch.changeCount))
            if isSynced { try syncNewLog() }
            unsyncedCount = isSynced ? 0 : unsyncedCount + batch.changeCount
        } catch {
            var later = error
            later.transaction = .untouched
            later.message = "A write failed before, so the store takes no more; open it again. " + error.message
            failure = later
            var error = error
            error.transaction = .outcomeUnknown
            throw error
        }
    }

    /// Has the device keep what LevelDB leaves open when it begins a new log: the name of it, and the end of the one
    /// before, which it syncs no more.
    ///
    /// It begins one when its memory table is full.
    private func syncNewLog() throws(StorageError) {
        if tableByteCount + newByteCount < handle.writeBufferByteCount { return }
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

    /// Applies a batch that ends with the sequence of a commit.
    func write(_ batch: LevelDBBatch, sequence: UInt64, isSynced: Bool) throws(StorageError) {
        var value: [UInt8] = []
        LevelDBCellCodec.append(fixed: sequence, to: &value)
        // With this, what a loss of power took is told from what was damaged later; see `LevelDBLogCheck`.
        LevelDBCellCodec.append(unsigned: unsyncedCount, to: &value)
        batch.put(LevelDBCatalog.sequenceKey, value)
        try write(batch, isSynced: isSynced)
    }

    /// Applies and empties a batch that has more than so many bytes, without a sync.
    func flush(_ batch: LevelDBBatch, over byteCount: Int) throws(StorageError) {
        if batch.byteCount <= byteCount { return }
        try write(batch, isSynced: false)
        batch.clear()
    }

    /// Has everything written so far survive a loss of power.
    func sync() throws(StorageError) {
        if unsyncedCount > 0 { try write(LevelDBBatch(), isSynced: true) }
    }
}
#endif
