import HoldfastConformance
package import HoldfastStorage

extension Store {
    /// Puts rows; they need not survive anything unless a test asks for it.
    @discardableResult
    package func put(
        _ entity: String, _ rows: [[Value]], mode: WriteOperation.PutMode = .upsert,
        durability: Durability = .none, _ preconditions: [Precondition] = []
    ) async throws(StorageError) -> CommitReceipt {
        try await commit(
            CommitRequest(
                preconditions: preconditions,
                operations: [.put(entity: entity, rows: RowBuffer(rows), mode: mode)], durability: durability))
    }

    /// One record, or `nil`.
    package func record(_ entity: String, _ key: [Value]) async throws -> (row: [Value], version: UInt64)? {
        let record = try await records([RecordKey(key)], of: entity)[0]
        return record.version == 0 ? nil : (record.cells, record.version)
    }

    /// All rows of a query, pulled in small batches.
    package func rows(_ plan: QueryPlan, batch: Int = 3) async throws -> [[Value]] {
        try await withSnapshot { try await $0.rows(plan, batch: batch) }
    }
}

extension StoreSnapshot {
    /// All rows of a query, pulled in small batches.
    package func rows(_ plan: QueryPlan, batch: Int = 3) async throws -> [[Value]] {
        let rows: [StoredRow] = try await rows(plan, batch: batch)
        return rows.map(\.cells)
    }
}

extension RowBuffer {
    package init(_ rows: [[Value]]) { self.init(rows: rows) }
}

package let note = EntitySchema(
    "Note", fields: [FieldSchema("id", .id), FieldSchema("text", .string), FieldSchema("rank", .int)])

package func noteRow(_ id: String, _ text: String? = nil, _ rank: Int64? = nil) -> [Value] {
    [.text(id), text.map { .text($0) } ?? .null, rank.map { .integer($0) } ?? .null]
}
