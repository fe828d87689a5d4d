/// A JSON number, kept as it is written, so that no digit is lost.
public struct JSONNumber: Sendable, Hashable {
    /// The number as RFC 8259 writes it.
    public let text: String

    /// The number of an integer.
    public init(_ integer: Int64) { text = String(integer) }

    /// The number of a double, or `nil` for NaN and the infinities, which JSON cannot say.
    public init?(_ double: Double) {
        guard double.isFinite else { return nil }
        text = double.description
    }

    /// A number whose text is known to be JSON.
    init(checked text: String) { self.text = text }

    /// The value if it is a whole number of 64 bits; `1.0` and `1e2` are whole.
    public var integer: Int64? {
        Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
    }

    /// The nearest double, or `nil` if the number is too large for one.
    public var double: Double? {
        guard let double = Double(text), double.isFinite else { return nil }
        return double
    }
}
