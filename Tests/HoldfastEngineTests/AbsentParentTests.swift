import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// An eager model holds `nil` for a related record that only the service has, and an edit must not clear its key.
struct AbsentParentTests {
    /// A lease of a tenant that is not stored.
    private func lease(_ adapter: EngineAdapter) async throws -> (store: DataStore, fence: SyncFence) {
        let store = try await adapter.graph()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        func apply(_ model: some Model) async throws {
            let record = RemoteRecord(
                key: try model.recordKey(), row: Array(try model.row()[0]), version: 1, lastChangedAt: 1)
            _ = try await store.apply(RemoteBatch(model: type(of: model).modelName, records: [record]), fence)
        }
        let house = House("h", name: "H")
        let room = Room("r", name: "R", house: house)
        try await apply(house)
        try await apply(room)
        try await apply(Lease("a", rent: 1, room: room, tenant: Tenant("t", house: house)))
        return (store, fence)
    }

    /// The stored key of the lease's tenant, its last column.
    private func tenant(_ store: DataStore) async throws -> Value? {
        try await store.storedRow("Lease", RecordKey("a"))?.last
    }

    @Test(arguments: EngineAdapter.all)
    func anUpdateKeepsTheKey(adapter: EngineAdapter) async throws {
        let store = try await lease(adapter).store
        let lease = try #require(try await store.update(Lease.self, "a") { $0.rent = 2 })
        #expect(lease.rent == 2 && lease.tenant == nil)
        #expect(try await tenant(store) == .text("t"))
        #expect(try await store.outboxEntries().last?.changedFields == ["rent"])
        try await store.close()
    }

    @Test(arguments: EngineAdapter.all, [false, true])
    func aSaveKeepsTheKey(adapter: EngineAdapter, isInTransaction: Bool) async throws {
        let store = try await lease(adapter).store
        var lease = try #require(try await store.query(Lease.self, byId: "a"))
        lease.rent = 2
        if isInTransaction {
            let edited = lease
            try await store.transaction { try await $0.save(edited) }
        } else {
            try await store.save(lease)
        }
        #expect(try await tenant(store) == .text("t"))
        #expect(try await store.outboxEntries().last?.changedFields == ["rent"])
        try await store.close()
    }

    /// By the `nil` that the model shows, a page would begin before all records that have a key.
    @Test(arguments: EngineAdapter.all, [false, true])
    func pagesInTheOrderOfTheRelationEnd(adapter: EngineAdapter, isInTransaction: Bool) async throws {
        let (store, fence) = try await lease(adapter)
        let house = House("h", name: "H")
        for id in ["b", "c", "d", "e"] {
            let lease = Lease(id, rent: 1, room: Room("r", house: house), tenant: Tenant("t\(id)", house: house))
            let record = RemoteRecord(
                key: RecordKey(id), row: Array(try lease.row()[0]), version: 1, lastChangedAt: 1)
            _ = try await store.apply(RemoteBatch(model: "Lease", records: [record]), fence)
        }
        let sort = QuerySortInput.ascending(Lease.CodingKeys.tenant)
        var seen: [String] = []
        var last: Lease?
        repeat {
            let after = last
            let page =
                isInTransaction
                ? try await store.read { try await $0.query(Lease.self, sort: sort, after: after, limit: 2) }
                : try await store.query(Lease.self, sort: sort, after: after, limit: 2)
            seen += page.map(\.id)
            last = page.last
        } while last != nil && seen.count < 10
        #expect(seen == ["a", "b", "c", "d", "e"])
        try await store.close()
    }

    @Test(arguments: EngineAdapter.all)
    func aRelationToAStoredRecordIsCleared(adapter: EngineAdapter) async throws {
        let store = try await lease(adapter).store
        try await store.save(Tenant("t", name: "T", house: House("h")))
        try await store.update(Lease.self, "a") { $0.tenant = nil }
        #expect(try await tenant(store) == .null)
        try await store.close()
    }

    /// A conflict handler changes the service's record, of which it cannot see the tenant.
    @Test(arguments: EngineAdapter.all)
    func aDecisionAboutAConflictKeepsTheKey(adapter: EngineAdapter) async throws {
        let store = try await lease(adapter).store
        let remote = try #require(try await store.storedRow("Lease", RecordKey("a")))
        let models = try await store.models("Lease", [remote])
        var wanted = try #require(models[0] as? Lease)
        wanted.rent = 2
        let kept = try await store.row(of: wanted, as: "Lease", at: RecordKey("a"), over: remote)
        #expect(kept?.last == .text("t"))
        try await store.save(Tenant("t", name: "T", house: House("h")))
        let cleared = try await store.row(of: wanted, as: "Lease", at: RecordKey("a"), over: remote)
        #expect(cleared?.last == .null)
        try await store.close()
    }

    /// Its room is gone, so it is hidden, and its edit is stored and sent all the same.
    @Test(arguments: EngineAdapter.all)
    func anEditOfAHiddenRecordIsSaved(adapter: EngineAdapter) async throws {
        let (store, fence) = try await lease(adapter)
        let original = try #require(try await store.query(Lease.self, byId: "a"))
        _ = try await store.apply(
            RemoteBatch(
                model: "Room", records: [RemoteRecord(key: RecordKey("r"), row: nil, version: 2, lastChangedAt: 2)]),
            fence)
        #expect(try await store.query(Lease.self, byId: "a") == nil)
        var edited = original
        edited.rent = 3
        let saved = try await store.save(edited, from: original)
        #expect(saved?.rent == 3)
        #expect(try await store.outboxEntries().last?.changedFields == ["rent"])
        try await store.close()
    }
}
