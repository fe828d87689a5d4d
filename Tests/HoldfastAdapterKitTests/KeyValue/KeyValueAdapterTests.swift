import HoldfastAdapterKit
import HoldfastStorage
import Testing

/// What the adapter declares, and what it refuses.
@Suite struct KeyValueAdapterTests {
    /// Without their entries, no other record with the same values would be found.
    @Test func withoutIndexEntriesUniqueIndexesAreRefused() async throws {
        let adapter = KeyValueAdapter<OrderedEngine>(
            capabilities: .keyValue(adapterName: "ordered", support: [.indexes: .emulated]), mark: "holdfast-ordered"
        ) { _ throws(StorageError) in
            try OrderedEngine()
        }
        #expect(adapter.capabilities.support(for: .uniqueIndexes) == .unsupported)
        let note = EntitySchema(
            "Note", fields: [FieldSchema("id", .id), FieldSchema("code", .string)],
            indexes: [IndexSchema("byCode", on: ["code"], isUnique: true)])
        let schema = try StorageSchema(entities: [note])
        await #expect(throws: StorageError(.unsupported, "")) { try await adapter.open(OpenRequest(schema: schema)) }
    }
}
