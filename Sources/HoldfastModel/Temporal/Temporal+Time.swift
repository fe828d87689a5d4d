public import HoldfastStorage

extension Temporal {
    /// A time of day: `AWSTime`.
    public struct Time: Sendable {
        /// The time as stored.
        public let clockTime: ClockTime

        /// Creates a time as stored.
        public init(_ clockTime: ClockTime) { self.clockTime = clockTime }

        /// Reads text such as `07:46`, `07:46:00.000` or `07:46:00Z`.
        ///
        /// - Throws: ``InvalidScalar``.
        public init(iso8601String text: String) throws { clockTime = try ClockTime(parsing: text) }

        /// The text as written, with seconds.
        public var iso8601String: String { clockTime.text }
    }
}

extension Temporal.Time: Comparable, Hashable {
    /// Whether both are the same time of day, whatever their offsets.
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

extension Temporal.Time: Codable {
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
