import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

struct LiveQueryTests {
    typealias Snapshots = LiveQuery<Post>.Iterator

    func ids(_ snapshot: QuerySnapshot<Post>?) -> String? { snapshot.map { $0.items.map(\.id).joined() } }

    func open(_ adapter: EngineAdapter) async throws -> (DataStore, Snapshots) {
        let store = try await adapter.open()
        try await store.save([Post(id: "a", title: "", rating: 5), Post(id: "x", title: "", rating: 1)])
        let live = try store.observeQuery(
            Post.self, where: Post.keys.rating > 3, sort: .descending(Post.keys.rating))
        return (store, live.makeAsyncIterator())
    }

    @Test(arguments: EngineAdapter.all)
    func aRecordThatEntersChangesOrLeavesYieldsASnapshot(adapter: EngineAdapter) async throws {
        var (store, live) = try await open(adapter)
        #expect(ids(try await live.next()) == "a")
        try await store.save(Post(id: "b", title: "", rating: 9))
        #expect(ids(try await live.next()) == "ba")
        try await store.save(Post(id: "a", title: "", rating: 10))
        #expect(ids(try await live.next()) == "ab")
        try await store.save(Post(id: "a", title: "", rating: 2))
        #expect(ids(try await live.next()) == "b")
        try await store.save(Post(id: "x", title: "", rating: 4))
        #expect(ids(try await live.next()) == "bx")
        try await store.delete(Post.self, withId: "b")
        #expect(ids(try await live.next()) == "x")
        try await store.delete(Post.self, where: QueryPredicateConstant.all)
        #expect(ids(try await live.next()) == "")
    }

    /// A service with a newer schema has sent a value that this application does not know.
    @Test(arguments: EngineAdapter.all)
    func aRecordThatCannotBeReadIsReportedOnceAndLeftOut(adapter: EngineAdapter) async throws {
        var (store, live) = try await open(adapter)
        #expect(ids(try await live.next()) == "a")
        var row = Array(try Post(id: "n", title: "", rating: 7, status: .draft).row()[0])
        let status = try #require(Post.schema.columns.firstIndex(of: "status"))
        row[status] = .text("HELD")
        _ = try await store.store.commit(
            CommitRequest(operations: [.put(entity: "Post", rows: RowBuffer(row: row), mode: .upsert)]))
        store.refresh()
        await #expect { try await live.next() } throws: { ($0 as? ModelError)?.kind == .decodingFailed }
        #expect(ids(try await live.next()) == "a")
        try await store.save(Post(id: "b", title: "", rating: 9))
        #expect(ids(try await live.next()) == "ba")
        await #expect { try await store.query(Post.self) } throws: { ($0 as? ModelError)?.kind == .decodingFailed }
    }

    @Test(arguments: EngineAdapter.all)
    func commitsThatDoNotTouchTheResultYieldNothing(adapter: EngineAdapter) async throws {
        var (store, live) = try await open(adapter)
        #expect(ids(try await live.next()) == "a")
        try await store.save(Post(id: "x", title: "changed", rating: 1))
        try await store.save(Post(id: "y", title: "", rating: nil))
        try await store.delete(Post.self, withId: "x")
        try await store.save(Blog(id: "a", name: ""))
        try await store.close()
        #expect(ids(try await live.next()) == nil)
    }

    /// The changes of the page wait for an older commit that has not ended, and the model is marked meanwhile.
    @Test(arguments: EngineAdapter.all)
    func aModelIsSynchronizedTogetherWithTheRecordsOfItsLastPage(adapter: EngineAdapter) async throws {
        let (reached, gate) = (Gate(), Gate())
        let store = try await InterceptedAdapter(adapter.make(), pausingAt: "Blog", reached, until: gate).dataStore()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        var live = try store.observeQuery(Post.self).makeAsyncIterator()
        #expect(try await live.next()?.isSynced == false)
        let saving = Task { try await store.save(Blog(id: "b", name: "")) }
        await reached.wait()
        let post = Post(id: "p", title: "")
        let record = RemoteRecord(key: RecordKey("p"), row: Array(try post.row()[0]), version: 1, lastChangedAt: 1)
        _ = try await store.apply(RemoteBatch(model: "Post", records: [record]), fence)
        store.markSynced("Post", fence)
        let snapshot = try #require(try await live.next())
        #expect(snapshot.isSynced && snapshot.items.map(\.id) == ["p"])
        gate.open()
        _ = try await saving.value
        try await store.close()
        #expect(try await live.next() == nil)
    }

