#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

typealias PostgreSQLQueryWriter = SQLQueryWriter<PostgreSQLPredicateWriter>
typealias PostgreSQLQuery = PostgreSQLQueryWriter.Query
typealias PostgreSQLAggregateStep = PostgreSQLQueryWriter.AggregateStep

/// What PostgreSQL writes its own way.
enum PostgreSQLDialect: SQLDialect {
    static func constant(_ truth: Bool) -> String { truth ? "TRUE" : "FALSE" }

    static let isDistinct = "IS DISTINCT FROM"

    /// The server treats null as the greatest value unless the query says otherwise.
    static func criterion(_ column: SQLColumn, isDescending: Bool) -> String {
        if column.isRequired { return column.name + (isDescending ? " DESC" : "") }
        return column.name + (isDescending ? " DESC NULLS LAST" : " NULLS FIRST")
    }

    static func expressions(for function: BoundAggregate.Function, of column: SQLColumn?) -> [String] {
        let name = column?.name ?? ""
        return switch function {
        case .count: ["count(*)"]
        // Adds beyond 64 bits; the sum is read as text and checked.
        case .integerSum: ["coalesce(sum(\(name)), 0)::text"]
        case .doubleSum: ["coalesce(sum(\(name)), 0)"]
        // The server's own average also adds squares, and its division fails where a quotient becomes zero. Rounded
        // only at the end: large integers may cancel each other.
        case .average: ["sum(\(name))::float8", "count(\(name))"]
        case .minimum: ["min(\(name))"]
        case .maximum: ["max(\(name))"]
        }
    }

    /// An index finds the first record of an order.
    static let readsExtremesFromOrder = true
}

extension PostgreSQLQuery {
    /// The statement of a part that skips nothing more than it should, and delivers at most what is left.
    ///
    /// - Parameters:
    ///   - part: The index of the part.
    ///   - readCount: Rows that came already.
    ///   - maximumRowCount: Rows that it delivers at most; `nil` for all that are left.
    /// - Returns: The statement with its parameters.
    func command(part: Int, readCount: Int, maximumRowCount: Int? = nil) -> PostgreSQLCommand {
        var sql = parts[part].sql
        var parameters = parts[part].parameters
        let count = limit.map { min($0 - readCount, maximumRowCount ?? .max) } ?? maximumRowCount
        if let count {
            parameters.append(Int64(count))
            sql += " LIMIT $\(parameters.count)"
        }
        if offset > 0 {
            parameters.append(Int64(offset))
            sql += " OFFSET $\(parameters.count)"
        }
        return PostgreSQLCommand(sql, parameters)
    }
}

extension PostgreSQLAggregateStep {
    var command: PostgreSQLCommand { PostgreSQLCommand(sql, parameters) }

    /// Puts the results at the positions of their functions.
    func take(
        _ result: PostgreSQLResult, _ aggregate: BoundAggregate, _ table: PostgreSQLTable,
        into values: inout [Value]
    ) throws(StorageError) {
        guard result.rowCount == 1 else { return }
        var column = 0
        for index in functions {
            defer { column += 1 }
            switch aggregate.functions[index] {
            case .count: values[index] = .integer(result.integer(0, column))
            case .integerSum(let position):
                guard let sum = Int64(result.text(0, column)) else {
                    throw AggregateAccumulator.overflow(aggregate.query.entity, position)
                }
                values[index] = .integer(sum)
            case .doubleSum: values[index] = try PostgreSQLRowLayout.value(.double, result, 0, column)
            case .average:
                let sum = try PostgreSQLRowLayout.value(.double, result, 0, column)
                column += 1
                if case .double(let sum) = sum { values[index] = .double(sum / Double(result.integer(0, column))) }
            case .minimum(let position), .maximum(let position):
                values[index] = try PostgreSQLRowLayout.value(table.columns[position].type, result, 0, column)
            }
        }
    }
}
#endif
