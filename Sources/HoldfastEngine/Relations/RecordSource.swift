import HoldfastStorage

/// Where records are read from: a snapshot, or a transaction over one.
protocol RecordSource: Sendable {
    /// The records of some keys, in their order; version 0 where there is none.
    func get(_ keys: [RecordKey], of entity: EntitySchema) async throws -> RowBuffer

    /// All rows of a query at once.
    func rows(_ plan: QueryPlan) async throws -> RowBuffer

    /// The rows of a query, batch by batch.
    func scan(_ plan: QueryPlan) async throws -> RecordScan

    /// Aggregates over the matching records.
    func aggregate(_ plan: AggregatePlan) async throws -> [Value]
}

/// The rows of a query, pulled in batches.
struct RecordScan: Sendable {
    private var stored: StoreScan?
    private var rows: RowBuffer?

    /// The rows that a store finds.
    init(_ stored: StoreScan) { self.stored = stored }

    /// Rows that were read before.
    init(_ rows: RowBuffer) { self.rows = rows }

    /// Replaces the buffer's content with the next rows; leaves it empty at the end.
    mutating func next(into rows: inout RowBuffer) async throws {
        if stored != nil {
            try await stored?.next(into: &rows)
        } else {
            rows = self.rows ?? RowBuffer()
            self.rows = nil
        }
    }

    /// Ends the query early.
    mutating func close() async {
        await stored?.close()
        rows = nil
    }
}

extension StoreSnapshot: RecordSource {
    func get(_ keys: [RecordKey], of entity: EntitySchema) async throws -> RowBuffer {
        var rows = RowBuffer()
        try await get(keys, of: entity.name, into: &rows)
        return rows
    }

    func scan(_ plan: QueryPlan) async throws -> RecordScan { RecordScan(try await query(plan)) }
}
