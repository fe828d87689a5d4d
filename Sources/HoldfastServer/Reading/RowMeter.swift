import HoldfastStorage

/// Counts the records that a request reads, and the bytes of those that it keeps, and ends it when they are too many.
final class RowMeter {
    private var rest: Int
    /// The bytes that more records may have; negative when more were asked for than the limit allows.
    private(set) var byteRest: Int

    /// Creates a meter with the records that may be read, and the bytes that may be kept of them.
    init(limit: Int, byteLimit: Int) {
        rest = limit
        byteRest = byteLimit
    }

    /// Whether more was asked for than the limits allow.
    var isExhausted: Bool { rest < 0 || byteRest < 0 }

    func take(_ count: Int) throws(RequestFault) {
        rest -= count
        try check()
    }

    /// Counts what a record takes in memory; what a filter skips takes none.
    func take(byteCount: Int) throws(RequestFault) {
        byteRest -= byteCount
        try check()
    }

    /// Allows the bytes of records that are kept no longer.
    ///
    /// - Parameter rest: What ``byteRest`` was before they were read.
    func giveBack(to rest: Int) { byteRest = rest }

    private func check() throws(RequestFault) {
        guard isExhausted else { return }
        throw RequestFault(
            "LimitExceededException",
            "The request reads too many records, or too large ones; ask for fewer, or in several requests.")
    }
}
