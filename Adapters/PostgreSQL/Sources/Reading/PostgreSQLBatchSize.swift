#if PostgreSQL
/// How many rows a scan fetches at a time.
///
/// A result is in memory as a whole, so that a batch of large rows must have few of them.
struct PostgreSQLBatchSize {
    /// About how many bytes a batch has at most, if its rows are as long as those before it; 8 MiB.
    private static let byteCount = 8 << 20
    /// A caller that wants fewer rows gets the rest of them later.
    private static let usualRowCount = 64

    private var limit = Int.max

    /// How many rows to fetch next.
    ///
    /// - Parameter maximumRowCount: How many rows the caller wants at most.
    /// - Returns: At least 1.
    func rowCount(for maximumRowCount: Int) -> Int { min(max(Self.usualRowCount, maximumRowCount), limit) }

    /// Takes note of a batch.
    ///
    /// The next one has at most twice as many rows, since a short row says little about those after it.
    ///
    /// - Parameters:
    ///   - rowCount: How many rows it has.
    ///   - byteCount: How many bytes it takes.
    ///   - askedCount: How many rows were asked for.
    mutating func note(rowCount: Int, byteCount: Int, of askedCount: Int) {
        if rowCount == 0 { return }
        limit = max(1, min(2 * askedCount, Self.byteCount * rowCount / max(1, byteCount)))
    }
}
#endif
