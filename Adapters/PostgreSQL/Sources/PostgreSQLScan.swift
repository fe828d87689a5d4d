#if PostgreSQL
    internal import HoldfastAdapterKit
    internal import HoldfastStorage

    /// The rows of a query, fetched in batches.
    struct PostgreSQLScan: StorageScan {
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

    /// Where a scan stands.
    ///
    /// Unchecked because nothing here needs a lock: one task pulls a scan, and nobody else touches this.
    final class PostgreSQLScanState: @unchecked Sendable {
        private let query: PostgreSQLQuery
        private let snapshot: PostgreSQLSnapshot
        private let cancellation = PostgreSQLCancellation()
        private var isOver: Bool
        private var part = 0
        /// Rows delivered so far.
        private var readCount = 0
        /// Rows that were fetched and not yet delivered.
        private var fetched: (result: PostgreSQLResult, row: Int)?
        private var cursor: String?
        /// Whether the present part has no more rows than those fetched.
        private var isPartOver = false

        /// A query of at most so many rows is fetched at once; more come through a cursor.
        private static let largestDirectLimit = 1_024

        init(_ snapshot: PostgreSQLSnapshot, _ query: PostgreSQLQuery) {
            self.snapshot = snapshot
            self.query = query
            isOver = query.limit == 0
        }

        func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
            rows.reset(columnCount: query.layout.cellCount)
            if isOver { return }
            if snapshot.isClosed { throw StorageError.closedStore() }
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
            part += 1
        }

        private func fetch(_ maximumRowCount: Int) async throws(StorageError) {
            let count = max(64, maximumRowCount)
            var commands: [PostgreSQLCommand] = []
            let name = cursor ?? snapshot.makeCursorName()
            if cursor == nil {
                var command = query.command(part: part, readCount: readCount)
                if let limit = query.limit, limit - readCount <= Self.largestDirectLimit {
                    let result = try await snapshot.perform([command], stoppedBy: cancellation)[0]
                    fetched = (result, 0)
                    isPartOver = true
                    return
                }
                command.sql = "DECLARE \(name) BINARY NO SCROLL CURSOR FOR " + command.sql
                command.isKept = false
                commands.append(command)
            }
            commands.append(PostgreSQLCommand("FETCH \(count) FROM \(name)", isKept: false))
            let results = try await snapshot.perform(commands, stoppedBy: cancellation)
            // A cursor whose first batch fails is gone with it, and must not be closed.
            cursor = name
            guard let result = results.last else { return }
            fetched = (result, 0)
            isPartOver = result.rowCount < count
        }

        func close() {
            isOver = true
            fetched = nil
            if let cursor { snapshot.drop(cursor) }
            cursor = nil
        }
    }
#endif
