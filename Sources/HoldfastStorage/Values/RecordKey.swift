/// The identity of a record within its entity: the cells of its primary key, in key order.
///
/// Equal and ordered by ``ValueOrder``, so a key names its record regardless of the offset with which a date-time in it
/// was written.
///
/// ```swift
/// let simple = RecordKey("b1")
/// let composite = RecordKey([.text("Ulm"), .integer(7)])  // the fields in the order of the primary key
/// ```
public struct RecordKey: Sendable, Hashable, Comparable {
    /// The cells, one per field of the primary key; none is null.
    public var components: [Value]

    /// Creates a key from its cells.
    public init(_ components: [Value]) { self.components = components }

    /// Creates a key of one text component.
    public init(_ text: String) { components = [.text(text)] }

    /// Whether both name the same record.
    public static func == (left: RecordKey, right: RecordKey) -> Bool {
        ValueOrder.compareLists(left.components, right.components) == .equal
    }

    /// Whether the left record comes first in key order.
    public static func < (left: RecordKey, right: RecordKey) -> Bool {
        ValueOrder.compareLists(left.components, right.components) == .ascending
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        for component in components {
            switch component {
            case .date(let value): hasher.combine(value.daysSinceEpoch)
            case .time(let value): hasher.combine(value.nanosecondsSinceMidnight)
            case .timestamp(let value):
                hasher.combine(value.secondsSinceEpoch)
                hasher.combine(value.nanoseconds)
            default: hasher.combine(component)
            }
        }
    }
}
