#if SQLite
import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct StoreInspectionTests {
    /// The inspection of a filled store, with digests.
    private func inspection(_ adapter: TestedAdapter) async throws -> StoreInspection {
        let location = TestLocation(adapter)
        try await ShopStore.fill(location)
        let store = try await Store.openAsStored { location.make(isReadOnly: true) }
        let inspection = try await StoreInspection(of: store, digests: true)
        try await store.close()
        return inspection
    }

    @Test(arguments: TestedAdapter.lasting)
    func itListsTheEntitiesOfModelsThenThoseOfTheSystem(_ adapter: TestedAdapter) async throws {
        let inspection = try await inspection(adapter)
        let models = ["Blog", "Order", "OrderLine", "Post", "Sample"]
        let system = [
            "__dead_letter", "__model_state", "__outbox", "__record_metadata", "__settings", "__shelf",
            "__sync_session",
        ]
        #expect(inspection.entities.map(\.name) == models + system)
        #expect(inspection.entities.filter(\.isSystem).map(\.name) == system)
    }

    @Test(arguments: TestedAdapter.lasting)
    func itDescribesEachEntity(_ adapter: TestedAdapter) async throws {
        let inspection = try await inspection(adapter)
        let posts = try #require(inspection.entities.first { $0.name == "Post" })
        #expect(posts.recordCount == ShopStore.postCount - 1)
        #expect(posts.primaryKey == ["id"])
        #expect(posts.digest?.count == 32)
        let sample = try #require(inspection.entities.first { $0.name == "Sample" })
        #expect(sample.indexes.map(\.name) == ["byCount"])
        #expect(sample.fieldCount == 13)
    }

    @Test(arguments: TestedAdapter.lasting)
    func itCountsWhatIsNotSynchronized(_ adapter: TestedAdapter) async throws {
        let inspection = try await inspection(adapter)
        #expect(inspection.outbox.map(\.model) == ["Blog", "Post"])
        #expect(inspection.outbox.map(\.pendingCount) == [1, 2])
        #expect(inspection.outbox.map(\.inFlightCount) == [0, 0])
        #expect(inspection.tombstoneCount == 1)
    }

    @Test(arguments: TestedAdapter.lasting)
    func itNamesTheAdapterAndTheVersions(_ adapter: TestedAdapter) async throws {
        let inspection = try await inspection(adapter)
        #expect(inspection.adapterName == adapter.rawValue)
        #expect(inspection.recordedSchemaVersion == inspection.schemaVersion)
        #expect(!inspection.isUnfinishedCopy)
    }

    @Test func aStoreThatTheEngineNeverOpenedHasNoOutbox() async throws {
        let location = TestLocation(.sqlite)
        let entity = EntitySchema("Note", fields: [FieldSchema("id", .id)])
        let made = try await Store.open(location.make(), schema: StorageSchema(entities: [entity]))
        try await made.close()
        let store = try await Store.openAsStored { location.make(isReadOnly: true) }
        let inspection = try await StoreInspection(of: store)
        try await store.close()
        #expect(inspection.entities.map(\.name) == ["Note"])
        #expect(inspection.entities.map(\.digest) == [nil])
        #expect(inspection.outbox.isEmpty)
        #expect(inspection.recordedSchemaVersion == nil)
        #expect(inspection.sequence == 0)
    }
}
#endif
