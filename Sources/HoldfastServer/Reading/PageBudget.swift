import HoldfastStorage

/// Decides whether a record still fits into a page, which ends after a number of records or of bytes.
struct PageBudget {
    /// The records that are read at once: large ones must not fill the memory before the page ends.
    static let batchRowCount = 256

    private var rowCount: Int
    private var byteCount: Int
    private var isEmpty = true

    /// The budget of an empty page; it has at least one record, however large.
    init(rowCount: Int, byteCount: Int) {
        self.rowCount = rowCount
        self.byteCount = byteCount
    }

    /// Whether the page has all the records that it may have.
    var isFull: Bool { rowCount == 0 }

    /// Takes a record into the page.
    ///
    /// - Returns: `false` if it must begin the next page.
    mutating func take(_ row: ArraySlice<Value>) -> Bool {
        byteCount -= row.reduce(0) { $0 + $1.byteCount }
        guard !isFull, isEmpty || byteCount >= 0 else { return false }
        rowCount -= 1
        isEmpty = false
        return true
    }
}

extension Value {
    /// About the bytes that it takes in a response.
    fileprivate var byteCount: Int {
        switch self {
        case .text(let text): 16 + text.utf8.count
        case .list(let elements): elements.reduce(16) { $0 + $1.byteCount }
        default: 16
        }
    }
}
