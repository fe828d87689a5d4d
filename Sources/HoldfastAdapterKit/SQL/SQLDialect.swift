package import HoldfastStorage

/// What one SQL database writes differently from the others, as plain pieces of SQL.
package protocol SQLDialect {
    /// How the database writes that something is so, or not.
    static func constant(_ truth: Bool) -> String
    /// The operator between values that differ, one of which may be null.
    static var isDistinct: String { get }

    /// One criterion of an order in which null is the least value.
    static func criterion(_ column: SQLColumn, isDescending: Bool) -> String

    /// The result columns that one aggregate function is computed from.
    ///
    /// - Parameters:
    ///   - function: The aggregate function.
    ///   - column: The column that the function reads; `nil` for `count`.
    /// - Returns: The expressions, in the order of the result columns.
    static func expressions(for function: BoundAggregate.Function, of column: SQLColumn?) -> [String]

    /// Whether the minimum or maximum of a column has its own statement, which reads the first record of an order.
    ///
    /// Columns with a tail need one on every database: the tail must come from the same record.
    static var readsExtremesFromOrder: Bool { get }
}
