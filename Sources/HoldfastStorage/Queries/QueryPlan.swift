/// A question about the records of one entity.
///
/// Results are the matching records in the order of ``sort``, ties broken by the primary key ascending (also under
/// a descending sort); without a sort, in key order. ``after`` is applied first, then ``offset``, then ``limit``.
///
/// ```swift
/// let plan = QueryPlan(
///     "Book", where: .compare("pages", .greater, .integer(400)), sort: [SortKey("title")], limit: 10,
///     projection: ["title"])
/// var rows = RowBuffer()
/// try await store.withSnapshot { snapshot in
///     var scan = try await snapshot.query(plan)
///     try await scan.next(into: &rows)  // "Emma", "Moby-Dick"
/// }
/// ```
public struct QueryPlan: Sendable, Hashable {
    /// The entity asked about.
    public var entity: String
    /// Which records.
    public var predicate: Predicate
    /// In which order; the primary key decides ties and is the order when this is empty.
    public var sort: [SortKey]
    /// The largest number of results; `nil` for all, 0 for none.
    ///
    /// Negative is ``StorageError/Kind/misuse``.
    public var limit: Int?
    /// Results to skip; 0 by default.
    ///
    /// Beyond the end the result is empty. Negative is a misuse.
    public var offset: Int
    /// Only results after this place.
    public var after: Cursor?
    /// The fields of a result row, in this order; `nil` for all in schema order.
    public var projection: [String]?

    /// Creates a plan; every parameter but the entity has a neutral default.
    public init(
        _ entity: String, where predicate: Predicate = .all, sort: [SortKey] = [], limit: Int? = nil,
        offset: Int = 0, after: Cursor? = nil, projection: [String]? = nil
    ) {
        self.entity = entity
        self.predicate = predicate
        self.sort = sort
        self.limit = limit
        self.offset = offset
        self.after = after
        self.projection = projection
    }
}
