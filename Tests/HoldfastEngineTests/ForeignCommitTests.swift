#if SQLite
import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastSQLite
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// What other handles and processes commit reaches observers through the adapter's change feed.
struct ForeignCommitTests {
    private let directory = TemporaryDirectory()

    /// A handle on the store of this test.
    private func handle(changeLogCommitCount: Int? = nil) async throws -> DataStore {
        try await adapter(changeLogCommitCount).dataStore()
    }

    private func adapter(_ changeLogCommitCount: Int? = nil) -> SQLiteAdapter {
        var configuration = SQLiteConfiguration(.file(directory.file()), busyTimeout: .seconds(600))
        if let changeLogCommitCount { configuration.changeLogCommitCount = changeLogCommitCount }
        return SQLiteAdapter(configuration)
    }

    private func isMissed(_ error: any Error) -> Bool { (error as? StorageError)?.kind == .changesMissed }

    @Test(arguments: [false, true])
    func liveQueriesShowWhatAnotherHandleCommits(isRelated: Bool) async throws {
        let (store, other) = (try await handle(), try await handle())
        let predicate: any QueryPredicate = isRelated ? field("blog.name") == nil : Post.keys.rating == nil
        var live = try store.observeQuery(Post.self, where: predicate).makeAsyncIterator()
        #expect(try await live.next()?.items.isEmpty == true)
        try await other.save(Post(id: "a", title: "old"))
        #expect(try await live.next()?.items.map(\.title) == ["old"])
        try await other.save(Post(id: "a", title: "new"))
        #expect(try await live.next()?.items.map(\.title) == ["new"])
        try await store.save(Post(id: "b", title: "own"))
        #expect(try await live.next()?.items.map(\.id) == ["a", "b"])
        try await other.delete(Post.self, withId: "a")
        #expect(try await live.next()?.items.map(\.id) == ["b"])
        try await store.close()
        try await other.close()
    }

    /// Of a parent that another handle changes, only the key is known.
    @Test(arguments: [false, true])
    func liveQueriesShowTheParentsThatAnotherHandleCommits(isRelated: Bool) async throws {
        let (store, other) = (try await adapter().graphStore(), try await adapter().graphStore())
        try await store.save(House("h", name: "old"))
        try await store.save(Room("r", house: House("h")))
        let predicate: any QueryPredicate = isRelated ? field("house.name") != "" : Room.CodingKeys.id != ""
        var live = try store.observeQuery(Room.self, where: predicate).makeAsyncIterator()
        #expect(try await live.next()?.items.map(\.house.name) == ["old"])
        try await other.save(House("h", name: "new"))
        #expect(try await live.next()?.items.map(\.house.name) == ["new"])
        try await other.save(House("unrelated"))
        try await other.save(Room("s", house: House("h")))
        #expect(try await live.next()?.items.map(\.house.name) == ["new", "new"])
        try await other.delete(House.self, withId: "h")
        #expect(try await live.next()?.items.isEmpty == true)
        try await store.close()
        try await other.close()
    }

    /// The records of a commit are read later than the commit is reported.
    @Test func aLiveQueryShowsNoPartOfALaterCommit() async throws {
        let step = Mutex<(@Sendable () async -> Void)?>(nil)
        let intercepted = InterceptedAdapter(adapter(), beforeSnapshot: { await step.exchange(nil)?() })
        let (store, other) = (try await intercepted.dataStore(), try await handle())
        try await store.save(["a", "b", "c"].map { Post(id: $0, title: "", rating: 100) })
        var live = try store.observeQuery(Post.self).makeAsyncIterator()
        #expect(try await live.next()?.items.count == 3)
        let move: @Sendable (String, String) async throws -> Void = { from, to in
            try await other.transaction { transaction in
                for (id, amount) in [(from, -10), (to, 10)] {
                    guard var post = try await transaction.query(Post.self, byId: id) else { continue }
                    post.rating = (post.rating ?? 0) + amount
                    try await transaction.save(post)
                }
            }
        }
        try await move("a", "b")
        step.store { try? await move("a", "c") }
        var newest: [Int] = []
        while newest != [80, 110, 110], let snapshot = try await live.next() {
            newest = snapshot.items.compactMap(\.rating)
            #expect(newest.reduce(0, +) == 300)
        }
        try await store.close()
        try await other.close()
    }

