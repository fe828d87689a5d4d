#if SQLite
    internal import HoldfastAdapterKit
    internal import HoldfastStorage
    internal import Synchronization

    /// The rows of a statement, read in batches on the adapter's own threads.
    struct SQLiteScan: StorageScan {
        /// Ends the scan when the last copy is dropped, also while a thread reads for it.
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
    /// Once the second batch was full, the next one is read while the consumer works on the last.
    ///
    /// Unchecked because one task pulls a scan: `isOver`, `batchCount` and `leftOver` are touched by its calls only, never
    /// by the threads that read; `progress` is touched under the snapshot's lock; `ahead` has a lock.
    final class SQLiteScanState: @unchecked Sendable {
        private typealias Batch = Result<(rows: SQLiteRowBox, isLast: Bool), StorageError>

        /// The batch that is read ahead.
        private enum Ahead {
            case none
            case running(UnsafeContinuation<Batch, Never>?)
            case ready(Batch)
        }

        let query: SQLiteQuery
        let cancellation = SQLiteCancellation()
        /// The part of the query that is running, and the rows read so far; under the snapshot's lock.
        var progress = (part: 0, rowCount: 0)
        private let snapshot: SQLiteSnapshot
        private var isOver: Bool
        private var batchCount = 0
        private var leftOver: (rows: SQLiteRowBox, next: Int)?
        private let ahead = Mutex(Ahead.none)

        init(_ snapshot: SQLiteSnapshot, _ query: SQLiteQuery) {
            self.snapshot = snapshot
            self.query = query
            isOver = query.limit == 0
        }

        deinit { snapshot.drop(ObjectIdentifier(self)) }

        func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
            rows.reset(columnCount: query.layout.cellCount)
            if snapshot.isClosed && !(isOver && leftOver == nil) { throw SQLiteStore.closed() }
            if leftOver != nil { return deliverLeftOver(maximumRowCount, into: &rows) }
            if isOver { return }
            do {
                let batch = try await nextBatch(maximumRowCount, reusing: &rows)
                isOver = batch.isLast
                batchCount += 1
                let spare = SQLiteRowBox(&rows)
                batch.rows.giveBack(to: &rows)
                let isFull = rows.rowCount == maximumRowCount
                if rows.rowCount > maximumRowCount { cut(&rows, maximumRowCount) }
                if batchCount > 1 && isFull && !isOver { readAhead(maximumRowCount, into: spare) }
            } catch {
                isOver = true
                rows.reset(columnCount: query.layout.cellCount)
                throw error
            }
        }

        func close() {
            isOver = true
            leftOver = nil
            stop()
        }

        /// Stops the statement, from any thread.
        func stop() {
            cancellation.cancel()
            snapshot.drop(ObjectIdentifier(self))
        }

        // MARK: Batches

        private func nextBatch(
            _ maximumRowCount: Int, reusing rows: inout RowBuffer
        ) async throws(StorageError) -> (rows: SQLiteRowBox, isLast: Bool) {
            let ready = ahead.withLock { ahead -> Batch? in
                guard case .ready(let batch) = ahead else { return nil }
                ahead = .none
                return batch
            }
            if let ready { return try ready.get() }
            if let batch = await batchBeingRead() { return try batch.get() }
            let box = SQLiteRowBox(&rows)
            let isLast = try await snapshot.store.readQueue.run(stopping: cancellation) { () throws(StorageError) in
                try self.snapshot.fill(&box.rows, maximumRowCount: maximumRowCount, of: self)
            }
            return (box, isLast)
        }

        /// The batch that a thread is reading ahead, `nil` if none is.
        private func batchBeingRead() async -> Batch? {
            let isRunning = ahead.withLock { ahead in
                if case .none = ahead { false } else { true }
            }
            if !isRunning { return nil }
            return await withTaskCancellationHandler {
                await withUnsafeContinuation { continuation in
                    let ready = ahead.withLock { ahead -> Batch? in
                        if case .ready(let batch) = ahead {
                            ahead = .none
                            return batch
                        }
                        ahead = .running(continuation)
                        return nil
                    }
                    if let ready { continuation.resume(returning: ready) }
                }
            } onCancel: {
                cancellation.cancel()
            }
        }

        private func readAhead(_ maximumRowCount: Int, into box: SQLiteRowBox) {
            ahead.withLock { $0 = .running(nil) }
            box.rows.reset(columnCount: query.layout.cellCount)
            snapshot.store.readQueue.enqueue { [self] in
                let batch: Batch
                do throws(StorageError) {
                    let isLast = try snapshot.fill(&box.rows, maximumRowCount: maximumRowCount, of: self)
                    batch = .success((box, isLast))
                } catch {
                    batch = .failure(error)
                }
                let waiting = ahead.withLock { ahead -> UnsafeContinuation<Batch, Never>? in
                    if case .running(let continuation?) = ahead {
                        ahead = .none
                        return continuation
                    }
                    ahead = .ready(batch)
                    return nil
                }
                waiting?.resume(returning: batch)
            }
        }

        // MARK: A consumer that asks for less than was read ahead

        private func cut(_ rows: inout RowBuffer, _ maximumRowCount: Int) {
            leftOver = (SQLiteRowBox(&rows), 0)
            rows.reset(columnCount: query.layout.cellCount)
            deliverLeftOver(maximumRowCount, into: &rows)
        }

        private func deliverLeftOver(_ maximumRowCount: Int, into rows: inout RowBuffer) {
            guard let (box, next) = leftOver else { return }
            let end = min(box.rows.rowCount, next + maximumRowCount)
            for row in next..<end { rows.append(box.rows[row], version: box.rows.versions[row]) }
            leftOver = end == box.rows.rowCount ? nil : (box, end)
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
