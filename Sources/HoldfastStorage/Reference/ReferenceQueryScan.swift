/// The reference of a query: filters, sorts, pages and projects the rows of another scan.
///
/// Runs the part of a query that an adapter does not run itself, or all of it.
///
/// - Complexity: If there is nothing to sort, it streams in the memory of one batch. Otherwise it first reads the
///   source to its end, in O(n log n) time and the memory of all matching rows, or of `offset + limit` rows if that is
///   known.
public struct ReferenceQueryScan: AdapterScan {
    private var source: any AdapterScan
    private let query: BoundQuery
    private var input = RowBuffer()
    private var inputRow = 0
    private var sorted: SortedRows?
    private var toSkip: Int
    private var remaining: Int?
    private var isOver = false

    /// Creates the scan.
    ///
    /// - Parameters:
    ///   - source: Rows of all fields in schema order that include every matching record once.
    ///   - query: The question.
    ///   - sourceIsOrdered: Whether the source delivers the matching rows in the query's total order.
    public init(source: any AdapterScan, query: BoundQuery, sourceIsOrdered: Bool) {
        self.source = source
        self.query = query
        toSkip = query.offset
        remaining = query.limit
        isOver = query.limit == 0
        if !sourceIsOrdered { sorted = SortedRows(query: query) }
    }

    /// Delivers the next matching rows; filters and sorts off the caller's actor.
    @concurrent public mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        rows.reset(columnCount: query.projection.count)
        do {
            if sorted == nil {
                try await stream(maximumRowCount, into: &rows)
            } else if !isOver {
                try await sortSource()
                // The rows are here, but they end with the snapshot they were read from, which only the source knows.
                try await source.next(maximumRowCount: 1, into: &input)
                sorted?.deliver(maximumRowCount, into: &rows)
                if rows.isEmpty {
                    isOver = true
                    await source.close()
                }
            }
        } catch {
            isOver = true
            throw error
        }
    }

    /// Closes the source.
    public mutating func close() async {
        isOver = true
        await source.close()
    }

    private mutating func stream(_ maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        while !isOver && rows.rowCount < maximumRowCount {
            if inputRow == input.rowCount {
                try await source.next(maximumRowCount: maximumRowCount, into: &input)
                inputRow = 0
                if input.isEmpty {
                    isOver = true
                    return
                }
                if rows.isEmpty && query.projectsAllFields {
                    takeInput(as: &rows)
                    continue
                }
            }
            take(inputRow, into: &rows)
            inputRow += 1
        }
        if isOver { await source.close() }
    }

    private mutating func take(_ row: Int, into rows: inout RowBuffer) {
        guard isResult(row) else { return }
        if toSkip > 0 {
            toSkip -= 1
            return
        }
        rows.appendProjection(query, of: input, row: row)
        take(rowCount: 1)
    }

    /// Takes the results among all rows of the input; a copy of them would retain all that they hold.
    private mutating func takeInput(as rows: inout RowBuffer) {
        let matching = query.predicate.matches(among: Array(0..<input.rowCount), of: input)
        // They are ordered: what follows one of them after the cursor is after it, too. Rows that do not match may be out
        // of order: a scan does not sort by a field that the predicate fixes.
        let results = matching.drop { !input.withRow($0, query.isAfterCursor) }
        let skipped = min(toSkip, results.count)
        toSkip -= skipped
        input.keepRows(results.dropFirst(skipped).prefix(remaining ?? .max))
        swap(&rows, &input)
        take(rowCount: rows.rowCount)
    }

    /// Whether a row of the input is after the cursor and matches.
    private func isResult(_ row: Int) -> Bool {
        input.withRow(row) { query.isAfterCursor($0) && query.predicate.matches($0) }
    }

    /// Counts rows that were taken.
    private mutating func take(rowCount: Int) {
        guard let left = remaining else { return }
        remaining = left - rowCount
        isOver = left == rowCount
    }

    private mutating func sortSource() async throws(StorageError) {
        guard var rows = sorted, !rows.isComplete else { return }
        sorted = nil
        repeat {
            try await source.next(maximumRowCount: 512, into: &input)
            for row in 0..<input.rowCount where isResult(row) { rows.insert(input, row: row) }
        } while !input.isEmpty
        rows.complete()
        sorted = rows
    }
}

extension RowBuffer {
    /// Appends the projected cells of another buffer's row.
    mutating func appendProjection(_ query: BoundQuery, of other: RowBuffer, row: Int) {
        if query.projectsAllFields {
            append(other[row], version: other.versions[row])
        } else {
            for position in query.projection { appendCell(other[row, position]) }
            finishRow(version: other.versions[row])
        }
    }
}
