public import Foundation
public import HoldfastStorage

extension Temporal {
    /// An instant with the offset and the digits in which it was written: `AWSDateTime`.
    public struct DateTime: Sendable {
        /// The instant as stored.
        public let timestamp: Timestamp

        /// Creates an instant as stored.
        public init(_ timestamp: Timestamp) { self.timestamp = timestamp }

        /// Reads RFC 3339 text, such as `2026-11-21T07:46:00.000Z`.
        ///
        /// - Throws: ``InvalidScalar``.
        public init(iso8601String text: String) throws { timestamp = try Timestamp(parsing: text) }

        /// An instant in UTC, to the millisecond.
        public init(_ date: Foundation.Date) {
            let milliseconds = Int64((date.timeIntervalSince1970 * 1_000).rounded(.down))
            let seconds = milliseconds.quotientFlooring(1_000)
            timestamp = Timestamp(
                secondsSinceEpoch: seconds, nanoseconds: Int32(milliseconds - seconds * 1_000) * 1_000_000,
                tail: TemporalTail(offset: 0, fractionDigits: 3))
        }

        /// The present in UTC, to the millisecond.
        public static func now() -> DateTime { DateTime(Foundation.Date()) }

        /// The instant as Foundation's date.
        public var foundationDate: Foundation.Date {
            Foundation.Date(
                timeIntervalSince1970: Double(timestamp.secondsSinceEpoch) + Double(timestamp.nanoseconds) / 1e9)
        }

        /// RFC 3339 text in the offset and with the digits in which the instant was written.
        public var iso8601String: String { timestamp.text }
    }
}

extension Temporal.DateTime: Comparable, Hashable {
    /// Whether both are the same instant, whatever their offsets.
    public static func == (left: Self, right: Self) -> Bool {
        left.timestamp.secondsSinceEpoch == right.timestamp.secondsSinceEpoch
            && left.timestamp.nanoseconds == right.timestamp.nanoseconds
    }

    /// Whether the left instant is earlier.
    public static func < (left: Self, right: Self) -> Bool {
        ValueOrder.compare(.timestamp(left.timestamp), .timestamp(right.timestamp)) == .ascending
    }

    /// Hashes the instant.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(timestamp.secondsSinceEpoch)
        hasher.combine(timestamp.nanoseconds)
    }
}

extension Temporal.DateTime: Codable {
    /// Reads RFC 3339 text.
    public init(from decoder: any Decoder) throws {
        try self.init(iso8601String: decoder.singleValueContainer().decode(String.self))
    }

    /// Writes RFC 3339 text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso8601String)
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

extension Int64 {
    fileprivate func quotientFlooring(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
