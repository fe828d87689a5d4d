/// The outcome of comparing two values.
public enum Ordering: Sendable, Hashable {
    /// The left value comes first.
    case ascending
    /// Neither comes first.
    case equal
    /// The right value comes first.
    case descending

    /// The same outcome with the two sides swapped.
    public var reversed: Ordering {
        switch self {
        case .ascending: .descending
        case .equal: .equal
        case .descending: .ascending
        }
    }

    /// The order of two comparable Swift values.
    @inlinable
    public init<T: Comparable>(_ left: T, _ right: T) {
        self = left < right ? .ascending : left == right ? .equal : .descending
    }
}
