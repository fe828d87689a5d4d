import HoldfastConformance
import HoldfastStorage

/// A scan that leaves out its first row.
struct ShortScan: AdapterScan {
    var base: any AdapterScan
    let trigger: MutantTrigger
    var isFirst = true

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        guard isFirst, !rows.isEmpty else { return }
        isFirst = false
        trigger.fire()
        let rest = rows.storedRows.dropFirst()
        rows.reset(columnCount: rows.columnCount)
        for row in rest { rows.append(row.cells, version: row.version) }
    }

    mutating func close() async { await base.close() }
}
