/// One cell of a record: what an adapter stores and returns.
///
/// The cases are the shapes a cell can take in memory; which of them a field admits is decided by its
/// ``StorageType`` (a `.json` or enumeration field, for example, holds `.text`).
///
/// `==` and `hash(into:)` ask whether two cells are *represented* alike: text by its UTF-8 bytes, date-times with
/// their offset and digits. What predicates, sorts, keys and unique indexes call equal is decided by
/// ``ValueOrder/compare(_:_:)``, for which two date-times of one instant are equal.
public enum Value: Sendable {
    /// No value. Absent and null are the same in a stored record.
    case null
    /// A boolean; `false` sorts before `true`.
    case boolean(Bool)
    /// A 64-bit signed integer, exact on every path.
    case integer(Int64)
    /// A finite IEEE 754 double; −0.0 is stored as 0.0.
    case double(Double)
    /// Unicode text without NUL; ordered and compared by UTF-8 bytes, never normalized.
    case text(String)
    /// Bytes, ordered as unsigned numbers.
    case bytes([UInt8])
    /// A calendar day.
    case date(CalendarDate)
    /// A time of day.
    case time(ClockTime)
    /// An instant with the offset and the digits in which it was written.
    case timestamp(Timestamp)
    /// Elements in order, duplicates kept; an element may be `.null` when the field's type admits it.
    case list([Value])

    /// Whether this is ``null``.
    @inlinable public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension Value: Hashable {
    /// Whether both cells have the same shape and the same representation; text by UTF-8 bytes, doubles by bits.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.text(let left), .text(let right)): ValueOrder.compareText(left, right) == .equal
        case (.bytes(let left), .bytes(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.time(let left), .time(let right)): left == right
        case (.timestamp(let left), .timestamp(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        default: false
        }
    }

    /// Hashes the representation, text as UTF-8 bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .text(let value):
            var value = value
            value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .bytes(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .time(let value): hasher.combine(value)
        case .timestamp(let value): hasher.combine(value)
        case .list(let value): hasher.combine(value)
        }
    }
}
