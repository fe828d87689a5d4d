/// A statement of at most one row that computes some functions of an aggregate.
package struct SQLAggregateStep<Parameters: Sendable>: Sendable {
    /// The result columns; of a date or time with its tail after it.
    package var expressions: [String]
    /// What follows them.
    package var source: String
    package var parameters: Parameters
    /// The positions of the functions in the aggregate.
    package var functions: [Int]

    package var sql: String { "SELECT " + expressions.joined(separator: ", ") + source }
}
