/// Matching rows gathered to be delivered in a query's total order.
///
/// Keeps no more than about twice `offset + limit` rows when both are known.
struct SortedRows: Sendable {
    private let query: BoundQuery
    private let bound: Int?
    private var rows: RowBuffer
    private var order: [Int] = []
    private var position: Int
    private(set) var isComplete = false

    init(query: BoundQuery) {
        self.query = query
        rows = RowBuffer(columnCount: query.entity.fields.count)
        position = query.offset
        bound = query.limit.flatMap { limit in
            let (sum, overflow) = query.offset.addingReportingOverflow(limit)
            return overflow ? nil : sum
        }
    }

    /// Adds a row in any order.
    mutating func insert(_ buffer: RowBuffer, row: Int) {
        rows.append(buffer[row], version: buffer.versions[row])
        if let bound, rows.rowCount >= 1_024 && rows.rowCount / 2 > bound { prune(to: bound) }
    }

    /// Sorts; no row may be added afterwards.
    mutating func complete() {
        sort()
        if let bound { order.removeLast(max(0, order.count - bound)) }
        isComplete = true
    }

    /// Appends the next rows, projected, to a buffer.
    mutating func deliver(_ maximumRowCount: Int, into output: inout RowBuffer) {
        while position < order.count && output.rowCount < maximumRowCount {
            output.appendProjection(query, of: rows, row: order[position])
            position += 1
        }
    }

    private mutating func prune(to count: Int) {
        sort()
        var kept = RowBuffer(columnCount: rows.columnCount, rowCapacity: count * 2)
        for row in order.prefix(count) { kept.append(rows[row], version: rows.versions[row]) }
        rows = kept
    }

    private mutating func sort() {
        order = Array(0..<rows.rowCount)
        let (query, columns) = (query, rows.columnCount)
        rows.cells.withUnsafeBufferPointer { cells in
            order.sort { left, right in
                query.compare(
                    UnsafeBufferPointer(rebasing: cells[left * columns..<(left + 1) * columns]),
                    UnsafeBufferPointer(rebasing: cells[right * columns..<(right + 1) * columns])) == .ascending
            }
        }
    }
}
