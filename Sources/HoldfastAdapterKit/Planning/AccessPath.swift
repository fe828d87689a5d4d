/// The way to the records of a query: what to scan, between which keys, in which direction, and in which order they
/// then arrive.
///
/// Delivers every matching record exactly once, and others: the whole predicate still has to be applied.
public struct AccessPath: Sendable, Hashable {
    /// A sequence of encoded keys, all components ascending.
    public enum Source: Sendable, Hashable {
        /// The records by primary key.
        case primaryKey
        /// The entries of one of ``/HoldfastStorage/EntitySchema/indexes``, by its position there: the indexed cells,
        /// then all cells of the primary key.
        case index(Int)
    }

    /// In which order a scan delivers.
    public enum Order: Sendable, Hashable {
        /// In the query's total order.
        case total
        /// In the query's total order once every run of consecutive records that agree in the fields at these positions
        /// is turned round.
        ///
        /// What a descending sort over an index needs, since ties stay ascending. Each run lies in one range. An adapter
        /// that does not turn runs round treats this as ``unordered``.
        case totalWithReversedRuns([Int])
        /// In another order: the results have to be sorted.
        case unordered
    }

    /// What to scan.
    public var source: Source
    /// What to read of it: disjoint, ascending, none of them empty; none at all if nothing can match.
    public var ranges: [ByteRange]
    /// Whether to scan from the end of the last range to the beginning of the first.
    public var isReversed: Bool
    /// In which order the scan delivers.
    public var order: Order

    /// Creates a path.
    public init(source: Source, ranges: [ByteRange], isReversed: Bool = false, order: Order) {
        self.source = source
        self.ranges = ranges
        self.isReversed = isReversed
        self.order = order
    }
}
