public import Foundation
public import HoldfastStorage

extension Temporal {
    /// An instant with the offset and the digits in which it was written: `AWSDateTime`.
    ///
    /// ```swift
    /// let written = try Temporal.DateTime(iso8601String: "2026-11-21T09:30:00+01:00")
    /// let sameInstant = written.foundationDate == Date(timeIntervalSince1970: 1_795_249_800)  // true
    /// let kept = written.iso8601String  // "2026-11-21T09:30:00.000+01:00": it keeps its offset
    /// ```
    public struct DateTime: TemporalSpec {
        /// The instant as stored.
        public let timestamp: Timestamp

        /// Creates an instant as stored.
        public init(_ timestamp: Timestamp) { self.timestamp = timestamp }

        /// Reads text such as `2026-11-21T07:46:00.000Z`; UTC if it has no offset.
        ///
        /// - Throws: ``/HoldfastStorage/InvalidScalar``.
        public init(iso8601String text: String) throws {
            do {
                timestamp = try Timestamp(parsing: text)
            } catch {
                let completed = TemporalText.completed(text, clockStart: 11, needsOffset: true)
                guard completed != text else { throw error }
                timestamp = try Timestamp(parsing: completed)
            }
        }

        /// Reads text in exactly one format; UTC if it has no offset.
        ///
        /// - Throws: ``/HoldfastStorage/InvalidScalar``.
        public init(iso8601String text: String, format: TemporalFormat) throws {
            try self.init(iso8601String: text)
            guard TemporalText.isDateTime(text, in: format) else { throw TemporalText.mismatch(.dateTime, format) }
        }

        /// The nearest millisecond to an instant, with the offset of a time zone; UTC by default.
        ///
        /// A date outside years 1...9999 stays outside them, so that no store takes it.
        public init(_ date: Foundation.Date, timeZone: TimeZone? = .utc) {
            let exact = date.timeIntervalSince1970 * 1_000
            let milliseconds = Int64(exact.isNaN ? 1e15 : min(max(exact, -1e15), 1e15).rounded())
            let (seconds, rest) = Gregorian.split(milliseconds, by: 1_000)
            let offset = timeZone.map { $0 == .utc ? 0 : $0.storableOffset(at: date) } ?? 0
            timestamp = Timestamp(
                secondsSinceEpoch: seconds, nanoseconds: Int32(rest) * 1_000_000,
                tail: WrittenForm(offset: offset, fractionDigits: 3))
        }

        /// The instant as Foundation's date.
        public var foundationDate: Foundation.Date {
            Foundation.Date(
                timeIntervalSince1970: Double(timestamp.secondsSinceEpoch) + Double(timestamp.nanoseconds) / 1e9)
        }

        /// The offset in which the instant was written.
        public var timeZone: TimeZone? { TimeZone(secondsFromGMT: Int(timestamp.tail.offset ?? 0)) }

        /// The time of day in UTC.
        public var time: Time {
            let seconds = Gregorian.split(timestamp.secondsSinceEpoch, by: Gregorian.secondsPerDay).rest
            return Time(
                ClockTime(
                    nanosecondsSinceMidnight: seconds * Gregorian.nanosecondsPerSecond
                        + Int64(timestamp.nanoseconds),
                    tail: WrittenForm(offset: 0, fractionDigits: timestamp.tail.fractionDigits)))
        }

        /// RFC 3339 text with milliseconds, in the offset in which the instant was written.
        public var iso8601String: String {
            TemporalText.text(of: timestamp, .full, offset: timestamp.tail.offset ?? 0)
        }

        /// RFC 3339 text in the offset and with the digits in which the instant was written, as in JSON.
        public var text: String { timestamp.text }

        /// ISO 8601 text as a time zone shows the instant.
        public func iso8601FormattedString(format: TemporalFormat, timeZone: TimeZone = .utc) -> String {
            TemporalText.text(of: timestamp, format, offset: timeZone.storableOffset(at: foundationDate))
        }
    }
}

