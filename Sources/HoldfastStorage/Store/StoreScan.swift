/// The rows of a query, pulled in batches by one task; stops when the task is cancelled.
public struct StoreScan: Sendable {
    private var scan: any AdapterScan

    init(_ scan: any AdapterScan) { self.scan = scan }

    /// Replaces the buffer's content with the next rows; leaves it empty at the end.
    ///
    /// - Parameters:
    ///   - maximumRowCount: The largest number of rows; at least 1, 1,024 by default.
    ///   - rows: Reset and filled.
    /// - Throws: ``StorageError`` `.cancelled` between batches or from within one; as the adapter otherwise.
    public mutating func next(
        maximumRowCount: Int = 1_024, into rows: inout RowBuffer
    ) async throws(StorageError) {
        do {
            try StorageError.checkCancellation()
            try await scan.next(maximumRowCount: max(1, maximumRowCount), into: &rows)
        } catch {
            await scan.close()
            throw error
        }
    }

    /// Ends the query early; idempotent.
    public mutating func close() async { await scan.close() }
}
