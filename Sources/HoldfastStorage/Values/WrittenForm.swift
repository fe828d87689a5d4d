/// How a date or time was written: its offset from UTC and its number of fraction digits.
///
/// Kept beside the value so that it prints as it was written; order and equality of values ignore it.
public struct WrittenForm: Sendable, Hashable {
    /// The offset from UTC in seconds, −64 799...64 799; `nil` when none was written (dates and times only).
    ///
    /// Zero is written `Z`.
    public var offset: Int32? {
        get { packed & Self.hasOffset == 0 ? nil : Int32(packed >> 8) }
        set {
            packed = (packed & 0x0F) | (newValue.map { $0 << 8 | Self.hasOffset } ?? 0)
        }
    }

    /// The number of digits after the decimal point of the seconds, 0...9.
    public var fractionDigits: Int {
        get { Int(packed & 0x0F) }
        set { packed = (packed & ~0x0F) | Int32(newValue) }
    }

    private static let hasOffset: Int32 = 0x10
    private var packed: Int32 = 0

    /// Creates a written form.
    ///
    /// - Parameters:
    ///   - offset: Seconds east of UTC, −64 799...64 799, or `nil` for none.
    ///   - fractionDigits: Digits after the decimal point, 0...9.
    public init(offset: Int32?, fractionDigits: Int = 0) {
        precondition((0...9).contains(fractionDigits), "fractionDigits is 0...9")
        precondition(offset.map { abs($0) < 64_800 } ?? true, "offset is less than 18 hours")
        self.fractionDigits = fractionDigits
        self.offset = offset
    }
}
