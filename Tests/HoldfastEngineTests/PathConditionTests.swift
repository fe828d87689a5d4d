import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

/// Conditions of saves and deletes along paths.
struct PathConditionTests {
    private static func depot(_ adapter: any StorageAdapter) async throws -> DataStore {
        let store = try await adapter.dataStore(models: [Parcel.self, Sender.self])
        let sender = Sender(id: "s", home: Station(city: "a"))
        try await store.save(sender)
        try await store.save(Parcel(id: "p", origin: Station(city: "b"), weight: 1, sender: sender))
        return store
    }

    @Test(arguments: EngineAdapter.all, ["sender.home.city", "sender.id", "origin.city"])
    func aSaveAndADeletionFollowThePath(adapter: EngineAdapter, path: String) async throws {
        let store = try await Self.depot(adapter.make())
        let value = path == "sender.id" ? "s" : path == "origin.city" ? "b" : "a"
        let before = try await store.dump()
        let parcel = Parcel(id: "p", weight: 2)
        #expect(await refusal { try await store.save(parcel, where: field(path) != value) } == .conditionFailed)
        #expect(await refusal { try await store.delete(parcel, where: field(path) != value) } == .conditionFailed)
        #expect(
            await refusal {
                try await store.transaction { try await $0.save(parcel, where: field(path) != value) }
            } == .conditionFailed)
        #expect(
            await refusal { try await store.save(Parcel(id: "new"), where: field(path) == value) } == .conditionFailed)
        #expect(try await store.dump() == before)
        #expect(try await store.delete(Parcel(id: "new"), where: field(path) == value) == false)
        try await store.save(
            Parcel(id: "p", origin: Station(city: "b"), weight: 2, sender: Sender(id: "s")), where: field(path) == value
        )
        #expect(try await store.query(Parcel.self, byId: "p")?.weight == 2)
        #expect(try await store.delete(Parcel.self, withId: "p", where: field(path) == value))
    }

    @Test(arguments: EngineAdapter.all)
    func aHasManyPathAsksForSomeChild(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let blog = Blog(id: "b", name: "old")
        try await store.save(blog)
        let renamed = Blog(id: "b", name: "new")
        #expect(await refusal { try await store.save(renamed, where: field("posts.rating") > 3) } == .conditionFailed)
        try await store.save(Post(id: "p", title: "t", rating: 5, blog: blog))
        try await store.save(renamed, where: field("posts.rating") > 3)
        #expect(try await store.query(Blog.self, byId: "b")?.name == "new")
    }

    @Test func theRelatedRecordIsAsItWasFoundWhenTheSaveIsCommitted() async throws {
        let other = Mutex<DataStore?>(nil)
        let adapter = InterceptedAdapter(MinimalAdapter()) { attempt, request in
            guard attempt == 3, let store = other.withLock(\.self) else { return }
            do {
                try await store.save(Sender(id: "s", home: Station(city: "moved")))
            } catch {
                Issue.record(error)
            }
        }
        let store = try await Self.depot(adapter)
        other.withLock { $0 = store }
        let condition = field("sender.home.city") == "a"
        let parcel = Parcel(id: "p", weight: 9, sender: Sender(id: "s"))
        #expect(await refusal { try await store.save(parcel, where: condition) } == .conditionFailed)
        #expect(try await store.query(Parcel.self, byId: "p")?.weight == 1)
    }
}
