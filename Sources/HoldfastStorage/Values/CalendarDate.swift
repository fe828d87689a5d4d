/// A day of the proleptic Gregorian calendar, years 1...9999, with the offset in which it was written, if any.
///
/// Ordered by day alone: a date is never shifted by its offset.
public struct CalendarDate: Sendable, Hashable {
    /// Days since 1970-01-01, −719,162...2,932,896.
    public var daysSinceEpoch: Int32
    /// The written offset; its fraction digits are 0.
    public var tail: WrittenForm

    /// Creates a date.
    ///
    /// - Parameters:
    ///   - daysSinceEpoch: Days since 1970-01-01, within years 1...9999.
    ///   - tail: How it prints; no offset by default.
    public init(daysSinceEpoch: Int32, tail: WrittenForm = WrittenForm(offset: nil)) {
        self.daysSinceEpoch = daysSinceEpoch
        self.tail = tail
    }
}