    @Test(arguments: EngineAdapter.all)
    func manyCommitsYieldOneSnapshotTheNewest(adapter: EngineAdapter) async throws {
        var (store, live) = try await open(adapter)
        #expect(ids(try await live.next()) == "a")
        for number in 4...9 { try await store.save(Post(id: "\(number)", title: "", rating: number)) }
        #expect(ids(try await live.next()) == "98765a4")
        try await store.save(Post(id: "n", title: "", rating: 99))
        #expect(try await live.next()?.items.count == 8)
    }

    @Test(arguments: EngineAdapter.all)
    func changesLeftWhenTheStoreClosesAreTheLastSnapshot(adapter: EngineAdapter) async throws {
        var (store, live) = try await open(adapter)
        #expect(ids(try await live.next()) == "a")
        try await store.save(Post(id: "b", title: "", rating: 9))
        try await store.close()
        #expect(ids(try await live.next()) == "ba")
        #expect(try await live.next() == nil)
        #expect(try await live.next() == nil)
    }

    @Test(arguments: EngineAdapter.all)
    func cancellingTheConsumingTaskEndsTheQueryWithoutAnError(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let query = try store.observeQuery(Post.self)
        let gate = Gate()
        let consumer = Task {
            var count = 0
            for try await _ in query {
                count += 1
                gate.open()
            }
            return count
        }
        await gate.wait()
        consumer.cancel()
        #expect(try await consumer.value == 1)
        let late = Task {
            var live = query.makeAsyncIterator()
            await gate.wait()
            return try await live.next() == nil
        }
        late.cancel()
        #expect(try await late.value)
    }

    @Test(arguments: EngineAdapter.all)
    func snapshotsAreNeverOlderThanACommitSeenBefore(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let live = try store.observeQuery(Post.self)
        async let writing: Void = {
            for number in 0..<60 { try await store.save(Post(id: "\(100 + number)", title: "")) }
        }()
        var iterator = live.makeAsyncIterator()
        var last = -1
        while last < 60, let snapshot = try await iterator.next() {
            #expect(snapshot.items.count >= last)
            last = snapshot.items.count
        }
        try await writing
        #expect(last == 60)
    }

    /// A change was taken, and the query after it fails once, or its task is cancelled.
    @Test(arguments: [false, true], [StorageError.Kind.busy, .cancelled])
    func aFailedReadIsRepeated(isRelated: Bool, failure: StorageError.Kind) async throws {
        let isFailing = Mutex(false)
        let adapter = InterceptedAdapter(
            EngineAdapter.memory.make(),
            beforeSnapshot: { () throws(StorageError) in
                if isFailing.load() { throw StorageError(failure, "The store cannot be read now.") }
            })
        let store = try await adapter.dataStore()
        try await store.save(Blog(id: "b", name: "n"))
        let predicate: any QueryPredicate = isRelated ? field("blog.name") == "n" : Post.keys.title == "new"
        var live = try store.observeQuery(Post.self, where: predicate).makeAsyncIterator()
        var outbox = store.observeOutbox().makeAsyncIterator()
        #expect(try await live.next()?.items.isEmpty == true)
        #expect(try await outbox.next()?.entryCount == 1)
        try await store.save(Post(id: "p", title: "new", blog: Blog(id: "b", name: "n")))
        store.refresh()
        isFailing.store(true)
        if failure == .cancelled {
            #expect(try await live.next() == nil)
            #expect(try await outbox.next() == nil)
        } else {
            await #expect(throws: StorageError.self) { _ = try await live.next() }
            await #expect(throws: StorageError.self) { _ = try await outbox.next() }
        }
        isFailing.store(false)
        #expect(try await live.next()?.items.map(\.id) == ["p"])
        #expect(try await outbox.next()?.entryCount == 2)
        try await store.close()
    }
}
