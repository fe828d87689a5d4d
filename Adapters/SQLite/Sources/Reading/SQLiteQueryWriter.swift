#if SQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Statements that deliver the rows of a query one after the other, and what is bound to them.
struct SQLiteQuery: Sendable {
    struct Part: Sendable {
        var sql: String
        /// All but the limit and the offset, which stand behind them if the query has one.
        var parameters: [SQLiteParameter]
    }

    var parts: [Part]
    var layout: SQLiteRowLayout
    var limit: Int?
    /// Only in a query of one part.
    var offset = 0

    /// Whether the statements end with a limit and an offset.
    var isBounded: Bool { limit != nil || offset > 0 }
}

/// Writes queries and aggregates as SQL.
struct SQLiteQueryWriter {
    let table: SQLiteTable
    let limits: SQLiteLimits

    /// All records of a range of keys, in key order.
    func scan(_ range: KeyRange) -> SQLiteQuery {
        var condition = SQLitePredicateWriter(table: table, limits: limits)
        condition.write(range)
        let sql =
            "SELECT \(table.layout.selection), \(table.versionName) FROM \(table.name)"
            + " WHERE \(condition.sql) ORDER BY \(keyOrder)"
        return SQLiteQuery(
            parts: [SQLiteQuery.Part(sql: sql, parameters: condition.parameters)], layout: table.layout)
    }

    private var keyOrder: String {
        table.entity.primaryKeyPositions.map { table.columns[$0].name }.joined(separator: ", ")
    }

    /// A query, or `nil` if it is nested or long beyond SQLite's limits.
    func query(_ query: BoundQuery) -> SQLiteQuery? {
        let layout =
            query.projectsAllFields
            ? table.layout : SQLiteRowLayout(columns: query.projection.map { table.columns[$0] })
        var result = SQLiteQuery(parts: [], layout: layout, limit: query.limit, offset: query.offset)
        let order = query.order.map { "\(table.columns[$0.position].name)\($0.isDescending ? " DESC" : "")" }
        var parts = [SQLPositionPart.all]
        if let place = query.after, query.offset == 0 {
            parts = SQLPositionPart.parts(of: query.order, after: place, in: table)
        }
        let select =
            "SELECT " + (layout.columnCount > 0 ? layout.selection + ", " : "")
            + "\(table.versionName) FROM \(table.name)"
        let runLimit = runWiseLimit(of: query)
        for part in parts {
            guard let (condition, isEmpty) = condition(query, part) else { return nil }
            if let runLimit, part == .all || part == .withValue,
                condition.parameters.count <= Self.runWiseParameterCount
            {
                result.parts += runWise(query, select, condition, isEmpty, order, runLimit, hasNulls: part == .all)
                continue
            }
            var sql = select
            if !isEmpty { sql += " WHERE \(condition.sql)" }
            sql += " ORDER BY \(order.joined(separator: ", "))"
            if result.isBounded { sql += " LIMIT ? OFFSET ?" }
            result.parts.append(SQLiteQuery.Part(sql: sql, parameters: condition.parameters))
        }
        return result
    }

    /// Pages of more records than this are sorted by SQLite.
    private static let runWisePageSize = 1_000
    /// The condition occurs twice in the statements of a page.
    private static let runWiseParameterCount = 100

    /// The limit of a page that is read from an index in descending order, a run of equal values at a time.
    ///
    /// Records with the same value ascend by key, so SQLite would read and sort the whole run with which a page ends,
    /// which is most of the table if there are few distinct values.
    private func runWiseLimit(of query: BoundQuery) -> Int? {
        guard let limit = query.limit, query.offset == 0, 1...Self.runWisePageSize ~= limit, query.order.count > 1,
            case .totalWithReversedRuns(let run) = IndexPlanner.plan(query).order, run == [query.order[0].position]
        else { return nil }
        return limit
    }

