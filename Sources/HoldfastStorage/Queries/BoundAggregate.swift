/// An aggregate plan checked against its schema.
public struct BoundAggregate: Sendable {
    /// One aggregate, its field as a position in a row.
    public enum Function: Sendable, Hashable {
        /// The number of records.
        case count
        /// The sum of an integer field.
        case integerSum(Int)
        /// The sum of a double field.
        case doubleSum(Int)
        /// The smallest value.
        case minimum(Int)
        /// The largest value.
        case maximum(Int)
        /// The mean of a numeric field.
        case average(Int)
    }

    /// The matching records, all fields, in key order.
    public let query: BoundQuery
    /// The aggregates wanted.
    public let functions: [Function]
}
