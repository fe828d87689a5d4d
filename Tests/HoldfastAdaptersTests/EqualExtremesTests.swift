import HoldfastAdapterTestSupport
import HoldfastStorage
import Testing

/// Dates and times that are equal, and written differently.
struct EqualExtremesTests {
    /// The index by which the records are found has them in another order than that of their keys.
    @Test(arguments: TestedAdapter.available)
    func anExtremeIsThatOfTheFirstRecord(_ adapter: TestedAdapter) async throws {
        let entity = EntitySchema(
            "Event",
            fields: [FieldSchema("id", .id), FieldSchema("category", .string), FieldSchema("at", .dateTime)],
            indexes: [IndexSchema("byCategory", on: ["category"])])
        let store = try await Store.open(adapter.make(), schema: StorageSchema(entities: [entity]))
        let first = Value.timestamp(try Timestamp(parsing: "2024-01-01T00:00:00Z"))
        let second = Value.timestamp(try Timestamp(parsing: "2024-01-01T01:00:00+01:00"))
        try await store.put("Event", [[.text("1"), .text("b"), first], [.text("2"), .text("a"), second]])
        let plan = AggregatePlan(
            "Event", where: .isIn("category", [.text("a"), .text("b")]), [.minimum("at"), .maximum("at")])
        let values = try await store.withSnapshot { try await $0.aggregate(plan) }
        #expect(values == [first, first])
        try await store.close()
    }
}