    @Test func aLiveQueryReadsManyCommitsAtOnce() async throws {
        let snapshotCount = Mutex(0)
        let intercepted = InterceptedAdapter(adapter(), beforeSnapshot: { snapshotCount.increment() })
        let (store, other) = (try await intercepted.dataStore(), try await handle())
        var live = try store.observeQuery(Post.self).makeAsyncIterator()
        #expect(try await live.next()?.items.isEmpty == true)
        let reported = store.publisher.subscribe(to: "Post")
        for number in 0..<100 { try await other.save(Post(id: "\(number)", title: "")) }
        while reported.rowCount < 100 { try await Task.sleep(for: .milliseconds(10)) }
        snapshotCount.store(0)
        #expect(try await live.next()?.items.count == 100)
        #expect(snapshotCount.load() == 1)
        try await store.close()
        try await other.close()
    }

    @Test(arguments: [false, true])
    func whatAnotherHandleClearsIsNotSynchronized(isRelated: Bool) async throws {
        let (store, other) = (try await handle(), try await handle())
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        try await store.save(Post(id: "a", title: ""))
        store.markSynced("Post", fence)
        let predicate: any QueryPredicate = isRelated ? field("blog.name") == nil : Post.keys.rating == nil
        var live = try store.observeQuery(Post.self, where: predicate).makeAsyncIterator()
        #expect(try await live.next()?.isSynced == true)
        try await other.clear()
        let cleared = try #require(try await live.next())
        #expect(cleared.items.isEmpty && !cleared.isSynced)
        // A session that reads all again says so once more.
        let next = try #require(try await store.claim("here", until: 10, now: 0))
        store.markSynced("Post", next)
        #expect(try await live.next()?.isSynced == true)
        try await store.close()
        try await other.close()
    }

    @Test func observersReceiveCommitsOfAnotherHandle() async throws {
        let (store, other) = (try await handle(), try await handle())
        var changes = try store.observe(Post.self).makeAsyncIterator()
        try await other.save(Post(id: "a", title: "theirs"))
        let first = try await changes.next()
        #expect(first?.kind == .updated && first?.model.title == "theirs")
        // Each own commit is observed once, though the feed has it, too.
        try await store.save(Post(id: "a", title: "own"))
        try await store.delete(Post.self, withId: "a")
        #expect(try await changes.next()?.model.title == "own")
        #expect(try await changes.next()?.kind == .deleted)
        // Only the key is known of what another handle deletes.
        try await store.save(Post(id: "b", title: ""))
        #expect(try await changes.next()?.kind == .created)
        try await other.delete(Post.self, withId: "b")
        await #expect { _ = try await changes.next() } throws: { isMissed($0) }
        try await other.save(Post(id: "c", title: ""))
        #expect(try await changes.next()?.model.id == "c")
        try await store.close()
        #expect(try await changes.next() == nil)
        try await other.close()
    }

