#if SQLite
    internal import HoldfastAdapterKit
    internal import HoldfastStorage

    /// The rows of a statement, read in batches on the adapter's own threads.
    struct SQLiteScan: StorageScan {
        private let state: SQLiteScanState

        init(_ state: SQLiteScanState) { self.state = state }

        mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
            try await state.next(maximumRowCount: maximumRowCount, into: &rows)
        }

        mutating func close() async { state.close() }
    }

    /// What a scan shares with the thread that reads for it.
    ///
    /// Unchecked because one task pulls a scan: `isOver` is touched between its batches, never during one.
    final class SQLiteScanState: @unchecked Sendable {
        let query: SQLiteQuery
        let cancellation = SQLiteCancellation()
        private let snapshot: SQLiteSnapshot
        private var isOver: Bool

        init(_ snapshot: SQLiteSnapshot, _ query: SQLiteQuery, remaining: Int?) {
            self.snapshot = snapshot
            self.query = query
            isOver = remaining == 0
        }

        deinit { snapshot.drop(ObjectIdentifier(self)) }

        func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
            rows.reset(columnCount: query.layout.cellCount)
            if isOver { return }
            let box = SQLiteRowBox(&rows)
            defer { box.giveBack(to: &rows) }
            do {
                isOver = try await snapshot.store.readQueue.run(stopping: cancellation) { () throws(StorageError) in
                    try self.snapshot.fill(&box.rows, maximumRowCount: maximumRowCount, of: self)
                }
            } catch {
                isOver = true
                box.rows.reset(columnCount: query.layout.cellCount)
                throw error
            }
        }

        func close() {
            isOver = true
            snapshot.drop(ObjectIdentifier(self))
        }
    }

    /// A row buffer on its way to another thread and back.
    ///
    /// Unchecked because its maker waits for that thread.
    final class SQLiteRowBox: @unchecked Sendable {
        var rows = RowBuffer()

        /// Takes over the content of a buffer without copying it.
        init(_ source: inout RowBuffer) { swap(&rows, &source) }

        /// Moves the content back.
        func giveBack(to target: inout RowBuffer) { swap(&rows, &target) }
    }

    extension WorkQueue {
        /// Runs work that stops soon after the task is cancelled.
        func run<Success: Sendable>(
            stopping cancellation: SQLiteCancellation, _ body: @escaping @Sendable () throws(StorageError) -> Success
        ) async throws(StorageError) -> Success {
            let outcome: Result<Success, StorageError> = await withTaskCancellationHandler {
                do throws(StorageError) {
                    return .success(try await run(body))
                } catch {
                    return .failure(error)
                }
            } onCancel: {
                cancellation.cancel()
            }
            return try outcome.get()
        }
    }
#endif