extension Temporal.DateTime: Comparable, Hashable {
    /// Whether both are the same instant, regardless of their offsets.
    public static func == (left: Self, right: Self) -> Bool {
        left.timestamp.secondsSinceEpoch == right.timestamp.secondsSinceEpoch
            && left.timestamp.nanoseconds == right.timestamp.nanoseconds
    }

    /// Whether the left instant is earlier.
    public static func < (left: Self, right: Self) -> Bool {
        (left.timestamp.secondsSinceEpoch, left.timestamp.nanoseconds)
            < (right.timestamp.secondsSinceEpoch, right.timestamp.nanoseconds)
    }

    /// Hashes the instant.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(timestamp.secondsSinceEpoch)
        hasher.combine(timestamp.nanoseconds)
    }
}

extension Temporal.DateTime: DateUnitOperable, TimeUnitOperable {
    /// The instant some days or months later by the calendar in UTC, with the same offset.
    public func adding(_ unit: DateUnit, sign: Int64) -> Temporal.DateTime {
        let (day, rest) = Gregorian.split(timestamp.secondsSinceEpoch, by: Gregorian.secondsPerDay)
        let new =
            switch unit.kind {
            case .days: CivilCalendar.adding(days: sign * unit.value, toDay: day)
            case .months: CivilCalendar.adding(months: sign * unit.value, toDay: day)
            }
        return with(seconds: new * Gregorian.secondsPerDay + rest, nanoseconds: timestamp.nanoseconds)
    }

    /// The instant some time later, with the same offset and as many fraction digits as it needs.
    public func adding(_ unit: TimeUnit, sign: Int64) -> Temporal.DateTime {
        let nanoseconds = Int64(timestamp.nanoseconds) + sign * unit.nanoseconds
        let (carry, rest) = Gregorian.split(nanoseconds, by: Gregorian.nanosecondsPerSecond)
        let (sum, overflow) = timestamp.secondsSinceEpoch.addingReportingOverflow(sign * unit.seconds)
        let seconds = overflow ? (sign * unit.seconds < 0 ? Int64.min : .max) : sum
        return with(seconds: seconds < .max ? seconds + carry : seconds, nanoseconds: Int32(rest))
    }

    /// The nearest instant that can be written with the same offset, and in UTC.
    private func with(seconds: Int64, nanoseconds: Int32) -> Temporal.DateTime {
        let offset = Int64(timestamp.tail.offset ?? 0)
        let earliest = Gregorian.seconds.lowerBound - min(offset, 0)
        let latest = Gregorian.seconds.upperBound - max(offset, 0)
        var digits = 0
        var rest = nanoseconds
        while rest != 0 {
            digits += 1
            rest = Int32(Int64(nanoseconds) * Self.powersOfTen[digits] % Gregorian.nanosecondsPerSecond)
        }
        var tail = timestamp.tail
        tail.fractionDigits = max(tail.fractionDigits, digits)
        return Temporal.DateTime(
            Timestamp(
                secondsSinceEpoch: min(max(seconds, earliest), latest), nanoseconds: nanoseconds, tail: tail))
    }

    private static let powersOfTen: [Int64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    ]
}

extension Temporal.DateTime: Codable {
    /// Reads RFC 3339 text.
    public init(from decoder: any Decoder) throws {
        try self.init(iso8601String: decoder.singleValueContainer().decode(String.self))
    }

    /// Writes RFC 3339 text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Temporal.DateTime: Persistable {
    /// `AWSDateTime`.
    public static var fieldType: FieldType { .dateTime }
    /// The instant of a cell.
    public init?(storageValue: Value) {
        guard case .timestamp(let timestamp) = storageValue else { return nil }
        self.timestamp = timestamp
    }
    /// The instant as a cell.
    public var storageValue: Value { .timestamp(timestamp) }
}