    /// The feed also reports the commits of the handle that reads it, which must not be observed twice.
    @Test func everyCommitIsObservedOnceWhileBothHandlesSave() async throws {
        let (store, other) = (try await handle(), try await handle())
        let changes = try store.observe(Post.self)
        let count = 300
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (handle, name) in [(store, "own"), (other, "theirs")] {
                group.addTask {
                    for number in 0..<count { try await handle.save(Post(id: "\(name) \(number)", title: "")) }
                }
            }
            try await group.waitForAll()
        }
        var kinds: [String: [ChangeKind]] = [:]
        for try await change in changes {
            kinds[change.model.id, default: []].append(change.kind)
            if kinds.count == 2 * count { break }
        }
        let areOwnCreated = (0..<count).allSatisfy { kinds["own \($0)"] == [.created] }
        let areTheirsUpdated = (0..<count).allSatisfy { kinds["theirs \($0)"] == [.updated] }
        #expect(areOwnCreated && areTheirsUpdated)
        try await store.close()
        try await other.close()
    }

    @Test func aGapInTheFeedIsQueriedAgain() async throws {
        let store = try await handle(changeLogCommitCount: 1)
        var live = try store.observeQuery(Post.self).makeAsyncIterator()
        #expect(try await live.next()?.items.isEmpty == true)
        // Past the publisher, as another handle would commit.
        let entity = try store.catalog.entity(of: Post.self)
        for number in 0..<50 {
            let row = try Post(id: "\(number)", title: "").row()
            _ = try await store.store.commit(
                CommitRequest(operations: [.put(entity: entity.name, rows: row, mode: .upsert)]))
        }
        var count = 0
        while count < 50, let snapshot = try await live.next() { count = snapshot.items.count }
        #expect(count == 50)
        try await store.close()
    }

    @Test func aReceiptSettlesWhileAnotherHandleSends() async throws {
        let world = ManualSurroundings()
        let store = try await adapter().dataStore(DataStoreOptions(surroundings: world.surroundings))
        let other = try await handle()
        let post = Post(id: "a", title: "x")
        let receipt = try await store.saveWithReceipt(post)
        let end = Task { try await receipt.settled() }
        await world.waitForSleeper(within: .seconds(1))
        let fence = try #require(try await other.claim("other", until: 10, now: 0))
        let taken = try await other.take(8, fence)
        let row = Array(try post.row()[0])
        let remote = RemoteRecord(key: RecordKey("a"), row: row, version: 1, lastChangedAt: 1)
        _ = try await other.settle([.accepted(taken[0].id, remote)], fence)
        world.advance(.seconds(1))
        #expect(try await end.value == .confirmed(version: 1))
        let unsent = try await store.saveWithReceipt(Post(id: "b", title: "x"))
        let cancelled = Task { try await unsent.settled() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let closed = Task { try await unsent.settled() }
        await world.waitForSleeper(within: .seconds(1))
        try await store.close()
        await #expect { try await closed.value } throws: { ($0 as? StorageError)?.kind == .closed }
        try await other.close()
    }

    @Test(arguments: EngineAdapter.all)
    func refreshingDeliversChangesThatNoFeedReports(adapter: EngineAdapter) async throws {
        let store = try await adapter.open(DataStoreOptions(observesOtherHandles: false))
        var live = try store.observeQuery(Post.self).makeAsyncIterator()
        var changes = try store.observe(Post.self).makeAsyncIterator()
        #expect(try await live.next()?.items.isEmpty == true)
        let entity = try store.catalog.entity(of: Post.self)
        _ = try await store.store.commit(
            CommitRequest(
                operations: [.put(entity: entity.name, rows: try Post(id: "a", title: "").row(), mode: .upsert)]))
        store.refresh()
        #expect(try await live.next()?.items.map(\.id) == ["a"])
        await #expect { _ = try await changes.next() } throws: { isMissed($0) }
    }

    /// Without a log there is nothing to read, and a store that cannot be written gets none.
    @Test func aStoreThatCannotBeWrittenOpensWithoutALog() async throws {
        let made = try await handle(changeLogCommitCount: 0)
        try await made.save(Post(id: "a", title: ""))
        try await made.close()
        let configuration = SQLiteConfiguration(.file(directory.file()), isReadOnly: true)
        let store = try await SQLiteAdapter(configuration).dataStore()
        #expect(try await store.query(Post.self).map(\.id) == ["a"])
        try await store.close()
    }

    /// A store that is dropped without being closed is not kept open by the reader of its feed.
    @Test func aDroppedStoreEndsItsReader() async throws {
        weak var adapter: SQLiteAdapter?
        do {
            let made = self.adapter()
            adapter = made
            _ = try await made.dataStore()
        }
        while adapter != nil { await Task.yield() }
    }
}
#endif
