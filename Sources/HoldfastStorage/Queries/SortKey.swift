/// One criterion of a sort.
public struct SortKey: Sendable, Hashable {
    /// Which end comes first.
    public enum Direction: Sendable, Hashable {
        /// Smallest first; nulls before everything.
        case ascending
        /// Largest first; nulls after everything.
        case descending
    }

    /// The field; not a list.
    public var field: String
    /// Which end comes first.
    public var direction: Direction

    /// Creates a criterion; ascending by default.
    public init(_ field: String, _ direction: Direction = .ascending) {
        self.field = field
        self.direction = direction
    }
}
