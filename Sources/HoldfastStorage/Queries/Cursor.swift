/// A place in the results of a sorted query: just after one record.
///
/// Holds the record's cells of the total order (``EntitySchema/totalOrder(_:)``): the sort's fields, then the key
/// fields the sort does not name. Pages by cursor neither overlap nor skip, even if records are written in between.
///
/// ```swift
/// var plan = QueryPlan("Book", sort: [SortKey("title")], limit: 2)
/// var page = RowBuffer()
/// try await store.withSnapshot { snapshot in
///     var scan = try await snapshot.query(plan)
///     try await scan.next(into: &page)  // "Emma", "Moby-Dick"
///     plan.after = Cursor(after: page[page.rowCount - 1], of: book, sortedBy: plan.sort)
///     scan = try await snapshot.query(plan)
///     try await scan.next(into: &page)  // "Ulysses"
/// }
/// ```
public struct Cursor: Sendable, Hashable {
    /// The cells, one per criterion of the total order.
    public var values: [Value]

    /// Creates a cursor from its cells.
    public init(_ values: [Value]) { self.values = values }

    /// Creates the cursor for the position just after a row.
    ///
    /// - Parameters:
    ///   - row: All cells of a record of `entity`.
    ///   - entity: The record's entity.
    ///   - sort: The sort of the query to be continued.
    public init(after row: some RandomAccessCollection<Value>, of entity: EntitySchema, sortedBy sort: [SortKey]) {
        values = entity.totalOrder(sort).compactMap { key in
            entity.position(of: key.field).map { row[row.index(row.startIndex, offsetBy: $0)] }
        }
    }
}
