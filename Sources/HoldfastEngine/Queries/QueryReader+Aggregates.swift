import HoldfastModel
import HoldfastStorage

extension QueryReader {
    /// The number of matching records.
    func count(_ query: ModelQuery) async throws -> Int {
        guard case .integer(let count)? = try await aggregate(query, [.count]).first else { return 0 }
        return Int(count)
    }

    /// One aggregate, or `nil` for null.
    func aggregateValue<Result: RowValue>(
        _ query: ModelQuery, _ field: String, as type: Result.Type,
        _ function: (String) -> AggregatePlan.Function
    ) async throws -> Result? {
        let field = try AggregatedField(field, of: query.model)
        guard let value = try await aggregate(query, [function(field.name)]).first, !value.isNull else { return nil }
        return try field.value(value, as: type)
    }

    /// The distinct values of a field, smallest first.
    ///
    /// - Parameters:
    ///   - query: Which records; its order and page do not matter.
    ///   - field: The field.
    ///   - limit: The largest number of values; `nil` for all.
    ///   - type: The values' type; null is among them only if it can hold null.
    /// - Returns: The values, without duplicates.
    /// - Throws: ``StorageError`` `.misuse` for a negative limit; ``ModelError`` `.invalidSchema` if the model keeps no
    ///   such field or keeps it in several columns, `.decodingFailed` if the type cannot hold a value; what reading the
    ///   records throws.
    func distinct<Result: RowValue>(
        _ query: ModelQuery, _ field: String, limit: Int?, as type: Result.Type
    ) async throws -> [Result] {
        if let limit, limit < 0 {
            throw StorageError(.misuse, "A limit is negative; 0 is the smallest, and nil means no limit.")
        }
        let field = try AggregatedField(field, of: query.model)
        var (plan, filter) = try await resolved(query)
        plan = QueryPlan(plan.entity, where: plan.predicate, sort: [SortKey(field.name)])
        let predicate = plan.predicate
        if Result(storageValue: .null) == nil {
            plan.predicate = .and([predicate, .compare(field.name, .notEqual, .null)])
        }
        if filter == nil { plan.projection = [field.name] }
        let column = filter == nil ? 0 : field.position
        let evaluator = ConditionEvaluator(source: source, limits: limits)
        var scan = ModelScan(try await source.scan(plan), filter: filter, evaluator: evaluator)
        var values: [Result] = []
        var newest: Value?
        var rows = RowBuffer()
        while values.count < limit ?? .max {
            try await scan.next(into: &rows)
            if rows.isEmpty { return values }
            let isOneValue = newest.map { ValueOrder.areEqual($0, rows[rows.rowCount - 1, column]) } ?? false
            if isOneValue, let newest, !newest.isNull, field.isIndexed {
                // An index skips a long run of one value.
                await scan.close()
                plan.predicate = .and([predicate, .compare(field.name, .greater, newest)])
                scan = ModelScan(try await source.scan(plan), filter: filter, evaluator: evaluator)
                continue
            }
            for row in 0..<rows.rowCount where values.count < limit ?? .max {
                let value = rows[row, column]
                if let newest, ValueOrder.areEqual(newest, value) { continue }
                newest = value
                values.append(try field.value(value, as: type))
            }
        }
        await scan.close()
        return values
    }
}
