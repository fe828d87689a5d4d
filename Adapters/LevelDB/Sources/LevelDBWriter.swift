#if LevelDB
    internal import HoldfastStorage

    /// Writes batches, and knows which of them the device may still lose.
    ///
    /// Unchecked because it is touched by one thread at a time: the one that opens the store, then the commit queue's.
    final class LevelDBWriter: @unchecked Sendable {
        let handle: LevelDBHandle
        private let directory: LevelDBDirectory
        /// The changes that were written since the last sync.
        private var unsyncedCount: UInt64 = 0
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
                if isSynced && unsyncedCount > 0 { try directory.syncOlderLogs() }
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
