/// Rows on their way from a back end, pulled in batches by one task.
///
/// Dropping a scan releases what it holds; ``close()`` does so at once.
public protocol AdapterScan: Sendable {
    /// Replaces the buffer's content with the next rows.
    ///
    /// - Parameters:
    ///   - maximumRowCount: The largest number of rows; at least 1. Fewer do not mean the end.
    ///   - rows: Reset and filled; left empty only at the end, and again in every later call.
    /// - Throws: ``StorageError`` `.closed` if the store or snapshot was closed, `.cancelled`, `.corruption`, `.io`;
    ///   the scan is over then.
    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError)

    /// Ends the scan early. Idempotent.
    mutating func close() async
}
