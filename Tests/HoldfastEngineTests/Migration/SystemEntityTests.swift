import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct SystemEntityTests {
    @Test(arguments: EngineAdapter.all)
    func metadataOfRecordsIsKept(_ adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let live = RecordMetadata(model: "Post", key: "a", version: 3, lastChangedAt: 1_700_000_000_123)
        let dead = RecordMetadata(model: "Post", key: "b|#", version: 1, lastChangedAt: -1, isDeleted: true)
        try await store.save(metadata: [live, dead])
        #expect(try await store.recordMetadata(["b|#", "c", "a"], of: "Post") == [dead, nil, live])
        #expect(try await store.recordMetadata(["a"], of: "Blog") == [nil])
        try await store.close()
    }

    @Test(arguments: EngineAdapter.all)
    func statesOfModelsAreKept(_ adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        #expect(try await store.modelState(of: "Post") == nil)
        try await store.save(states: [ModelState(model: "Post"), ModelState(model: "Blog", lastSync: 7)])
        let state = ModelState(model: "Post", lastSync: 12, syncPredicate: "{}")
        try await store.save(states: [state])
        #expect(try await store.modelState(of: "Post") == state)
        #expect(try await store.modelState(of: "Blog") == ModelState(model: "Blog", lastSync: 7))
        try await store.save()
        try await store.close()
    }

    @Test(arguments: EngineAdapter.all)
    func settingsAreKeptAlsoWithoutAnOutbox(_ adapter: EngineAdapter) async throws {
        let store = try await adapter.open(DataStoreOptions(recordsMutations: false))
        #expect(try await store.setting("colour") == nil)
        try await store.setSetting("colour", to: "blue")
        #expect(try await store.setting("colour") == "blue")
        #expect(store.store.schema.entities.filter { $0.name.hasPrefix("__") }.map(\.name) == ["__settings"])
        try await store.close()
    }
}
