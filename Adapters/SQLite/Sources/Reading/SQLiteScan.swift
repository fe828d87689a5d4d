#if SQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// The rows of a statement, read in batches on the adapter's own threads.
struct SQLiteScan: AdapterScan {
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
/// two cores gain. Measured, reading ahead made a scan into structs a sixth slower. A page is read where it is asked
/// for: going to another thread and back takes as long as a small one.
///
/// Unchecked because one task pulls a scan: `isOver` and `hasBegun` are touched by its calls only, never by the
/// threads that read; `progress` is touched under the snapshot's lock.
final class SQLiteScanState: @unchecked Sendable {
    let query: SQLiteQuery
    let cancellation: Cancellation
    /// The part of the query that is running, and the rows read so far; under the snapshot's lock.
    var progress = (part: 0, rowCount: 0)
    private let snapshot: SQLiteSnapshot
    private var isOver: Bool
    private var hasBegun = false

    init(_ snapshot: SQLiteSnapshot, _ query: SQLiteQuery, stoppedBy cancellation: Cancellation = Cancellation()) {
        self.snapshot = snapshot
        self.cancellation = cancellation
        self.query = query
        isOver = query.limit == 0
    }

    deinit { snapshot.drop(ObjectIdentifier(self)) }

    func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        rows.reset(columnCount: query.layout.cellCount)
        // Also at the end: ReferenceQueryScan calls this after it to learn whether the snapshot was closed.
        if snapshot.isClosed { throw StorageError.closedStore() }
        if isOver { return }
        do {
            if !hasBegun {
                hasBegun = true
                if let limit = query.limit, limit <= SQLiteSnapshot.inlinePageSize {
                    try StorageError.checkCancellation()
                    let outcome = try snapshot.fillAtOnce(&rows, maximumRowCount: maximumRowCount, of: self)
                    if let outcome {
                        isOver = outcome
                        return
                    }
                }
            }
            isOver = try await snapshot.store.readQueue.fill(&rows, stopping: cancellation) {
                rows throws(StorageError) in
                try self.snapshot.fill(&rows, maximumRowCount: maximumRowCount, of: self)
            }
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
#endif
