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
    static func expressions(for function: BoundAggregate.Function, of column: SQLColumn?) -> [String] {
        let name = column?.name ?? ""
        return switch function {
        case .count: ["count(*)"]
        case .integerSum: ["sum(\(name))"]
        case .doubleSum: ["total(\(name))"]
        // SQLite's own average rounds integers before it adds them, though large ones may cancel each other. Their
        // halves are added exactly, and put together as integers wherever the sum is one.
        case .average where column?.type == .integer:
            ["(sum(\(name) >> 32) * 4294967296 + sum(\(name) & 4294967295)) * 1.0 / count(\(name))"]
        case .average: ["avg(\(name))"]
        case .minimum: ["min(\(name))"]
        case .maximum: ["max(\(name))"]
        }
    }

    static let readsExtremesFromOrder = false
}
#endif
