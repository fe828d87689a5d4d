import HoldfastStorage

/// Rows in memory as a scan.
struct RowsScan: StorageScan {
    var rows: ArraySlice<StoredRow>
    let columnCount: Int

    mutating func next(maximumRowCount: Int, into output: inout RowBuffer) async throws(StorageError) {
        output.reset(columnCount: columnCount)
        for row in rows.prefix(maximumRowCount) { output.append(row.cells, version: row.version) }
        rows = rows.dropFirst(maximumRowCount)
    }

    mutating func close() async { rows = [] }
}
