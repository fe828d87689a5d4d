import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct DeletingTests {
    func filled(_ adapter: any StorageAdapter) async throws -> DataStore {
        let store = try await adapter.dataStore()
        try await store.save(
            (0..<6).map { (number: Int) in Post(id: "\(number)", title: "t\(number)", rating: number) })
        return store
    }

    @Test(arguments: EngineAdapter.all)
    func aRecordIsDeletedByItsModelOrItsId(adapter: EngineAdapter) async throws {
        let store = try await filled(adapter.make())
        let changes = try store.observe(Post.self)
        #expect(try await store.delete(Post(id: "1", title: "whatever")))
        #expect(try await store.delete(Post.self, withId: "2"))
        #expect(try await store.query(Post.self).map(\.id) == ["0", "3", "4", "5"])
        #expect(try await store.query(Post.self, byId: "1") == nil)
        let seen = try await store.close(andCollect: changes)
        #expect(seen.map(\.kind) == [.deleted, .deleted])
        #expect(seen.map(\.model.title) == ["t1", "t2"])
    }

    @Test(arguments: EngineAdapter.all)
    func matchingRecordsAreDeletedInOneCommit(adapter: EngineAdapter) async throws {
        let store = try await filled(adapter.make())
        let before = try await store.dump().sequence
        #expect(try await store.delete(Post.self, where: Post.keys.rating >= 2 && Post.keys.rating < 5) == 3)
        #expect(try await store.dump().sequence > before)
        #expect(try await store.query(Post.self).map(\.id) == ["0", "1", "5"])
        #expect(try await store.delete(Post.self, where: QueryPredicateConstant.all) == 3)
        #expect(try await store.count(Post.self) == 0)
    }

    @Test(arguments: EngineAdapter.all)
    func deletingWhatIsNotThereChangesNothing(adapter: EngineAdapter) async throws {
        let store = try await filled(adapter.make())
        let changes = try store.observe(Post.self)
        let before = try await store.dump()
        #expect(try await store.delete(Post(id: "gone", title: "")) == false)
        #expect(try await store.delete(Post.self, withId: "gone") == false)
        #expect(try await store.delete(Post.self, where: Post.keys.rating > 100) == 0)
        #expect(try await store.dump() == before)
        #expect(try await store.close(andCollect: changes).isEmpty)
    }

    @Test(arguments: EngineAdapter.all)
    func aCompositeKeyIsDeletedByItsModelOnly(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save([Order(shop: "a", number: 1), Order(shop: "a", number: 2)])
        #expect(try await store.delete(Order(shop: "a", number: 1)))
        await #expect { try await store.delete(Order.self, withId: "a") } throws: {
            ($0 as? StorageError)?.kind == .schemaMismatch
        }
        #expect(try await store.query(Order.self).map(\.number) == [2])
    }

    @Test(arguments: EngineAdapter.all)
    func aRecordThatCeasesToMatchMeanwhileIsNotDeleted(adapter: EngineAdapter) async throws {
        let base = adapter.make()
        let gate = Gate()
        let reached = Gate()
        let store = try await filled(
            InterceptedAdapter(base) { attempt, request async throws(StorageError) in
                guard attempt == 2 else { return }
                reached.open()
                await gate.wait()
            })
        async let deleted = store.delete(Post.self, where: Post.keys.rating < 2)
        await reached.wait()
        try await store.save(Post(id: "1", title: "t1", rating: 5))
        gate.open()
        #expect(try await deleted == 1)
        #expect(try await store.query(Post.self).map(\.id) == ["1", "2", "3", "4", "5"])
    }
}
