/// A query plan checked against its schema: names are positions, operands and cursors have the right types.
///
/// Made by ``StorageSchema/bind(_:limits:)->BoundQuery`` only, so that an adapter never meets an invalid plan. An
/// immutable class, because scans hold it and copying its many parts would cost more than a row.
public final class BoundQuery: Sendable {
    /// One criterion of the total order.
    public struct OrderKey: Sendable, Hashable {
        /// The field's position in a row.
        public var position: Int
        /// Whether the largest comes first, and nulls last.
        public var isDescending: Bool
    }

    /// Rows that a page may have at most, since it is read all at once.
    public static let maximumPageSize = 1_024

    /// The entity asked about.
    public let entity: EntitySchema
    /// Which records.
    public let predicate: BoundPredicate
    /// The total order: the sort, then the key fields it does not name, ascending.
    public let order: [OrderKey]
    /// Only results after this place: one cell per criterion of ``order``.
    public let after: [Value]?
    /// Results to skip.
    public let offset: Int
    /// The largest number of results.
    public let limit: Int?
    /// The positions of the fields of a result row.
    public let projection: [Int]

    /// Whether results are rows of all fields in schema order.
    public let projectsAllFields: Bool
    /// Whether the total order is the key order.
    public let isKeyOrder: Bool
    /// A range that holds the key of every matching record.
    public let keyRange: KeyRange

    init(
        entity: EntitySchema, predicate: BoundPredicate, order: [OrderKey], after: [Value]?, offset: Int,
        limit: Int?, projection: [Int]?
    ) {
        self.entity = entity
        self.predicate = predicate
        self.order = order
        self.after = after
        self.offset = offset
        self.limit = limit
        self.projection = projection ?? Array(entity.fields.indices)
        projectsAllFields = projection.map { $0.elementsEqual(entity.fields.indices) } ?? true
        isKeyOrder = order.elementsEqual(entity.primaryKeyPositions) { $0.position == $1 && !$0.isDescending }
        keyRange = KeyRange(covering: predicate, of: entity)
    }

    /// Compares two rows in the total order.
    ///
    /// - Parameters:
    ///   - left: All cells of a record.
    ///   - right: All cells of another record.
    /// - Returns: `.ascending` if `left` comes first, `.descending` if `right` does, `.equal` if neither does.
    public func compare(_ left: UnsafeBufferPointer<Value>, _ right: UnsafeBufferPointer<Value>) -> Ordering {
        for key in order {
            let ordering = ValueOrder.compare(left[key.position], right[key.position])
            if ordering != .equal { return key.isDescending ? ordering.reversed : ordering }
        }
        return .equal
    }

    /// Whether a row comes after the cursor; every row does when there is none.
    public func isAfterCursor(_ row: UnsafeBufferPointer<Value>) -> Bool {
        guard let after else { return true }
        for (key, value) in zip(order, after) {
            let ordering = ValueOrder.compare(row[key.position], value)
            if ordering != .equal { return (ordering == .descending) != key.isDescending }
        }
        return false
    }
}
