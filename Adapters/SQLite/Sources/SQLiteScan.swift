#if SQLite
    internal import HoldfastAdapterKit
    internal import HoldfastStorage

    /// The rows of a statement, read in batches on the adapter's own threads.
    struct SQLiteScan: StorageScan {
        /// Ends the scan when the last copy is dropped.
        private final class Handle: Sendable {
            let state: SQLiteScanState

            init(_ state: SQLiteScanState) { self.state = state }

            deinit { state.stop() }
        }

        private let handle: Handle

        init(_ state: SQLiteScanState) { handle = Handle(state) }

        mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
            try await handle.state.next(maximumRowCount: maximumRowCount, into: &rows)
        }

        mutating func close() async { handle.state.close() }
    }

    /// What a scan shares with the threads that read for it.
    ///
    /// A batch is read when it is asked for, not ahead: rows made on one core and dropped on another cost more than the
    /// two cores gain. Measured, reading ahead made a scan into structs a sixth slower.
    ///
    /// Unchecked because one task pulls a scan: `isOver` is touched by its calls only, never by the threads that read;
    /// `progress` is touched under the snapshot's lock.
    final class SQLiteScanState: @unchecked Sendable {
        let query: SQLiteQuery
        let cancellation = SQLiteCancellation()
        /// The part of the query that is running, and the rows read so far; under the snapshot's lock.
        var progress = (part: 0, rowCount: 0)
        private let snapshot: SQLiteSnapshot
        private var isOver: Bool

        init(_ snapshot: SQLiteSnapshot, _ query: SQLiteQuery) {
            self.snapshot = snapshot
            self.query = query
            isOver = query.limit == 0
        }

        deinit { snapshot.drop(ObjectIdentifier(self)) }

        func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
            rows.reset(columnCount: query.layout.cellCount)
            if snapshot.isClosed && !isOver { throw SQLiteStore.closed() }
            if isOver { return }
            let box = SQLiteRowBox(&rows)
            do {
                isOver = try await snapshot.store.readQueue.run(stopping: cancellation) { () throws(StorageError) in
                    try self.snapshot.fill(&box.rows, maximumRowCount: maximumRowCount, of: self)
                }
                box.giveBack(to: &rows)
            } catch {
                isOver = true
                rows.reset(columnCount: query.layout.cellCount)
                throw error
            }
        }

        func close() {
            isOver = true
            stop()
        }

        /// Stops the statement, from any thread.
        func stop() {
            cancellation.cancel()
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
