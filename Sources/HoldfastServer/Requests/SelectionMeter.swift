import HoldfastWire

/// Counts what a request selects, and ends it when it is too much.
///
/// Fragments lead to fragments, so that a short document can select very much, and on very many levels. What they select
/// may have large arguments.
final class SelectionMeter {
    private var fieldCount = 0
    private var valueCount = 0
    private let limit: Int
    private let valueLimit: Int
    private var depth = 0
    private var fault: RequestFault?

    /// Levels are read and written by functions that call themselves.
    private static let maximumDepth = 64
    /// The bytes of a text that count as one more value.
    private static let textByteCount = 128

    /// Creates a meter.
    ///
    /// - Parameters:
    ///   - limit: The selections at most; 100,000 by default.
    ///   - valueLimit: The values in arguments at most; 500,000 by default.
    init(limit: Int = 100_000, valueLimit: Int = 500_000) {
        self.limit = limit
        self.valueLimit = valueLimit
    }

    /// All that was counted.
    var count: Int { fieldCount + valueCount }

    /// Enters a level; each call needs one of ``leave()``.
    func enter() throws(RequestFault) {
        depth += 1
        if depth > Self.maximumDepth { fault = fault ?? .limit("The request selects too many levels; ask for fewer.") }
        try check()
    }

    func leave() { depth -= 1 }

    /// Counts selections.
    func take(_ count: Int) throws(RequestFault) {
        fieldCount += count
        if fieldCount > limit { fault = fault ?? .limit("The request selects too many fields; ask for fewer.") }
        try check()
    }

    /// Counts the value of an argument, with all that is in it; a long text counts as several.
    ///
    /// A body has 200,000 values at most, and a document fewer. A request that uses each of them once is never refused.
    func take(argument value: WireValue) throws(RequestFault) {
        valueCount += 1
        switch value {
        case .null, .boolean, .array, .object: break
        case .number(let number): valueCount += number.text.utf8.count / Self.textByteCount
        case .string(let text): valueCount += text.utf8.count / Self.textByteCount
        }
        if valueCount > valueLimit {
            fault = fault ?? .limit("The request has too many values in its arguments; send several requests.")
        }
        // At once, since a variable may be in a literal very often.
        try check()
        switch value {
        case .null, .boolean, .number, .string: break
        case .array(let values): for value in values { try take(argument: value) }
        case .object(let object): for member in object.members { try take(argument: member.value) }
        }
    }

    /// Throws if more was selected than the limits allow.
    func check() throws(RequestFault) { if let fault { throw fault } }
}

extension RequestFault {
    fileprivate static func limit(_ message: String) -> RequestFault { RequestFault("LimitExceededException", message) }
}
