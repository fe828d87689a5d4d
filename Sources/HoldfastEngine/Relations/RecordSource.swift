import HoldfastStorage

/// Where records are read from: a snapshot, or a transaction over one.
protocol RecordSource: Sendable {
    /// The records of some keys, in their order; version 0 where there is none.
    func get(_ keys: [RecordKey], of entity: EntitySchema) async throws -> RowBuffer

    /// All rows of a query at once.
    func rows(_ plan: QueryPlan) async throws -> RowBuffer
}

extension RecordTransaction: RecordSource {}

extension StoreSnapshot: RecordSource {
    func get(_ keys: [RecordKey], of entity: EntitySchema) async throws -> RowBuffer {
        var rows = RowBuffer()
        try await get(keys, of: entity.name, into: &rows)
        return rows
    }
}
