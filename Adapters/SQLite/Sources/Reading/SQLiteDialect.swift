#if SQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

typealias SQLiteQueryWriter = SQLQueryWriter<SQLitePredicateWriter>
typealias SQLiteQuery = SQLiteQueryWriter.Query
typealias SQLiteAggregateStep = SQLiteQueryWriter.AggregateStep

/// What SQLite writes its own way.
enum SQLiteDialect: SQLDialect {
    static func constant(_ truth: Bool) -> String { truth ? "1" : "0" }

    static let isDistinct = "IS NOT"

    /// Null is SQLite's least value too.
    static func criterion(_ column: SQLColumn, isDescending: Bool) -> String {
        column.name + (isDescending ? " DESC" : "")
    }

    /// One expression for each function: sums that overflow are computed again, one by one.
    static func expressions(for function: BoundAggregate.Function, of column: String) -> [String] {
        switch function {
        case .count: ["count(*)"]
        case .integerSum: ["sum(\(column))"]
        case .doubleSum: ["total(\(column))"]
        case .average: ["avg(\(column))"]
        case .minimum: ["min(\(column))"]
        case .maximum: ["max(\(column))"]
        }
    }

    static let readsExtremesFromOrder = false
}
#endif
