public import Foundation

/// The date and time types of models.
///
/// ```swift
/// let instant = try Temporal.DateTime(iso8601String: "2026-11-21T09:30:00+01:00")
/// let day = try Temporal.Date(iso8601String: "2026-11-21")
/// let time = try Temporal.Time(iso8601String: "09:30")
/// let text = instant.iso8601FormattedString(format: .short)  // "2026-11-21T08:30", in UTC
/// ```
public enum Temporal {}

/// A date or time type.
public protocol TemporalSpec: Sendable {
    /// The instant as Foundation's date; see each type for what completes it.
    var foundationDate: Foundation.Date { get }

    /// The written offset from UTC; UTC if none was written.
    var timeZone: TimeZone? { get }

    /// ISO 8601 text in the format ``TemporalFormat/full``, in the written offset.
    var iso8601String: String { get }

    /// The present in UTC, to the millisecond.
    static func now() -> Self

    /// Reads ISO 8601 text in any ``TemporalFormat``, with more or fewer fraction digits; UTC if it has no offset.
    ///
    /// - Throws: ``/HoldfastStorage/InvalidScalar``.
    init(iso8601String: String) throws

    /// Reads ISO 8601 text in exactly one format; UTC if it has no offset.
    ///
    /// - Throws: ``/HoldfastStorage/InvalidScalar``.
    init(iso8601String: String, format: TemporalFormat) throws

    /// The part of an instant that the type keeps.
    ///
    /// - Parameters:
    ///   - date: The instant.
    ///   - timeZone: Where it is looked at; `nil` for UTC.
    init(_ date: Foundation.Date, timeZone: TimeZone?)

    /// ISO 8601 text.
    ///
    /// - Parameters:
    ///   - format: How much is written.
    ///   - timeZone: Where the instant is looked at.
    /// - Returns: The text in the given format.
    func iso8601FormattedString(format: TemporalFormat, timeZone: TimeZone) -> String
}

extension TemporalSpec {
    /// The present in UTC, to the millisecond.
    public static func now() -> Self { Self(Foundation.Date(), timeZone: .utc) }

    /// ISO 8601 text in UTC.
    public func iso8601FormattedString(format: TemporalFormat) -> String {
        iso8601FormattedString(format: format, timeZone: .utc)
    }
}

/// How much of a date or time is written.
public enum TemporalFormat: String, Sendable, Hashable, CaseIterable {
    /// `yyyy-MM-dd`, `yyyy-MM-ddTHH:mm`, `HH:mm`.
    case short
    /// `yyyy-MM-ddZ`, `yyyy-MM-ddTHH:mm:ss`, `HH:mm:ss`.
    case medium
    /// `yyyy-MM-ddZ`, `yyyy-MM-ddTHH:mm:ssZ`, `HH:mm:ss.SSS`.
    case long
    /// `yyyy-MM-ddZ`, `yyyy-MM-ddTHH:mm:ss.SSSZ`, `HH:mm:ss.SSSZ`.
    case full
}

extension TimeZone {
    /// Coordinated universal time.
    public static var utc: TimeZone { .gmt }
}
