public import Foundation
public import HoldfastStorage

extension Temporal {
    /// A calendar day: `AWSDate`.
    public struct Date: TemporalSpec {
        /// The day as stored.
        public let day: CalendarDate

        /// Creates a day as stored.
        public init(_ day: CalendarDate) { self.day = day }

        /// Reads text such as `2026-11-21`, `2026-11-21Z` or `2026-11-21+01:00`; the day is the one written.
        ///
        /// - Throws: ``/HoldfastStorage/InvalidScalar``.
        public init(iso8601String text: String) throws {
            do {
                day = try CalendarDate(parsing: text)
            } catch {
                let completed = TemporalText.completed(text, clockStart: 10, needsOffset: false)
                guard completed != text else { throw error }
                day = try CalendarDate(parsing: completed)
            }
        }

        /// Reads text in exactly one format: `short` without an offset, the others with one.
        ///
        /// - Throws: ``/HoldfastStorage/InvalidScalar``.
        public init(iso8601String text: String, format: TemporalFormat) throws {
            try self.init(iso8601String: text)
            guard (day.tail.offset == nil) == (format == .short) else { throw TemporalText.mismatch(.date, format) }
        }

        /// The day at an instant in a time zone; UTC by default.
        public init(_ date: Foundation.Date, timeZone: TimeZone? = .utc) {
            let time = DateTime(date, timeZone: timeZone).timestamp
            let offset = Int64(time.tail.offset ?? 0)
            let days = Gregorian.split(time.secondsSinceEpoch + offset, by: Gregorian.secondsPerDay).quotient
            day = CalendarDate(daysSinceEpoch: Int32(clamping: days), tail: WrittenForm(offset: 0))
        }

        /// The beginning of the day in UTC.
        public var foundationDate: Foundation.Date {
            Foundation.Date(timeIntervalSince1970: Double(day.daysSinceEpoch) * 86_400)
        }

        /// The written offset; UTC if none was written.
        public var timeZone: TimeZone? { TimeZone(secondsFromGMT: Int(day.tail.offset ?? 0)) }

        /// The day and its offset, `Z` if none was written.
        public var iso8601String: String {
            CalendarDate(daysSinceEpoch: day.daysSinceEpoch, tail: WrittenForm(offset: day.tail.offset ?? 0)).text
        }

        /// The text as written, which is also the text in JSON.
        public var text: String { day.text }

        /// The day at whose beginning in UTC a place with another offset looks at its calendar.
        public func iso8601FormattedString(format: TemporalFormat, timeZone: TimeZone = .utc) -> String {
            let offset = timeZone.storableOffset(at: foundationDate)
            let days = Int64(day.daysSinceEpoch) + (offset < 0 ? -1 : 0)
            let tail = WrittenForm(offset: format == .short ? nil : offset)
            return CalendarDate(daysSinceEpoch: Int32(clamping: days), tail: tail).text
        }
    }
}

extension Temporal.Date: Comparable, Hashable {
    /// Whether both are the same day, regardless of their offsets.
    public static func == (left: Self, right: Self) -> Bool {
        left.day.daysSinceEpoch == right.day.daysSinceEpoch
    }

    /// Whether the left day is earlier.
    public static func < (left: Self, right: Self) -> Bool {
        left.day.daysSinceEpoch < right.day.daysSinceEpoch
    }

    /// Hashes the day.
    public func hash(into hasher: inout Hasher) { hasher.combine(day.daysSinceEpoch) }
}

extension Temporal.Date: DateUnitOperable {
    /// The day some days or months later, with the same offset.
    public func adding(_ unit: DateUnit, sign: Int64) -> Temporal.Date {
        let old = Int64(day.daysSinceEpoch)
        let new =
            switch unit.kind {
            case .days: CivilCalendar.adding(days: sign * unit.value, toDay: old)
            case .months: CivilCalendar.adding(months: sign * unit.value, toDay: old)
            }
        return Temporal.Date(CalendarDate(daysSinceEpoch: Int32(clamping: new), tail: day.tail))
    }
}

extension Temporal.Date: Codable {
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

extension Temporal.Date: Persistable {
    /// `AWSDate`.
    public static var fieldType: FieldType { .date }
    /// The day of a cell.
    public init?(storageValue: Value) {
        guard case .date(let day) = storageValue else { return nil }
        self.day = day
    }
    /// The day as a cell.
    public var storageValue: Value { .date(day) }
}
