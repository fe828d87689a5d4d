#if LevelDB
    internal import HoldfastAdapterKit
    internal import HoldfastStorage

    /// The records along an access path, read in batches on the adapter's own threads.
    struct LevelDBScan: StorageScan {
        private let snapshot: LevelDBSnapshot
        private let columnCount: Int
        /// `nil` when the scan is over.
        private var walk: LevelDBWalk?
        /// No batch is larger; grows, since whoever goes on asking wants more.
        private var rowLimit: Int

        init(_ snapshot: LevelDBSnapshot, _ walk: LevelDBWalk, firstRowCount: Int = .max) {
            self.snapshot = snapshot
            self.walk = walk
            columnCount = walk.table.entity.fields.count
            rowLimit = firstRowCount
        }

        mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
            rows.reset(columnCount: columnCount)
            guard let walk = walk.take() else { return }
            let view = try snapshot.view()
            let count = min(maximumRowCount, rowLimit)
            rowLimit = rowLimit.multipliedReportingOverflow(by: 2).overflow ? .max : rowLimit * 2
            let cancellation = Cancellation()
            do {
                self.walk = try await snapshot.store.readQueue.fill(&rows, stopping: cancellation) {
                    rows throws(StorageError) in
                    try view.database.use { handle throws(StorageError) in
                        var walk = walk
                        let isOver = try walk.fill(&rows, count, handle, view.options, cancellation)
                        return isOver ? nil : walk
                    }
                }
            } catch {
                rows.reset(columnCount: columnCount)
                throw error
            }
        }

        mutating func close() async { walk = nil }
    }
#endif
