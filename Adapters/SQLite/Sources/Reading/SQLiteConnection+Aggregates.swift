#if SQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

extension SQLiteConnection {
    /// Runs one statement of an aggregate and puts its results in their places.
    func run(
        _ step: SQLiteAggregateStep, of aggregate: BoundAggregate, table: SQLiteTable, into values: inout [Value]
    ) throws(StorageError) {
        let statement = try take(step.sql)
        defer { release(statement) }
        try statement.bind(step.parameters)
        do {
            guard try statement.step() else { return }
        } catch  where error.nativeDetail == "integer overflow" {
            return try runSeparately(step, of: aggregate, table: table, into: &values)
        }
        for (column, index) in step.functions.enumerated() {
            let column = Int32(column)
            switch aggregate.functions[index] {
            case .count, .integerSum: values[index] = .integer(statement.integer(column))
            case .doubleSum(let position), .average(let position):
                if statement.isNull(column) { continue }
                let double = statement.double(column)
                guard double.isFinite else { throw AggregateAccumulator.overflow(aggregate.query.entity, position) }
                values[index] = .double(double)
            case .minimum(let position), .maximum(let position):
                values[index] = try SQLiteRowLayout.value(table.columns[position].type, statement, column)
            }
        }
    }

    /// Sums the upper and lower halves of the numbers apart.
    ///
    /// SQLite gives up a sum when it passes 64 bits on the way, though it may come back. The halves cannot overflow
    /// below two thousand million records.
    private func runSeparately(
        _ step: SQLiteAggregateStep, of aggregate: BoundAggregate, table: SQLiteTable, into values: inout [Value]
    ) throws(StorageError) {
        for (expression, index) in zip(step.expressions, step.functions) {
            var part = step
            part.functions = [index]
            part.expressions = [expression]
            guard case .integerSum(let position) = aggregate.functions[index] else {
                if case .average(let position) = aggregate.functions[index] {
                    // Rounds each number, but its sum has no limit.
                    part.expressions = ["avg(\(table.columns[position].name))"]
                }
                try run(part, of: aggregate, table: table, into: &values)
                continue
            }
            let column = table.columns[position].name
            part.expressions = ["sum(\(column) >> 32)", "sum(\(column) & 4294967295)"]
            let statement = try take(part.sql)
            defer { release(statement) }
            try statement.bind(part.parameters)
            guard try statement.step() else { continue }
            let low = statement.integer(1)
            guard let high = Int32(exactly: statement.integer(0) + low >> 32) else {
                throw AggregateAccumulator.overflow(aggregate.query.entity, position)
            }
            values[index] = .integer(Int64(high) << 32 | low & 0xFFFF_FFFF)
        }
    }
}
#endif
