package import HoldfastStorage

/// Writes queries and aggregates as SQL.
package struct SQLQueryWriter<Condition: SQLConditionWriter> {
    package typealias Query = SQLQuery<Condition.Table.Layout, Condition.Parameters>
    package typealias AggregateStep = SQLAggregateStep<Condition.Parameters>
    private typealias Dialect = Condition.Dialect

    /// The writer that every condition begins with; nothing was written with it.
    private let start: Condition
    private var table: Condition.Table { start.table }

    /// Creates a writer.
    ///
    /// - Parameter condition: A writer for the table that has written nothing; copied for every condition.
    package init(_ condition: Condition) { start = condition }

    /// All records of a range of keys, in key order.
    package func scan(_ range: KeyRange) -> Query {
        var condition = start
        condition.write(range)
        let sql = "\(table.selectingRows) WHERE \(condition.sql) ORDER BY \(keyOrder)"
        return Query(
            parts: [Query.Part(sql: sql, parameters: condition.parameters)], layout: table.layout, limit: nil, offset: 0
        )
    }

    /// The records of a range of versions, in the order of versions, then of keys.
    package func scan(_ range: BoundVersionRange) -> Query {
        var condition = start
        condition.write(range)
        let sql = "\(table.selectingRows) WHERE \(condition.sql) ORDER BY \(table.versionName), \(keyOrder)"
        return Query(
            parts: [Query.Part(sql: sql, parameters: condition.parameters)], layout: table.layout,
            limit: range.limit, offset: 0)
    }

    /// A query, or `nil` if the database cannot run its condition.
    package func query(_ query: BoundQuery) -> Query? {
        let layout =
            query.projectsAllFields
            ? table.layout : Condition.Table.Layout(columns: query.projection.map { table.columns[$0] })
        let order = query.order.map { Dialect.criterion(table.columns[$0.position], isDescending: $0.isDescending) }
        var positions = [SQLPositionPart.all]
        if let position = query.after, query.offset == 0 {
            positions = SQLPositionPart.parts(of: query.order, after: position, in: table)
        }
        var parts: [Query.Part] = []
        let select = query.projectsAllFields ? table.selectingRows : table.selecting(layout)
        for position in positions {
            guard let condition = condition(of: query, position) else { return nil }
            if let page = condition.pageParts(of: query, position, select: select, order: order) {
                parts += page
                continue
            }
            var sql = select
            if !condition.sql.isEmpty { sql += " WHERE \(condition.sql)" }
            sql += " ORDER BY \(order.joined(separator: ", "))"
            parts.append(Query.Part(sql: sql, parameters: condition.parameters))
        }
        return Query(parts: parts, layout: layout, limit: query.limit, offset: query.offset)
    }

    /// One statement that computes all functions but those that need one of their own, and one for each of these;
    /// `nil` if the database cannot run the condition.
    package func aggregate(_ aggregate: BoundAggregate) -> [AggregateStep]? {
        guard let condition = condition(of: aggregate.query, .all) else { return nil }
        var expressions: [String] = []
        var together: [Int] = []
        var steps: [AggregateStep] = []
        for (index, function) in aggregate.functions.enumerated() {
            let column = function.position.map { table.columns[$0] }
            if let column, function.isExtreme, Dialect.readsExtremesFromOrder || column.tailName != nil {
                steps.append(extreme(of: column, isMaximum: function.isMaximum, condition, function: index))
            } else {
                expressions += Dialect.expressions(for: function, of: column)
                together.append(index)
            }
        }
        if !expressions.isEmpty {
            let restriction = condition.sql.isEmpty ? "" : " WHERE \(condition.sql)"
            steps.append(
                AggregateStep(
                    expressions: expressions, source: " FROM \(table.name)" + restriction,
                    parameters: condition.parameters, functions: together))
        }
        return steps
    }

    /// The smallest or largest value with its tail, of the first record in key order among equals.
    private func extreme(
        of column: SQLColumn, isMaximum: Bool, _ condition: Condition, function: Int
    ) -> AggregateStep {
        let restriction = condition.sql.isEmpty ? "" : " AND \(condition.sql)"
        return AggregateStep(
            expressions: [column.name] + (column.tailName.map { [$0] } ?? []),
            source: " FROM \(table.name) WHERE \(column.name) IS NOT NULL" + restriction
                + " ORDER BY \(Dialect.criterion(column, isDescending: isMaximum)), \(keyOrder) LIMIT 1",
            parameters: condition.parameters, functions: [function])
    }

    private var keyOrder: String { table.keyNames.joined(separator: ", ") }

    /// The condition of a query, empty if there is none; `nil` if the database cannot run it.
    private func condition(of query: BoundQuery, _ part: SQLPositionPart) -> Condition? {
        var condition = start
        if query.predicate != .constant(true) { condition.write(query.predicate) }
        if let position = query.after {
            if !condition.sql.isEmpty { condition.writeAnd() }
            condition.write(order: query.order, after: position, part: part)
        }
        return condition.isInexpressible ? nil : condition
    }
}

extension BoundAggregate.Function {
    /// The field that the function reads; `nil` for `count`.
    fileprivate var position: Int? {
        switch self {
        case .count: nil
        case .integerSum(let position), .doubleSum(let position), .average(let position), .minimum(let position),
            .maximum(let position):
            position
        }
    }

    fileprivate var isMaximum: Bool { if case .maximum = self { true } else { false } }
    fileprivate var isExtreme: Bool {
        switch self {
        case .minimum, .maximum: true
        default: false
        }
    }
}