    /// Statements that deliver a descending page: the runs that are certain to fit, as much of the next as is wanted,
    /// and the nulls.
    private func runWise(
        _ query: BoundQuery, _ select: String, _ condition: SQLitePredicateWriter, _ isEmpty: Bool, _ order: [String],
        _ limit: Int, hasNulls: Bool
    ) -> [SQLiteQuery.Part] {
        let column = table.columns[query.order[0].position]
        let test = isEmpty ? "" : "\(condition.sql) AND "
        let presence =
            column.isRequired ? (isEmpty ? "" : " WHERE \(condition.sql)") : " WHERE \(test)\(column.name) IS NOT NULL"
        let last =
            "(SELECT min(\(column.name)) FROM (SELECT \(column.name) FROM \(table.name)\(presence)"
            + " ORDER BY \(column.name) DESC LIMIT ?))"
        let parameters = condition.parameters + condition.parameters + [.integer(Int64(limit))]
        let withinRun = order.dropFirst().joined(separator: ", ")
        func part(_ end: String, _ order: String, _ parameters: [SQLiteParameter]) -> SQLiteQuery.Part {
            SQLiteQuery.Part(
                sql: "\(select) WHERE \(test)\(column.name) \(end) ORDER BY \(order) LIMIT ? OFFSET ?",
                parameters: parameters)
        }
        var parts = [
            part("> \(last)", order.joined(separator: ", "), parameters), part("= \(last)", withinRun, parameters),
        ]
        if hasNulls && !column.isRequired { parts.append(part("IS NULL", withinRun, condition.parameters)) }
        return parts
    }

    /// The condition of a query and whether there is none; `nil` if it is too large.
    private func condition(
        _ query: BoundQuery, _ part: SQLPositionPart = .all
    ) -> (writer: SQLitePredicateWriter, isEmpty: Bool)? {
        var writer = SQLitePredicateWriter(table: table, limits: limits)
        var isEmpty = true
        if query.predicate != .constant(true) {
            writer.write(query.predicate)
            isEmpty = false
        }
        if let place = query.after {
            if !isEmpty { writer.writeAnd() }
            writer.write(order: query.order, after: place, part: part)
            isEmpty = false
        }
        return writer.isTooLarge || writer.exceedsLimits ? nil : (writer, isEmpty)
    }

    /// One statement that computes all functions but minima and maxima of dates and times, and one for each of those;
    /// `nil` if the condition is too large.
    func aggregate(_ aggregate: BoundAggregate) -> [SQLiteAggregateStep]? {
        guard let (condition, isEmpty) = condition(aggregate.query) else { return nil }
        var expressions: [String] = []
        var steps: [SQLiteAggregateStep] = []
        for (index, function) in aggregate.functions.enumerated() {
            switch function {
            case .count: expressions.append("count(*)")
            case .integerSum(let position): expressions.append("sum(\(table.columns[position].name))")
            case .doubleSum(let position): expressions.append("total(\(table.columns[position].name))")
            case .average(let position): expressions.append("avg(\(table.columns[position].name))")
            case .minimum(let position), .maximum(let position):
                let column = table.columns[position]
                let isMaximum = function == .maximum(position)
                guard let tail = column.tailName else {
                    expressions.append("\(isMaximum ? "max" : "min")(\(column.name))")
                    continue
                }
                // The tail belongs to the same record, the first in key order among equals.
                let source =
                    " FROM \(table.name) WHERE \(column.name) IS NOT NULL"
                    + (isEmpty ? "" : " AND \(condition.sql)")
                    + " ORDER BY \(column.name)\(isMaximum ? " DESC" : ""), \(keyOrder) LIMIT 1"
                steps.append(
                    SQLiteAggregateStep(
                        expressions: ["\(column.name), \(tail)"], source: source, parameters: condition.parameters,
                        functions: [index]))
                continue
            }
        }
        if !expressions.isEmpty {
            let others = Set(steps.flatMap(\.functions))
            steps.append(
                SQLiteAggregateStep(
                    expressions: expressions,
                    source: " FROM \(table.name)" + (isEmpty ? "" : " WHERE \(condition.sql)"),
                    parameters: condition.parameters,
                    functions: aggregate.functions.indices.filter { !others.contains($0) }))
        }
        return steps
    }
}

/// A statement of one row that computes some functions of an aggregate.
struct SQLiteAggregateStep: Sendable {
    /// The expressions, one for each function; of a date or time with its tail behind it.
    var expressions: [String]
    /// What follows them.
    var source: String
    var parameters: [SQLiteParameter]
    /// The functions' places in the aggregate.
    var functions: [Int]

    var sql: String { "SELECT " + expressions.joined(separator: ", ") + source }
}
#endif
