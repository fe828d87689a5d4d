/// A time of day with the digits and the offset in which it was written.
///
/// Ordered by the time as written: a time without a date is never shifted by its offset.
public struct ClockTime: Sendable, Hashable {
    /// Nanoseconds since midnight, 0..<86,400,000,000,000.
    public var nanosecondsSinceMidnight: Int64
    /// The written offset and number of fraction digits.
    public var tail: WrittenForm

    /// Creates a time of day.
    ///
    /// - Parameters:
    ///   - nanosecondsSinceMidnight: 0..<86,400,000,000,000.
    ///   - tail: How it prints.
    public init(nanosecondsSinceMidnight: Int64, tail: WrittenForm) {
        self.nanosecondsSinceMidnight = nanosecondsSinceMidnight
        self.tail = tail
    }
}
