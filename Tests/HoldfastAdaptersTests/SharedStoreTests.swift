import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastStorage
import Testing

/// Handles with other schemas on one store.
struct SharedStoreTests {
    private static let adapters = TestedAdapter.available.filter { ["sqlite", "postgresql"].contains($0.rawValue) }

    /// It would store equal values, since nothing refuses them any longer.
    @Test(arguments: adapters)
    func aHandleWhoseUniqueIndexAnotherOneDropsFails(_ adapter: TestedAdapter) async throws {
        let location = TestLocation(adapter)
        let unique = EntitySchema(
            "Note", fields: note.fields, indexes: [IndexSchema("byRank", on: ["rank"], isUnique: true)])
        let first = try await Store.open(location.make(), schema: StorageSchema(entities: [unique]))
        try await first.put("Note", [noteRow("a", nil, 1)])
        let second = try await Store.open(location.make(), schema: StorageSchema(entities: [note]))
        await expectFailure(.schemaMismatch) { try await first.put("Note", [noteRow("b", nil, 1)]) }
        await expectFailure(.schemaMismatch) { _ = try await first.records([RecordKey("a")], of: "Note") }
        await expectFailure(.schemaMismatch) { _ = try await first.rows(QueryPlan("Note")) }
        try await second.put("Note", [noteRow("b", nil, 2)])
        // To add an index disturbs no other handle.
        let third = try await Store.open(location.make(), schema: StorageSchema(entities: [unique]))
        await expectFailure(.uniqueViolation) { try await third.put("Note", [noteRow("c", nil, 1)]) }
        #expect(try await second.rows(QueryPlan("Note")) == [noteRow("a", nil, 1), noteRow("b", nil, 2)])
        for store in [first, second, third] { try await store.close() }
    }
}
