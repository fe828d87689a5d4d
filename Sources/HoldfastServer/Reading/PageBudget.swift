import HoldfastStorage

/// Decides whether a record still fits into a page, which ends after a number of records or of bytes.
struct PageBudget {
    /// The records that are read at once: large ones must not fill the memory before the page ends.
    static let batchRowCount = 256

    private var rowCount: Int
    private var byteCount: Int
    private var isEmpty = true
    private let meter: RowMeter

    /// The budget of an empty page; it has at least one record, however large.
    init(rowCount: Int, byteCount: Int, meter: RowMeter) {
        self.rowCount = rowCount
        self.byteCount = byteCount
        self.meter = meter
    }

    /// Whether the page has all the records that it may have.
    var isFull: Bool { rowCount == 0 }

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
