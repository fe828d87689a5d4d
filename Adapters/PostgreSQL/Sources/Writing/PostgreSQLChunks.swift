#if PostgreSQL
internal import HoldfastStorage

/// Rows that are put together, cut into parts of one statement each.
///
/// The server takes a gigabyte at a time, and ends the connection if it is sent more.
struct PostgreSQLChunks: Sequence, IteratorProtocol {
    /// About how many bytes a row has at most; what comes with it in a statement needs some room.
    static let maximumRowByteCount = 1_000_000_000

    private let rows: RowBuffer
    private let rowCount: Int
    private let byteCount: Int
    private var start = 0

    /// Cuts rows.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - rowCount: How many rows a part has at most.
    ///   - byteCount: After how many bytes a part ends; 8 MiB by default.
    init(_ rows: RowBuffer, rowCount: Int, byteCount: Int = 8 << 20) {
        self.rows = rows
        self.rowCount = rowCount
        self.byteCount = byteCount
    }

    mutating func next() -> Range<Int>? {
        if start >= rows.rowCount { return nil }
        var (end, bytes) = (start, 0)
        repeat {
            bytes += rows.roughByteCount(ofRow: end)
            end += 1
        } while end < rows.rowCount && end - start < rowCount && bytes < byteCount
        defer { start = end }
        return start..<end
    }
}

extension RowBuffer {
    /// Whether a row takes more than about `byteCount` bytes in a statement.
    func hasRow(longerThan byteCount: Int) -> Bool {
        (0..<rowCount).contains { roughByteCount(ofRow: $0) > byteCount }
    }

    /// About how many bytes a row takes in a statement.
    fileprivate func roughByteCount(ofRow row: Int) -> Int {
        withRow(row) { cells in cells.reduce(0) { $0 + $1.roughByteCount } }
    }
}

extension Value {
    /// About how many bytes the value takes in a statement.
    fileprivate var roughByteCount: Int {
        switch self {
        case .text(let text): text.utf8.count + 4
        case .bytes(let bytes): bytes.count + 4
        case .list(let elements): elements.reduce(32) { $0 + $1.roughByteCount }
        case .null, .boolean, .integer, .double, .date, .time, .timestamp: 12
        }
    }
}
#endif
