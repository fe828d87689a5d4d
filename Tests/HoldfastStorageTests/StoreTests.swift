import HoldfastStorage
import HoldfastTestSupport
import Testing

struct StoreTests {
    static let schema: Result<StorageSchema, any Error> = Result {
        try StorageSchema(entities: [
            EntitySchema(
                "Post",
                fields: [
                    FieldSchema("id", .id), FieldSchema("title", .string, isRequired: true),
                    FieldSchema("rating", .float),
                    FieldSchema("data", .bytes), FieldSchema("tags", .list(of: .string, elementsAreRequired: true)),
                    FieldSchema("created", .dateTime), FieldSchema("body", .json),
                ])
        ])
    }

    private func store(
        _ adapter: any StorageAdapter = ModelAdapter()
    ) async throws -> Store {
        try await Store.open(adapter, schema: Self.schema.get())
    }

    private func row(_ changes: [Int: Value] = [:]) -> [Value] {
        var row: [Value] = [.text("1"), .text("t"), .null, .null, .null, .null, .null]
        for (column, value) in changes { row[column] = value }
        return row
    }

    private func put(_ rows: [Value]..., mode: WriteOperation.PutMode = .upsert) -> CommitRequest {
        CommitRequest(operations: [.put(entity: "Post", rows: RowBuffer(rows: rows), mode: mode)])
    }

    @Test func negativeZeroIsStoredAsZero() async throws {
        let store = try await store()
        _ = try await store.commit(put(row([2: .double(-0.0)])))
        let stored = try await store.records([RecordKey("1")], of: "Post")[0].cells[2]
        guard case .double(let double) = stored else {
            Issue.record("not a double")
            return
        }
        #expect(double.sign == .plus)
    }
}
