import HoldfastInMemory
import HoldfastStorage

/// An entity with an index of every kind.
struct Posts: Sendable {
    static let fields = [
        FieldSchema("id", .id), FieldSchema("author", .string), FieldSchema("rank", .int),
        FieldSchema("alias", .string), FieldSchema("score", .float),
    ]
    static let indexes = [
        IndexSchema("byAuthorRank", on: ["author", "rank"]), IndexSchema("byRank", on: ["rank"]),
        IndexSchema("byAlias", on: ["alias"], isUnique: true),
    ]

    func open(indexes: [IndexSchema] = Self.indexes) async throws -> Store {
        let entity = EntitySchema("Post", fields: Self.fields, indexes: indexes)
        return try await Store.open(InMemoryAdapter(), schema: StorageSchema(entities: [entity]))
    }

    func row(
        _ id: String, author: String? = nil, rank: Int64? = nil, alias: String? = nil, score: Double? = nil
    ) -> [Value] {
        [
            .text(id), author.map(Value.text) ?? .null, rank.map(Value.integer) ?? .null,
            alias.map(Value.text) ?? .null, score.map(Value.double) ?? .null,
        ]
    }

    func buffer(_ rows: [Value]...) -> RowBuffer { buffer(rows) }

    func buffer(_ rows: [[Value]]) -> RowBuffer {
        var buffer = RowBuffer(columnCount: Self.fields.count)
        for row in rows { buffer.append(row) }
        return buffer
    }
}

extension Store {
    func put(_ rows: [Value]..., mode: WriteOperation.PutMode = .upsert) async throws -> CommitReceipt {
        try await commit(CommitRequest(operations: [.put(entity: "Post", rows: Posts().buffer(rows), mode: mode)]))
    }

    func rows(_ ids: String...) async throws -> RowBuffer {
        var rows = RowBuffer()
        try await get(ids.map { RecordKey($0) }, of: "Post", into: &rows)
        return rows
    }

    /// All results of a query, in batches of a size.
    func results(_ plan: QueryPlan, batch: Int = 1_024) async throws -> [[Value]] {
        var scan = try await snapshot().query(plan)
        var rows = RowBuffer()
        var results: [[Value]] = []
        repeat {
            try await scan.next(maximumRowCount: batch, into: &rows)
            results += (0..<rows.rowCount).map { Array(rows[$0]) }
        } while !rows.isEmpty
        return results
    }
}
