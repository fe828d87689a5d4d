#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// The rows of a query, fetched in batches.
struct PostgreSQLScan: AdapterScan {
    /// Ends the scan when the last copy is dropped.
    private final class Handle: Sendable {
        let state: PostgreSQLScanState

        init(_ state: PostgreSQLScanState) { self.state = state }

        deinit { state.close() }
    }

    private let handle: Handle

    init(_ state: PostgreSQLScanState) { handle = Handle(state) }

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await handle.state.next(maximumRowCount: maximumRowCount, into: &rows)
    }

    mutating func close() async { handle.state.close() }
}

/// The state of a scan.
///
/// Unchecked because nothing here needs a lock: one task pulls a scan, and nothing else touches this.
final class PostgreSQLScanState: @unchecked Sendable {
    private let query: PostgreSQLQuery
    private let table: PostgreSQLTable
    private let snapshot: PostgreSQLSnapshot
    private let cancellation = PostgreSQLCancellation()
    private var isOver: Bool
    private var part = 0
    /// Rows delivered so far.
    private var readCount = 0
    /// Rows that were fetched and not yet delivered.
    private var fetched: (result: PostgreSQLResult, row: Int)?
    private var cursor: String?
    /// Whether the query is likely to find few rows.
    ///
    /// The first ones are then asked for without a cursor, whose statement the server would have to plan each time.
    private let expectsFew: Bool
    /// Rows of the present part that came without a cursor.
    private var directCount = 0
    /// The batch that comes next, asked for while the one before is used.
    private var ahead: (batch: PostgreSQLAhead, rowCount: Int)?
    private var batchCount = 0
    private var batchSize = PostgreSQLBatchSize()
    /// Whether the present part has no more rows than those fetched.
    private var isPartOver = false

    /// After this many batches, the caller probably reads the next one too.
    private static let batchesBeforeReadingAhead = 2

    init(
        _ snapshot: PostgreSQLSnapshot, _ query: PostgreSQLQuery, of table: PostgreSQLTable, expectsFew: Bool = false
    ) {
        self.snapshot = snapshot
        self.table = table
        self.query = query
        self.expectsFew = expectsFew
        isOver = query.limit == 0
    }

    func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        rows.reset(columnCount: query.layout.cellCount)
        // Also at the end: ReferenceQueryScan calls this after it to learn whether the snapshot was closed.
        if snapshot.isClosed { throw StorageError.closedStore() }
        if isOver { return }
        // `FETCH` counts with 32 bits, and fewer rows than asked for do not mean the end.
        let maximumRowCount = min(maximumRowCount, Int(Int32.max))
        do throws(StorageError) {
            while rows.rowCount < maximumRowCount {
                if try deliver(maximumRowCount, into: &rows) { continue }
                if isPartOver {
                    endPart()
                    if part == query.parts.count || readCount == query.limit {
                        isOver = true
                        return
                    }
                }
                if rows.rowCount > 0 && cursor != nil { return }
                try await fetch(maximumRowCount)
            }
        } catch {
            close()
            rows.reset(columnCount: query.layout.cellCount)
            throw error
        }
    }

    /// Delivers fetched rows.
    ///
    /// - Returns: Whether there were any.
    private func deliver(_ maximumRowCount: Int, into rows: inout RowBuffer) throws(StorageError) -> Bool {
        guard let (result, start) = fetched else { return false }
        let end = min(result.rowCount, start + maximumRowCount - rows.rowCount)
        for row in start..<end { try query.layout.append(result, row: row, to: &rows) }
        readCount += end - start
        fetched = end == result.rowCount ? nil : (result, end)
        return end > start
    }

    private func endPart() {
        if let cursor { snapshot.drop(cursor) }
        cursor = nil
        isPartOver = false
        directCount = 0
        part += 1
    }

    private func fetch(_ maximumRowCount: Int) async throws(StorageError) {
        var count = batchSize.rowCount(for: maximumRowCount)
        let result: PostgreSQLResult
        if let (batch, rowCount) = ahead {
            ahead = nil
            count = rowCount
            result = try await snapshot.receive(batch)
        } else if let cursor {
            result = try await fetch(count, from: cursor)
        } else {
            // What the limit leaves comes at once only if it fits into a batch: rows may be large.
            let isLast = query.limit.map { $0 - readCount <= count } ?? false
            if directCount == 0, isLast || expectsFew { return try await fetchDirectly(count) }
            var command = query.command(part: part, readCount: readCount - directCount)
            let name = snapshot.makeCursorName()
            command.sql = "DECLARE \(name) BINARY NO SCROLL CURSOR FOR " + command.sql
            command.isKept = false
            var commands = [command]
            // The order is total, and the snapshot does not change, so the same rows come first again.
            if directCount > 0 { commands.append(PostgreSQLCommand("MOVE \(directCount) FROM \(name)", isKept: false)) }
            result = try await fetch(count, from: name, declaredBy: commands)
            // A cursor whose first batch fails is gone with it, and must not be closed.
            cursor = name
            try table.check(result)
        }
        take(result, of: count)
        batchCount += 1
        if let cursor, !isPartOver && batchCount >= Self.batchesBeforeReadingAhead {
            let next = batchSize.rowCount(for: maximumRowCount)
            let command = Self.fetchCommand(next, from: cursor)
            ahead = await snapshot.askAhead(command, stoppedBy: cancellation).map { ($0, next) }
        }
    }

    /// Fetches at most the given number of rows of the present part without a cursor.
    private func fetchDirectly(_ count: Int) async throws(StorageError) {
        let command = query.command(part: part, readCount: readCount, maximumRowCount: count)
        let result = try await snapshot.perform([command], stoppedBy: cancellation)[0]
        try table.check(result)
        take(result, of: count)
        directCount = result.rowCount
    }

    /// Takes a batch, and notes whether more can follow in the present part.
    private func take(_ result: PostgreSQLResult, of count: Int) {
        fetched = (result, 0)
        batchSize.note(rowCount: result.rowCount, byteCount: result.byteCount, of: count)
        isPartOver = result.rowCount < count || readCount + result.rowCount == query.limit
    }

    private func fetch(
        _ count: Int, from cursor: String, declaredBy commands: [PostgreSQLCommand] = []
    ) async throws(StorageError) -> PostgreSQLResult {
        let batch = commands + [Self.fetchCommand(count, from: cursor)]
        return try await snapshot.perform(batch, stoppedBy: cancellation)[commands.count]
    }

    private static func fetchCommand(_ count: Int, from cursor: String) -> PostgreSQLCommand {
        PostgreSQLCommand("FETCH \(count) FROM \(cursor)", isKept: false)
    }

    /// Ends the scan.
    ///
    /// The next use of the snapshot receives a batch still in transit and drops it. The server is asked to stop only
    /// for a task that is cancelled, since that may arrive late and end what others ask the snapshot for.
    func close() {
        isOver = true
        fetched = nil
        if ahead != nil && Task.isCancelled { cancellation.cancel(on: snapshot.store.pool) }
        ahead = nil
        if let cursor { snapshot.drop(cursor) }
        cursor = nil
    }
}
#endif
