/// A contiguous part of one entity's records in key order.
///
/// ```swift
/// let range = KeyRange("Book", from: .included([.text("b1")]), to: .excluded([.text("b3")]))
/// let isInside = range.contains([.text("b2")])  // true
/// ```
public struct KeyRange: Sendable, Hashable {
    /// One end of a range: a prefix of the primary key.
    public enum Bound: Sendable, Hashable {
        /// No limit at this end.
        case unbounded
        /// Keys that begin with this prefix are inside.
        case included([Value])
        /// Keys that begin with this prefix are outside.
        case excluded([Value])
    }

    /// The entity.
    public var entity: String
    /// The end that comes first in key order.
    public var lower: Bound
    /// The end that comes last in key order.
    public var upper: Bound
    /// Narrows a precondition to the records that have some values in an index; `nil` for all records of the range.
    ///
    /// Only preconditions have it, and both ends are unbounded then. An adapter that does not look at it judges the
    /// whole entity: that is coarser, and correct.
    public var indexPrefix: IndexPrefix?

    /// Creates a range; all of the entity by default.
    public init(_ entity: String, from lower: Bound = .unbounded, to upper: Bound = .unbounded) {
        self.entity = entity
        self.lower = lower
        self.upper = upper
    }

    /// Creates the range of the records that have some values in an index, for a precondition.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - prefix: The index, the values, and the records that have them.
    public init(_ entity: String, under prefix: IndexPrefix) {
        self.init(entity)
        indexPrefix = prefix
    }

    /// Whether only one key can lie in the range.
    package func isOneKey(of entity: EntitySchema) -> Bool {
        guard case .included(let key) = lower, lower == upper else { return false }
        return key.count == entity.primaryKey.count
    }

    /// Whether a key lies in the range.
    ///
    /// - Parameter key: Cells of a whole key, in key order.
    /// - Returns: `true` if neither end of the range excludes the key; ``indexPrefix`` is not looked at.
    public func contains(_ key: [Value]) -> Bool {
        isAboveLower(key) && isBelowUpper(key)
    }

    /// Whether a key comes after the lower end.
    public func isAboveLower(_ key: [Value]) -> Bool {
        switch lower {
        case .unbounded: true
        case .included(let prefix): Self.compare(key, with: prefix) != .ascending
        case .excluded(let prefix): Self.compare(key, with: prefix) == .descending
        }
    }

    /// Whether a key comes before the upper end.
    public func isBelowUpper(_ key: [Value]) -> Bool {
        switch upper {
        case .unbounded: true
        case .included(let prefix): Self.compare(key, with: prefix) != .descending
        case .excluded(let prefix): Self.compare(key, with: prefix) == .ascending
        }
    }

    private static func compare(_ key: [Value], with prefix: [Value]) -> Ordering {
        ValueOrder.compareLists(key.prefix(prefix.count), prefix)
    }
}
