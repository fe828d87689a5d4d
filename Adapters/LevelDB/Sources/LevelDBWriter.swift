#if LevelDB
    internal import HoldfastStorage

    /// Writes batches, and knows which of them the device may still lose.
    ///
    /// Unchecked because it is touched by one thread at a time: the one that opens the store, then the commit queue's.
    final class LevelDBWriter: @unchecked Sendable {
        let handle: LevelDBHandle
        private let directory: LevelDBDirectory
        private var hasUnsynced = false
        private var failure: StorageError?

        init(_ handle: LevelDBHandle, _ directory: LevelDBDirectory) {
            self.handle = handle
            self.directory = directory
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
                if isSynced && hasUnsynced { try directory.syncOlderLogs() }
                hasUnsynced = !isSynced
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

        /// Applies and empties a batch that has more than so many bytes, without a sync.
        func flush(_ batch: LevelDBBatch, over byteCount: Int) throws(StorageError) {
            if batch.byteCount <= byteCount { return }
            try write(batch, isSynced: false)
            batch.clear()
        }

        /// Has everything written so far survive a loss of power.
        func sync() throws(StorageError) {
            if hasUnsynced { try write(LevelDBBatch(), isSynced: true) }
        }
    }
#endif
