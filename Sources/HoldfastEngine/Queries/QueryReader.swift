import HoldfastModel
import HoldfastStorage

/// Answers queries along paths from one snapshot or transaction.
///
/// What is asked of parts of embedded values is decided here, page by page: adapters keep them as JSON.
/// The related part of a condition is answered first and becomes a list of keys that the adapter looks for. Where that
/// list would be too long, the adapter selects without that part and the rows are filtered here, page by page.
struct QueryReader: Sendable {
    let source: any RecordSource
    let schema: StorageSchema
    let limits: Capabilities.Limits
    /// Keys of related records, at most, that become part of a predicate.
    let relatedKeyLimit: Int

    /// The matching records in the query's order, batch by batch.
    func scan(_ query: ModelQuery) async throws -> ModelScan {
        if !query.exceedsPlan { return ModelScan(try await source.scan(query.plan)) }
        let (plan, filter) = try await resolved(query)
        _ = try schema.bind(plan, limits: limits)
        if let order = query.order {
            return ModelScan(RecordScan(try await sorted(query, plan, filter, by: order)))
        }
        guard let filter else { return ModelScan(try await source.scan(plan)) }
        var unpaged = plan
        (unpaged.offset, unpaged.limit) = (0, nil)
        return ModelScan(
            try await source.scan(unpaged), filter: filter, evaluator: evaluator, offset: plan.offset,
            limit: plan.limit)
    }

    /// All matching records at once.
    func rows(_ query: ModelQuery) async throws -> RowBuffer {
        if !query.exceedsPlan { return try await source.rows(query.plan) }
        var scan = try await scan(query)
        var rows = RowBuffer(columnCount: query.model.entity.fields.count)
        var batch = RowBuffer()
        repeat {
            try await scan.next(into: &batch)
            rows.append(contentsOf: batch)
        } while !batch.isEmpty
        return rows
    }

    /// Aggregates over all matching records; the query's order and page do not matter.
    func aggregate(_ query: ModelQuery, _ functions: [AggregatePlan.Function]) async throws -> [Value] {
        let (plan, filter) = try await resolved(query)
        let aggregate = AggregatePlan(plan.entity, where: plan.predicate, functions)
        guard let filter else { return try await source.aggregate(aggregate) }
        var accumulator = AggregateAccumulator(try schema.bind(aggregate, limits: limits))
        var scan = ModelScan(
            try await source.scan(QueryPlan(plan.entity, where: plan.predicate)), filter: filter, evaluator: evaluator)
        var rows = RowBuffer()
        repeat {
            try await scan.next(into: &rows)
            for row in 0..<rows.rowCount { rows.withRow(row) { accumulator.add($0) } }
        } while !rows.isEmpty
        return try accumulator.result()
    }

    /// The query as the adapter can answer it, and the condition by which its rows are filtered then, if need be.
    func resolved(_ query: ModelQuery) async throws -> (plan: QueryPlan, filter: BoundCondition?) {
        var plan = query.plan
        let entity = query.model.entity
        let resolved = try await resolve(query.condition, on: entity)
        if let predicate = resolved.predicate, predicate.nodeCount <= limits.predicateNodeCount,
            predicate.depth <= limits.predicateDepth
        {
            plan.predicate = predicate
            return (plan, nil)
        }
        plan.predicate = resolved.upperBound
        return (plan, try resolved.bound(to: entity, in: schema, limits: limits))
    }

    private var evaluator: ConditionEvaluator { ConditionEvaluator(source: source, limits: limits) }

    // MARK: Related records

    /// The condition with as many of its related parts as possible turned into lists of keys.
    private func resolve(_ condition: Condition, on entity: EntitySchema) async throws -> Condition {
        let room = limits.predicateNodeCount / 2 - condition.upperBound.nodeCount
        var left = max(0, min(relatedKeyLimit, room))
        return try await resolve(condition, on: entity, &left)
    }

    private func resolve(
        _ condition: Condition, on entity: EntitySchema, _ left: inout Int
    ) async throws -> Condition {
        switch condition {
        case .local, .embedded: return condition
        case .not(let inner): return .not(try await resolve(inner, on: entity, &left))
        case .and(let parts):
            var resolved: [Condition] = []
            for part in parts { resolved.append(try await resolve(part, on: entity, &left)) }
            return .and(resolved)
        case .or(let parts):
            var resolved: [Condition] = []
            for part in parts { resolved.append(try await resolve(part, on: entity, &left)) }
            return .or(resolved)
        case .related(let step, let inner):
            let inner = try await resolve(inner, on: step.related.entity)
            let nodesPerKey = step.ownColumns.count == 1 ? 1 : step.ownColumns.count + 1
            guard let keys = try await keys(step, inner, limit: left / nodesPerKey) else {
                return .related(step, inner)
            }
            left -= keys.count * nodesPerKey
            return .local(.isAny(of: keys, in: step.ownColumns.map { entity.fields[$0].name }))
        }
    }

    /// The keys that lead to a record which satisfies a condition, or `nil` if there are more than a limit.
    private func keys(_ step: RelationStep, _ inner: Condition, limit: Int) async throws -> [RecordKey]? {
        let entity = step.related.entity
        var plan = QueryPlan(entity.name, where: inner.predicate ?? inner.upperBound)
        var filter: BoundCondition?
        var columns = step.relatedColumns
        if inner.predicate == nil {
            filter = try inner.bound(to: entity, in: schema, limits: limits)
        } else {
            plan.projection = step.relatedColumnNames
            columns = Array(columns.indices)
        }
        var scan = ModelScan(try await source.scan(plan), filter: filter, evaluator: evaluator)
        var keys: Set<RecordKey> = []
        var rows = RowBuffer()
        repeat {
            try await scan.next(into: &rows)
            for row in 0..<rows.rowCount {
                let cells = columns.map { rows[row, $0] }
                if !cells.contains(where: \.isNull) { keys.insert(RecordKey(cells)) }
            }
            if keys.count > limit {
                await scan.close()
                return nil
            }
        } while !rows.isEmpty
        return keys.sorted()
    }

    // MARK: Sorting

    /// The page of a query that is sorted by related records.
    ///
    /// - Complexity: O(n log n) comparisons, and memory for the page and those before it.
    private func sorted(
        _ query: ModelQuery, _ plan: QueryPlan, _ filter: BoundCondition?, by order: RelationOrder
    ) async throws -> RowBuffer {
        let (needed, overflows) = (plan.limit ?? .max).addingReportingOverflow(plan.offset)
        let count = overflows ? .max : needed
        var last: RelationOrder.Entry?
        if let row = query.last { last = try await order.entries(row, from: source, limits: limits).first }
        var scan = ModelScan(
            try await source.scan(QueryPlan(plan.entity, where: plan.predicate)), filter: filter, evaluator: evaluator)
        var entries: [RelationOrder.Entry] = []
        var rows = RowBuffer()
        repeat {
            try await scan.next(into: &rows)
            for entry in try await order.entries(rows, from: source, limits: limits) {
                if let last, !order.isAscending(last, entry) { continue }
                entries.append(entry)
            }
            if entries.count / 2 > count {
                entries.sort(by: order.isAscending)
                entries.removeLast(entries.count - count)
            }
        } while !rows.isEmpty
        entries.sort(by: order.isAscending)
        var page = RowBuffer(columnCount: order.entity.fields.count)
        for entry in entries.dropFirst(plan.offset).prefix(plan.limit ?? .max) {
            page.append(entry.row, version: entry.version)
        }
        return page
    }
}
