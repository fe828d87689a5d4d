import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// An adapter with a small limit for commits, which notes the fields that queries ask for.
private final class NarrowAdapter: StorageAdapter {
    let asked = Mutex<[String: Set<String>]>([:])
    let commits = Mutex<[Int]>([])
    private let base: any StorageAdapter

    init(_ base: any StorageAdapter) { self.base = base }

    var capabilities: Capabilities {
        var capabilities = base.capabilities
        capabilities.limits.commitRowCount = 20
        return capabilities
    }
    func open(_ request: OpenRequest) async throws(StorageError) { try await base.open(request) }
    func close() async throws(StorageError) { try await base.close() }
    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        let receipt = try await base.commit(request)
        if receipt.deletedCount > 0 { commits.withLock { $0.append(receipt.deletedCount) } }
        return receipt
    }
    func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        NarrowSnapshot(base: try await base.snapshot(), adapter: self)
    }

    /// The fields of an entity that were asked for since the last call.
    func fields(of entity: String) -> [String] {
        asked.withLock { asked in
            defer { asked[entity] = nil }
            return (asked[entity] ?? []).sorted()
        }
    }
}

private struct NarrowSnapshot: AdapterSnapshot {
    let base: any AdapterSnapshot
    let adapter: NarrowAdapter

    var sequence: UInt64 { base.sequence }
    func close() async { await base.close() }
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        adapter.asked.withLock { _ = $0[request.entity, default: []].insert("all by key") }
        try await base.get(request, into: &rows)
    }
    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan { try await base.scan(range) }
    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        let fields = query.projection.map { query.entity.fields[$0].name }
        adapter.asked.withLock { $0[query.entity.name, default: []].formUnion(fields) }
        return try await base.query(query)
    }
    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        try await base.aggregate(aggregate)
    }
}

struct DeletingManyTests {
    private let options = DataStoreOptions(recordsMutations: false)

    private func library(_ adapter: any StorageAdapter, posts: Int) async throws -> DataStore {
        let store = try await adapter.dataStore(options)
        let blog = Blog(id: "b", name: "")
        try await store.save(blog)
        for number in 0..<posts { try await store.save(Post(id: "\(number)", title: "t", rating: 1, blog: blog)) }
        return store
    }

    @Test(arguments: EngineAdapter.all)
    func keysAloneAreReadUnlessTheRecordsAreObserved(adapter: EngineAdapter) async throws {
        let narrow = NarrowAdapter(adapter.make())
        let store = try await library(narrow, posts: 3)
        _ = narrow.fields(of: "Post")
        #expect(try await store.delete(Post.self, where: Post.keys.id == "0") == 1)
        #expect(narrow.fields(of: "Post") == ["id"])
        // A live query goes by keys, an observer does not.
        var live = try store.observeQuery(Post.self).makeAsyncIterator()
        #expect(try await live.next()?.items.map(\.id) == ["1", "2"])
        _ = narrow.fields(of: "Post")
        #expect(try await store.delete(Post.self, where: Post.keys.id == "1") == 1)
        #expect(narrow.fields(of: "Post") == ["id"])
        #expect(try await live.next()?.items.map(\.id) == ["2"])
        var changes = try store.observe(Post.self).makeAsyncIterator()
        #expect(try await store.delete(Post.self, where: Post.keys.id == "2") == 1)
        #expect(narrow.fields(of: "Post").contains("title"))
        #expect(try await changes.next()?.model.title == "t")
    }

    @Test(arguments: EngineAdapter.all)
    func ofChildrenTheKeysAreReadThatLeadToTheirParents(adapter: EngineAdapter) async throws {
        let narrow = NarrowAdapter(adapter.make())
        let store = try await library(narrow, posts: 3)
        _ = (narrow.fields(of: "Post"), narrow.fields(of: "Blog"))
        #expect(try await store.delete(Blog.self, where: QueryPredicateConstant.all) == 1)
        #expect(narrow.fields(of: "Blog") == ["id"])
        #expect(narrow.fields(of: "Post") == ["blogID", "id"])
        #expect(try await store.count(Post.self) == 0)
    }

    /// No record belongs to a post, so posts may be deleted in steps.
    @Test(arguments: EngineAdapter.all)
    func moreThanACommitTakesIsDeletedInSteps(adapter: EngineAdapter) async throws {
        let narrow = NarrowAdapter(adapter.make())
        let store = try await library(narrow, posts: 45)
        #expect(try await store.delete(Post.self, where: Post.keys.rating == 1) == 45)
        #expect(narrow.commits.withLock { $0 } == [20, 20, 5])
        #expect(try await store.count(Post.self) == 0)
    }

    /// Each has unsent changes with a condition, beside which the deletion has an entry of its own, or which go with it.
    @Test(arguments: EngineAdapter.all, [false, true])
    func stepsLeaveSpaceForTheOutbox(adapter: EngineAdapter, isSent: Bool) async throws {
        let store = try await NarrowAdapter(adapter.make()).dataStore()
        let ids = (0..<15).map { "\($0)" }
        for id in ids { try await store.save(Post(id: id, title: "s")) }
        if isSent { try await store.sendOutbox() }
        for id in ids {
            try await store.save(Post(id: id, title: "t"), where: Post.keys.title == "s")
            try await store.save(Post(id: id, title: "u"), where: Post.keys.title == "t")
        }
        #expect(try await store.delete(Post.self, where: Post.keys.title == "u") == 15)
        #expect(try await store.count(Post.self) == 0)
    }

    @Test(arguments: EngineAdapter.all)
    func recordsWithChildrenAreDeletedInOneCommitOrNotAtAll(adapter: EngineAdapter) async throws {
        let narrow = NarrowAdapter(adapter.make())
        let store = try await library(narrow, posts: 45)
        await #expect { try await store.delete(Blog.self, where: QueryPredicateConstant.all) } throws: {
            ($0 as? StorageError)?.kind == .limitExceeded
        }
        #expect(try await store.count(Post.self) == 45)
    }
}
