import HoldfastStorage

/// Decides whether a record still fits into a page, which ends after a number of records or of bytes.
struct PageBudget {
    /// The records that are read at once at most.
    private static let maximumBatch = 256

    /// How many records to read next: large ones must not fill the memory before the page ends.
    ///
    /// The first batch has a page of the usual size, which stores read in one piece.
    private(set) var batchRowCount = 128

    private var rowCount: Int
    private var byteCount: Int
    /// What a batch may have in bytes even if the page is almost full: its filter may skip many records.
    private let minimumBatchByteCount: Int
    private var largestRowByteCount = 1
    private var isEmpty = true
    private let meter: RowMeter

    /// The budget of an empty page; it has at least one record, however large.
    init(rowCount: Int, byteCount: Int, meter: RowMeter) {
        self.rowCount = rowCount
        self.byteCount = byteCount
        minimumBatchByteCount = byteCount / 4
        self.meter = meter
    }

    /// Whether the page has all the records that it may have.
    var isFull: Bool { rowCount == 0 }

    /// Decides how many records to read next: as many as fit if all are as large as the largest one of the last batch.
    ///
    /// A larger one before counts less with each batch.
    ///
    /// - Parameter rows: Those that were read last.
    mutating func sizeNextBatch(after rows: RowBuffer) {
        let largest = (0..<rows.rowCount).reduce(1) { max($0, rows[$1].byteCount) }
        largestRowByteCount = max(largest, largestRowByteCount / 2)
        let fitting = max(byteCount, minimumBatchByteCount) / largestRowByteCount + 1
        batchRowCount = min(2 * batchRowCount, fitting, Self.maximumBatch)
    }

    /// Takes a record into the page.
    ///
    /// - Returns: `false` if it must begin the next page.
    /// - Throws: ``RequestFault`` if the records of the request have too many bytes.
    mutating func take(_ row: ArraySlice<Value>) throws(RequestFault) -> Bool {
        let count = row.byteCount
        byteCount -= count
        guard !isFull, isEmpty || byteCount >= 0 else { return false }
        try meter.take(byteCount: count)
        rowCount -= 1
        isEmpty = false
        return true
    }
}

extension Sequence<Value> {
    /// About the bytes that a record takes in memory, and in a response.
    var byteCount: Int { reduce(0) { $0 + $1.byteCount } }
}

extension Value {
    /// About the bytes that a value takes in memory, and in a response.
    var byteCount: Int {
        switch self {
        case .text(let text): 16 + text.utf8.count
        case .list(let elements): 16 + elements.byteCount
        default: 16
        }
    }
}
