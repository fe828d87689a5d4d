public import HoldfastStorage

extension Temporal {
    /// A calendar day: `AWSDate`.
    public struct Date: Sendable {
        /// The day as stored.
        public let day: CalendarDate

        /// Creates a day as stored.
        public init(_ day: CalendarDate) { self.day = day }

        /// Reads text such as `2026-11-21` or `2026-11-21+01:00`.
        ///
        /// - Throws: ``InvalidScalar``.
        public init(iso8601String text: String) throws { day = try CalendarDate(parsing: text) }

        /// The text as written.
        public var iso8601String: String { day.text }
    }
}

extension Temporal.Date: Comparable, Hashable {
    /// Whether both are the same day, whatever their offsets.
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

extension Temporal.Date: Codable {
    /// Reads the text form.
    public init(from decoder: any Decoder) throws {
        try self.init(iso8601String: decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso8601String)
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
