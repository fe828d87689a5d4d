#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Statements that deliver the rows of a query one after the other, and what is bound to them.
struct PostgreSQLQuery: Sendable {
    struct Part: Sendable {
        /// Without the limit and the offset.
        var sql: String
        var parameters: PostgreSQLParameters
    }

    var parts: [Part]
    var layout: PostgreSQLRowLayout
    var limit: Int?
    /// Only in a query of one part.
    var offset = 0

    /// The statement of a part that skips nothing more than it should, and delivers at most what is left.
    ///
    /// - Parameter readCount: Rows that came already.
    func command(part: Int, readCount: Int) -> PostgreSQLCommand {
        var sql = parts[part].sql
        var parameters = parts[part].parameters
        if let limit {
            parameters.append(Int64(limit - readCount))
            sql += " LIMIT $\(parameters.count)"
        }
        if offset > 0 {
            parameters.append(Int64(offset))
            sql += " OFFSET $\(parameters.count)"
        }
        return PostgreSQLCommand(sql, parameters)
    }
}

/// Writes queries and aggregates as SQL.
struct PostgreSQLQueryWriter {
    let table: PostgreSQLTable

    /// All records of a range of keys, in key order.
    func scan(_ range: KeyRange) -> PostgreSQLQuery {
        var condition = PostgreSQLPredicateWriter(table: table)
        condition.write(range)
        let sql =
            "SELECT \(table.layout.selection), \(table.versionName) FROM \(table.name)"
            + " WHERE \(condition.sql) ORDER BY \(keyOrder)"
        return PostgreSQLQuery(
            parts: [PostgreSQLQuery.Part(sql: sql, parameters: condition.parameters)], layout: table.layout)
    }

    private var keyOrder: String { table.keyNames.joined(separator: ", ") }

    /// One criterion of an order: null is the least value.
    private func criterion(_ column: SQLColumn, isDescending: Bool) -> String {
        if column.isRequired { return column.name + (isDescending ? " DESC" : "") }
        return column.name + (isDescending ? " DESC NULLS LAST" : " NULLS FIRST")
    }

    /// A query, or `nil` if it cannot be said in SQL.
    func query(_ query: BoundQuery) -> PostgreSQLQuery? {
        let layout =
            query.projectsAllFields
            ? table.layout : PostgreSQLRowLayout(columns: query.projection.map { table.columns[$0] })
        var result = PostgreSQLQuery(parts: [], layout: layout, limit: query.limit, offset: query.offset)
        let order = query.order.map { criterion(table.columns[$0.position], isDescending: $0.isDescending) }
        var parts = [SQLPositionPart.all]
        if let place = query.after, query.offset == 0 {
            parts = SQLPositionPart.parts(of: query.order, after: place, in: table)
        }
        for part in parts {
            guard let condition = condition(query, part) else { return nil }
            var sql = "SELECT "
            if layout.columnCount > 0 { sql += layout.selection + ", " }
            sql += "\(table.versionName) FROM \(table.name)"
            if !condition.sql.isEmpty { sql += " WHERE \(condition.sql)" }
            sql += " ORDER BY \(order.joined(separator: ", "))"
            result.parts.append(PostgreSQLQuery.Part(sql: sql, parameters: condition.parameters))
        }
        return result
    }

    /// The condition of a query, empty if there is none; `nil` if it cannot be said in SQL.
    private func condition(
        _ query: BoundQuery, _ part: SQLPositionPart = .all
    ) -> PostgreSQLPredicateWriter? {
        var writer = PostgreSQLPredicateWriter(table: table)
        if query.predicate != .constant(true) { writer.write(query.predicate) }
        if let place = query.after {
            if !writer.sql.isEmpty { writer.writeAnd() }
            writer.write(order: query.order, after: place, part: part)
        }
        return writer.isInexpressible ? nil : writer
    }

    /// One statement that computes all functions but minima and maxima, and one for each of those; `nil` if the
    /// condition cannot be said in SQL.
    func aggregate(_ aggregate: BoundAggregate) -> [PostgreSQLAggregateStep]? {
        guard let condition = condition(aggregate.query) else { return nil }
        let restriction = condition.sql.isEmpty ? "" : " WHERE \(condition.sql)"
        var expressions: [String] = []
        var steps: [PostgreSQLAggregateStep] = []
        var places: [Int] = []
        for (index, function) in aggregate.functions.enumerated() {
            switch function {
            case .count: expressions.append("count(*)")
            // Adds beyond 64 bits and is then looked at as text.
            case .integerSum(let position):
                expressions.append("coalesce(sum(\(table.columns[position].name)), 0)::text")
            case .doubleSum(let position): expressions.append("coalesce(sum(\(table.columns[position].name)), 0)")
            case .average(let position):
                // The server's own average also adds squares, and its division fails where a quotient becomes zero.
                let name = table.columns[position].name
                expressions += ["sum(\(name)::float8)", "count(\(name))"]
            case .minimum(let position), .maximum(let position):
                // The tail belongs to the same record, the first in key order among equals; and an index finds it.
                let column = table.columns[position]
                let isMaximum = function == .maximum(position)
                let sql =
                    "SELECT \(column.name)\(column.tailName.map { ", \($0)" } ?? "") FROM \(table.name)"
                    + (restriction.isEmpty ? " WHERE" : restriction + " AND") + " \(column.name) IS NOT NULL"
                    + " ORDER BY \(criterion(column, isDescending: isMaximum)), \(keyOrder) LIMIT 1"
                steps.append(
                    PostgreSQLAggregateStep(
                        command: PostgreSQLCommand(sql, condition.parameters), functions: [index]))
                continue
            }
            places.append(index)
        }
        if !expressions.isEmpty {
            let sql = "SELECT \(expressions.joined(separator: ", ")) FROM \(table.name)" + restriction
            steps.append(
                PostgreSQLAggregateStep(command: PostgreSQLCommand(sql, condition.parameters), functions: places))
        }
        return steps
    }
}

/// A statement of at most one row that computes some functions of an aggregate.
struct PostgreSQLAggregateStep: Sendable {
    var command: PostgreSQLCommand
    /// The functions' places in the aggregate.
    var functions: [Int]

    /// Puts the aggregates in their places.
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
