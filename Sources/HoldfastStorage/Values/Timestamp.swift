/// An instant of years 1...9999 in nanoseconds, with the offset and the digits in which it was written.
///
/// Ordered by instant: `2024-01-01T01:00+01:00` equals `2024-01-01T00:00Z` in every comparison, and both print as
/// they were written.
public struct Timestamp: Sendable, Hashable {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded toward the past.
    public var secondsSinceEpoch: Int64
    /// Nanoseconds after ``secondsSinceEpoch``, 0..<1,000,000,000.
    public var nanoseconds: Int32
    /// The written offset and number of fraction digits.
    public var tail: WrittenForm

    /// Creates an instant.
    ///
    /// - Parameters:
    ///   - secondsSinceEpoch: Whole seconds since 1970-01-01T00:00:00Z, within years 1...9999.
    ///   - nanoseconds: 0..<1,000,000,000.
    ///   - tail: How it prints; must have an offset.
    public init(secondsSinceEpoch: Int64, nanoseconds: Int32, tail: WrittenForm) {
        self.secondsSinceEpoch = secondsSinceEpoch
        self.nanoseconds = nanoseconds
        self.tail = tail
    }
}
