public import Foundation
public import HoldfastStorage

extension Temporal {
    /// A time of day: `AWSTime`.
    public struct Time: TemporalSpec {
        /// 2000-01-01, the day that completes a time to an instant, in seconds since 1970.
        private static let day: Int64 = 946_684_800

        /// The time as stored.
        public let clockTime: ClockTime

        /// Creates a time as stored.
        public init(_ clockTime: ClockTime) { self.clockTime = clockTime }

        /// Reads text such as `07:46`, `07:46:00.000` or `07:46:00Z`.
        ///
        /// - Throws: ``/HoldfastStorage/InvalidScalar``.
        public init(iso8601String text: String) throws {
            do {
                clockTime = try ClockTime(parsing: text)
            } catch {
                let completed = TemporalText.completed(text, clockStart: 0, needsOffset: false)
                guard completed != text else { throw error }
                clockTime = try ClockTime(parsing: completed)
            }
        }

        /// Reads text in exactly one format.
        ///
        /// - Throws: ``/HoldfastStorage/InvalidScalar``.
        public init(iso8601String text: String, format: TemporalFormat) throws {
            try self.init(iso8601String: text)
            guard TemporalText.isTime(text, in: format) else { throw TemporalText.mismatch(.time, format) }
        }

        /// The time of day in UTC at an instant; the time zone has no influence.
        public init(_ date: Foundation.Date, timeZone: TimeZone? = .utc) { self = DateTime(date).time }

        /// The time on 2000-01-01.
        public var foundationDate: Foundation.Date {
            Foundation.Date(
                timeIntervalSince1970: Double(Self.day - Int64(clockTime.tail.offset ?? 0))
                    + Double(clockTime.nanosecondsSinceMidnight) / 1e9)
        }

        /// The written offset; UTC if none was written.
        public var timeZone: TimeZone? { TimeZone(secondsFromGMT: Int(clockTime.tail.offset ?? 0)) }

        /// The time with milliseconds and its offset, `Z` if none was written.
        public var iso8601String: String {
            TemporalText.text(of: clockTime, .full, offset: clockTime.tail.offset ?? 0)
        }

        /// The text as written, with seconds, as in JSON.
        public var text: String { clockTime.text }

        /// ISO 8601 text as a time zone shows the time.
        public func iso8601FormattedString(format: TemporalFormat, timeZone: TimeZone = .utc) -> String {
            let offset = timeZone.storableOffset(at: foundationDate)
            let shift = Int64(offset) - Int64(clockTime.tail.offset ?? 0)
            let shifted = Self.wrapped(
                clockTime.nanosecondsSinceMidnight + shift * Gregorian.nanosecondsPerSecond, clockTime.tail)
            return TemporalText.text(of: shifted, format, offset: offset)
        }

        fileprivate static func wrapped(_ nanoseconds: Int64, _ tail: WrittenForm) -> ClockTime {
            ClockTime(
                nanosecondsSinceMidnight: Gregorian.split(nanoseconds, by: Gregorian.nanosecondsPerDay).rest,
                tail: tail)
        }
    }
}

extension Temporal.Time: Comparable, Hashable {
    /// Whether both are the same time of day, regardless of their offsets.
    public static func == (left: Self, right: Self) -> Bool {
        left.clockTime.nanosecondsSinceMidnight == right.clockTime.nanosecondsSinceMidnight
    }

    /// Whether the left time is earlier in the day.
    public static func < (left: Self, right: Self) -> Bool {
        left.clockTime.nanosecondsSinceMidnight < right.clockTime.nanosecondsSinceMidnight
    }

    /// Hashes the time of day.
    public func hash(into hasher: inout Hasher) { hasher.combine(clockTime.nanosecondsSinceMidnight) }
}

extension Temporal.Time: TimeUnitOperable {
    /// The time some time later, on the next day if need be, with the same offset.
    public func adding(_ unit: TimeUnit, sign: Int64) -> Temporal.Time {
        let seconds = Gregorian.split(sign * unit.seconds, by: Gregorian.secondsPerDay).rest
        let nanoseconds = seconds * Gregorian.nanosecondsPerSecond + sign * unit.nanoseconds
        var tail = clockTime.tail
        if unit.nanoseconds % 1_000_000 != 0 {
            tail.fractionDigits = 9
        } else if unit.nanoseconds != 0 {
            tail.fractionDigits = max(tail.fractionDigits, 3)
        }
        return Temporal.Time(Self.wrapped(clockTime.nanosecondsSinceMidnight + nanoseconds, tail))
    }
}

extension Temporal.Time: Codable {
    /// Reads the text form.
    public init(from decoder: any Decoder) throws {
        try self.init(iso8601String: decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Temporal.Time: Persistable {
    /// `AWSTime`.
    public static var fieldType: FieldType { .time }
    /// The time of a cell.
    public init?(storageValue: Value) {
        guard case .time(let clockTime) = storageValue else { return nil }
        self.clockTime = clockTime
    }
    /// The time as a cell.
    public var storageValue: Value { .time(clockTime) }
}
