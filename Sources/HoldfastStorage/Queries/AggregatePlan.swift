/// Aggregates computed over the matching records of one entity.
///
/// ```swift
/// let plan = AggregatePlan("Book", [.count, .sum("pages"), .maximum("title")])
/// let values = try await store.withSnapshot { try await $0.aggregate(plan) }
/// // [.integer(2), .integer(1109), .text("Moby-Dick")]
/// ```
public struct AggregatePlan: Sendable, Hashable {
    /// One aggregate; all but ``count`` skip nulls.
    public enum Function: Sendable, Hashable {
        /// The number of records, as an integer.
        case count
        /// The sum of a numeric field: an integer for integer fields, a double for double fields; 0 of nothing.
        ///
        /// A sum that leaves 64 bits, or the range of doubles, is ``StorageError/Kind/unrepresentable``. Double sums may
        /// differ between adapters by rounding, since the order of addition is free.
        case sum(String)
        /// The smallest value of a field that is not a list; null of nothing.
        case minimum(String)
        /// The largest value of a field that is not a list; null of nothing.
        case maximum(String)
        /// The mean of a numeric field as a double; null of nothing. Exact up to rounding.
        ///
        /// ``StorageError/Kind/unrepresentable`` if the sum of doubles leaves their range, though the mean would not.
        case average(String)

        /// The field the function reads, if it reads one.
        public var field: String? {
            switch self {
            case .count: nil
            case .sum(let field), .minimum(let field), .maximum(let field), .average(let field): field
            }
        }
    }

    /// The entity asked about.
    public var entity: String
    /// Over which records.
    public var predicate: Predicate
    /// The aggregates wanted; the answer has one value for each, in this order.
    public var functions: [Function]

    /// Creates a plan; all records by default.
    public init(_ entity: String, where predicate: Predicate = .all, _ functions: [Function]) {
        self.entity = entity
        self.predicate = predicate
        self.functions = functions
    }
}
