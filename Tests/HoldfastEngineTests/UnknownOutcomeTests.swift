import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// An adapter that cannot say what became of some commits.
private final class DoubtfulAdapter: StorageAdapter {
    enum Fate { case applied, dropped }

    private let base: any StorageAdapter
    private let fate = Mutex<Fate?>(nil)

    init(_ base: any StorageAdapter) { self.base = base }

    /// What happens before the commit.
    private let beforeNext = Mutex<(@Sendable () -> Void)?>(nil)

    /// What becomes of the next commit, whose outcome is reported as unknown.
    func doubt(_ next: Fate, before action: (@Sendable () -> Void)? = nil) {
        fate.withLock { $0 = next }
        beforeNext.withLock { $0 = action }
    }

    var capabilities: Capabilities { base.capabilities }
    func open(_ request: OpenRequest) async throws(StorageError) { try await base.open(request) }
    func snapshot() async throws(StorageError) -> any AdapterSnapshot { try await base.snapshot() }
    func close() async throws(StorageError) { try await base.close() }
    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        let fate = fate.withLock { fate in
            defer { fate = nil }
            return fate
        }
        guard let fate else { return try await base.commit(request) }
        beforeNext.withLock { $0 }?()
        if fate == .applied { _ = try await base.commit(request) }
        throw StorageError(.connectionLost, "The connection was lost.", transaction: .outcomeUnknown)
    }
}

struct UnknownOutcomeTests {
    private func refused(_ call: () async throws -> Void) async {
        await #expect { try await call() } throws: {
            ($0 as? StorageError)?.transaction == .outcomeUnknown
        }
    }

    @Test(arguments: EngineAdapter.all)
    func observersReceiveWhatTheStoreShows(adapter: EngineAdapter) async throws {
        let doubtful = DoubtfulAdapter(adapter.make())
        let store = try await doubtful.dataStore()
        try await store.save([Post(id: "a", title: "old"), Post(id: "b", title: "old")])
        let changes = try store.observe(Post.self)
        doubtful.doubt(.applied)
        await refused { try await store.save(Post(id: "a", title: "new")) }
        doubtful.doubt(.dropped)
        await refused { try await store.save(Post(id: "b", title: "new")) }
        doubtful.doubt(.applied)
        await refused { try await store.delete(Post.self, withId: "b") }
        doubtful.doubt(.dropped)
        await refused { try await store.delete(Post.self, withId: "a") }
        try await store.save(Post(id: "end", title: ""))
        let delivered = try await store.collect(changes, until: "end").map {
            "\($0.kind) \($0.model.id) \($0.model.title)"
        }
        #expect(delivered == ["updated a new", "deleted b old"])
    }

    @Test(arguments: EngineAdapter.all)
    func observersReadAgainWhatMayHaveBeenCleared(adapter: EngineAdapter) async throws {
        let doubtful = DoubtfulAdapter(adapter.make())
        let store = try await doubtful.dataStore()
        try await store.save(Post(id: "a", title: "old"))
        var changes = try store.observe(Post.self).makeAsyncIterator()
        doubtful.doubt(.applied)
        await refused { try await store.clear() }
        try await store.save(Post(id: "end", title: ""))
        do {
            let change = try await changes.next()
            Issue.record("the change \(String(describing: change?.model)) came without the one before")
        } catch let error as StorageError {
            #expect(error.kind == .changesMissed)
        }
    }

    /// While they were deleted, no observer needed more than their keys.
    @Test(arguments: EngineAdapter.all)
    func observersThatComeLateReceiveAnErrorForWhatMayBeDeleted(adapter: EngineAdapter) async throws {
        let doubtful = DoubtfulAdapter(adapter.make())
        let store = try await doubtful.dataStore(DataStoreOptions(recordsMutations: false))
        try await store.save(Post(id: "a", title: "old"))
        let late = Mutex<ModelChanges<Post>?>(nil)
        doubtful.doubt(.applied) { late.store(try? store.observe(Post.self)) }
        await refused { try await store.delete(Post.self, where: Post.keys.id == "a") }
        try await store.save(Post(id: "end", title: ""))
        let observed = late.load()
        var changes = try #require(observed).makeAsyncIterator()
        await #expect { _ = try await changes.next() } throws: { ($0 as? StorageError)?.kind == .changesMissed }
    }

    @Test(arguments: EngineAdapter.all)
    func observersReceiveAnErrorIfRecordsMayHaveBeenHidden(adapter: EngineAdapter) async throws {
        let doubtful = DoubtfulAdapter(adapter.make())
        let store = try await doubtful.graphStore()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        func apply(_ model: some Model, isDeleted: Bool = false) async throws {
            let row: [Value]? = try isDeleted ? nil : Array(model.row()[0])
            let record = RemoteRecord(
                key: try model.recordKey(), row: row, version: isDeleted ? 2 : 1, lastChangedAt: 1)
            _ = try await store.apply(RemoteBatch(model: type(of: model).modelName, records: [record]), fence)
        }
        let house = House("h")
        try await apply(house)
        try await apply(Room("r", house: house))
        var rooms = try store.observe(Room.self).makeAsyncIterator()
        doubtful.doubt(.applied)
        await refused { try await apply(house, isDeleted: true) }
        try await apply(House("k"))
        try await apply(Room("s", house: House("k")))
        await #expect { _ = try await rooms.next() } throws: { ($0 as? StorageError)?.kind == .changesMissed }
    }

    @Test(arguments: EngineAdapter.all, [false, true])
    func liveQueriesQueryAgain(adapter: EngineAdapter, isRelated: Bool) async throws {
        let doubtful = DoubtfulAdapter(adapter.make())
        let store = try await doubtful.dataStore()
        let predicate: any QueryPredicate = isRelated ? field("blog.name") == nil : Post.keys.rating == nil
        var live = try store.observeQuery(Post.self, where: predicate).makeAsyncIterator()
        #expect(try await live.next()?.items.isEmpty == true)
        doubtful.doubt(.applied)
        await refused { try await store.save(Post(id: "a", title: "")) }
        #expect(try await live.next()?.items.map(\.id) == ["a"])
        doubtful.doubt(.dropped)
        await refused { try await store.save(Post(id: "b", title: "")) }
        try await store.save(Post(id: "c", title: ""))
        #expect(try await live.next()?.items.map(\.id) == ["a", "c"])
    }
}
