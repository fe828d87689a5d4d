package import HoldfastStorage

/// Rows in memory as a scan.
package struct RowsScan: AdapterScan {
    private var rows: ArraySlice<StoredRow>
    private let columnCount: Int

    /// Creates a scan.
    package init(rows: some Sequence<StoredRow>, columnCount: Int) {
        self.rows = ArraySlice(rows)
        self.columnCount = columnCount
    }

    /// Delivers the next rows.
    package mutating func next(
        maximumRowCount: Int, into output: inout RowBuffer
    ) async throws(StorageError) {
        output.reset(columnCount: columnCount)
        for row in rows.prefix(maximumRowCount) { output.append(row.cells, version: row.version) }
        rows = rows.dropFirst(maximumRowCount)
    }

    /// Drops the rest.
    package mutating func close() async { rows = [] }
}
