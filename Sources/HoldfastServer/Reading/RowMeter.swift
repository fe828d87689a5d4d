import HoldfastStorage

/// Counts the records that a request reads, and the bytes of those that it keeps, and ends it when they are too many.
final class RowMeter {
    /// What more may be read; negative when more was asked for than the limits allow.
    private(set) var rest: (rows: Int, bytes: Int)
    /// How many more times the request may read a page that does not fit, each time as much as the limits allow.
    ///
    /// Enough for a few pages that become shorter until they fit, and not for one under each of many names.
    private var resetCount = 12

    /// Creates a meter with the records that may be read, and the bytes that may be kept of them.
    init(limit: Int, byteLimit: Int) {
        rest = (limit, byteLimit)
    }

    /// Whether more was asked for than the limits allow.
    var isExhausted: Bool { rest.rows < 0 || rest.bytes < 0 }

    /// Counts records that are read; one whose comparison takes long counts as several.
    func take(_ count: Int) throws(RequestFault) {
        rest.rows -= count
        try check()
    }

    /// Counts what a record takes in memory; what a filter skips takes none.
    func take(byteCount: Int) throws(RequestFault) {
        rest.bytes -= byteCount
        try check()
    }

    /// Forgets the records that were read since then and are kept no longer.
    ///
    /// - Parameter rest: What ``rest`` was before they were read.
    /// - Returns: `false`, and nothing changes, if the request has done so too often.
    func reset(to rest: (rows: Int, bytes: Int)) -> Bool {
        guard resetCount > 0 else { return false }
        resetCount -= 1
        self.rest = rest
        return true
    }

    private func check() throws(RequestFault) {
        guard isExhausted else { return }
        throw RequestFault(
            "LimitExceededException",
            "The request reads too many records, or too large ones; ask for fewer, or in several requests.")
    }
}
