import HoldfastStorage

extension RecordTransaction: RecordSource {
    func scan(_ plan: QueryPlan) async throws -> RecordScan {
        noteReading(try schema.bind(plan, limits: limits))
        return try await scan(noted: plan)
    }

    /// As ``scan(_:)``, after what the query reads was recorded.
    func scan(noted plan: QueryPlan) async throws -> RecordScan {
        let entity = try schema.entity(named: plan.entity)
        guard hasWritten(entity) else { return RecordScan(try await snapshot.query(plan)) }
        var whole = plan
        whole.projection = nil
        let rows = try await rows(noted: schema.bind(whole, limits: limits), whole)
        guard let projection = plan.projection else { return RecordScan(rows) }
        let columns = projection.compactMap(entity.position(of:))
        var projected = RowBuffer(columnCount: columns.count, rowCapacity: rows.rowCount)
        for row in 0..<rows.rowCount {
            projected.append(columns.map { rows[row, $0] }, version: rows.versions[row])
        }
        return RecordScan(projected)
    }

    func aggregate(_ plan: AggregatePlan) async throws -> [Value] {
        let aggregate = try schema.bind(plan, limits: limits)
        noteReading(aggregate.query)
        guard hasWritten(aggregate.query.entity) else { return try await snapshot.aggregate(plan) }
        let rows = try await rows(QueryPlan(plan.entity, where: plan.predicate))
        var accumulator = AggregateAccumulator(aggregate)
        for row in 0..<rows.rowCount { rows.withRow(row) { accumulator.add($0) } }
        return try accumulator.result()
    }
}
