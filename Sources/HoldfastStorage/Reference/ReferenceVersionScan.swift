/// The reference of a scan by version: picks and sorts the rows of a scan of the whole entity.
///
/// - Complexity: Reads the source to its end first, in O(n log n) time and the memory of all rows of the range, or of a
///   few times the limit if there is one.
public struct ReferenceVersionScan: AdapterScan {
    private var source: any AdapterScan
    private let range: BoundVersionRange
    private var input = RowBuffer()
    private var rows: RowBuffer
    /// The rows still to be delivered, in order, once the source is read.
    private var order: ArraySlice<Int> = []
    private var isSorted = false
    private var isOver: Bool

    /// Creates the scan.
    ///
    /// - Parameters:
    ///   - source: All records of the entity, each once, all fields in schema order.
    ///   - range: The question.
    public init(source: any AdapterScan, range: BoundVersionRange) {
        self.source = source
        self.range = range
        rows = RowBuffer(columnCount: range.entity.fields.count)
        isOver = range.limit == 0
    }

    /// Delivers the next rows; sorts off the caller's actor.
    @concurrent
    public mutating func next(maximumRowCount: Int, into output: inout RowBuffer) async throws(StorageError) {
        output.reset(columnCount: range.entity.fields.count)
        if isOver { return }
        do {
            if !isSorted { try await readSource() }
            // The rows are here, but they end with the snapshot they were read from, which only the source knows.
            try await source.next(maximumRowCount: 1, into: &input)
        } catch {
            isOver = true
            throw error
        }
        for row in order.prefix(maximumRowCount) { output.append(rows[row], version: rows.versions[row]) }
        order = order.dropFirst(maximumRowCount)
        if output.isEmpty { await close() }
    }

    /// Closes the source.
    public mutating func close() async {
        isOver = true
        await source.close()
    }

    private mutating func readSource() async throws(StorageError) {
        let range = range
        repeat {
            try await source.next(maximumRowCount: 512, into: &input)
            for row in 0..<input.rowCount {
                let version = input.versions[row]
                if input.withRow(row, { range.contains($0, version: version) }) {
                    rows.append(input[row], version: version)
                }
            }
            if let limit = range.limit, rows.rowCount >= 1_024, rows.rowCount / 2 > limit { prune() }
        } while !input.isEmpty
        order = sorted()
        isSorted = true
    }

    private mutating func prune() {
        var kept = RowBuffer(columnCount: rows.columnCount)
        for row in sorted() { kept.append(rows[row], version: rows.versions[row]) }
        rows = kept
    }

    /// The first rows in order, as many as are asked for.
    private func sorted() -> ArraySlice<Int> {
        let keys = (0..<rows.rowCount).map { range.entity.key(of: rows[$0]) }
        let order = keys.indices.sorted { (rows.versions[$0], keys[$0]) < (rows.versions[$1], keys[$1]) }
        return order.prefix(range.limit ?? .max)
    }
}
