/// Counts what a request selects, and ends it when it is too much.
///
/// Fragments lead to fragments, so that a short document can select very much, and on very many levels.
final class SelectionMeter {
    private var rest: Int
    private var depth = 0
    private var fault: RequestFault?

    /// Levels are read and written by functions that call themselves.
    private static let maximumDepth = 64

    /// Creates a meter.
    ///
    /// - Parameter limit: The selections at most; 100,000 by default.
    init(limit: Int = 100_000) { rest = limit }

    /// Enters a level; each call needs one of ``leave()``.
    func enter() throws(RequestFault) {
        depth += 1
        if depth > Self.maximumDepth { fault = fault ?? .limit("The request selects too many levels; ask for fewer.") }
        try check()
    }

    func leave() { depth -= 1 }

    /// Counts selections.
    func take(_ count: Int) throws(RequestFault) {
        rest -= count
        if rest < 0 { fault = fault ?? .limit("The request selects too many fields; ask for fewer.") }
        try check()
    }

    /// Throws if more was selected than the limits allow.
    func check() throws(RequestFault) { if let fault { throw fault } }
}

extension RequestFault {
    fileprivate static func limit(_ message: String) -> RequestFault { RequestFault("LimitExceededException", message) }
}
