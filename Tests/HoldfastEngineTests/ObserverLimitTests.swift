import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// What happens to observers that do not keep up, or are used in ways that cannot work.
struct ObserverLimitTests {
    private let options = DataStoreOptions(recordsMutations: false)

    /// More records than a subscription keeps.
    private func overflow(_ store: DataStore) async throws {
        for batch in 0..<53 { try await store.save((0..<1_000).map { Post(id: "\(batch).\($0)", title: "") }) }
    }

    @Test func anObserverThatMissedChangesGetsAnErrorAndContinues() async throws {
        let store = try await EngineAdapter.memory.open(options)
        let changes = try store.observe(Post.self)
        let all = try store.observe()
        try await overflow(store)
        var iterator = changes.makeAsyncIterator()
        await #expect { _ = try await iterator.next() } throws: { ($0 as? StorageError)?.kind == .changesMissed }
        try await store.save(Post(id: "next", title: ""))
        #expect(try await iterator.next()?.model.id == "next")
        var everything = all.makeAsyncIterator()
        await #expect { _ = try await everything.next() } throws: { ($0 as? StorageError)?.kind == .changesMissed }
    }

    @Test(arguments: [false, true])
    func aLiveQueryThatMissedChangesQueriesAgain(isRelated: Bool) async throws {
        let store = try await EngineAdapter.memory.open(options)
        let predicate: any QueryPredicate = isRelated ? field("blog.name") == nil : Post.keys.rating == nil
        var live = try store.observeQuery(Post.self, where: predicate).makeAsyncIterator()
        #expect(try await live.next()?.items.isEmpty == true)
        try await overflow(store)
        #expect(try await live.next()?.items.count == 53_000)
        try await store.save(Post(id: "next", title: ""))
        #expect(try await live.next()?.items.count == 53_001)
    }

    /// The other records of a commit's deletions are kept for observers only whose models hold their parents.
    @Test func deletedRecordsComeOnlyToObserversThatNeedThem() async throws {
        let store = try await EngineAdapter.memory.open(options)
        let plain = store.publisher.subscribe(to: "Post")
        let needing = store.publisher.subscribe(to: ["Post"], readsRelatedRecords: true)
        let blog = Blog(id: "b", name: "")
        try await store.save(blog)
        try await store.save(Post(id: "p", title: "", blog: blog))
        try await store.delete(blog)
        #expect(try await plain.next()?.allSatisfy { $0.deletedTogether == nil } == true)
        let deleted = try #require(try await needing.next()?.last?.deletedTogether)
        #expect(deleted.rows(of: "Blog", by: [0], [RecordKey("b")])?.rowCount == 1)
        #expect(deleted.rows(of: "Post", by: [0], [RecordKey("p")])?.rowCount == 1)
    }

    @Test func aSecondIterationFailsWhileTheFirstExists() async throws {
        let store = try await EngineAdapter.memory.open(options)
        let changes = try store.observe(Post.self)
        do {
            var first = changes.makeAsyncIterator()
            try await store.save(Post(id: "a", title: ""))
            #expect(try await first.next()?.model.id == "a")
            var second = changes.makeAsyncIterator()
            await #expect { _ = try await second.next() } throws: { ($0 as? StorageError)?.kind == .misuse }
            try await store.save(Post(id: "b", title: ""))
            #expect(try await first.next()?.model.id == "b")
        }
        try await store.save(Post(id: "c", title: ""))
        var third = changes.makeAsyncIterator()
        #expect(try await third.next()?.model.id == "c")
    }

    @Test(arguments: EngineAdapter.all)
    func oneUnreadableRecordDoesNotEndAnObservation(adapter: EngineAdapter) async throws {
        let store = try await adapter.open(options)
        let entity = try store.catalog.entity(of: Post.self)
        let changes = try store.observe(Post.self)
        try await store.save(Post(id: "a", title: ""))
        _ = try await store.engine.save(unreadable("b", in: store), of: entity)
        try await store.save(Post(id: "c", title: ""))
        var iterator = changes.makeAsyncIterator()
        #expect(try await iterator.next()?.model.id == "a")
        await #expect(throws: ModelError.self) { _ = try await iterator.next() }
        #expect(try await iterator.next()?.model.id == "c")
    }

    /// A post with a status that this version of the application does not know.
    private func unreadable(_ id: String, in store: DataStore) throws -> RowBuffer {
        var row = try Post(id: id, title: "").row()
        let column = try #require(try store.catalog.entity(of: Post.self).position(of: "status"))
        row.set(.text("ARCHIVED"), row: 0, column: column)
        return row
    }

    @Test(arguments: EngineAdapter.all)
    func anIterationContinuesInTheCommitInWhichTheLastOneEnded(adapter: EngineAdapter) async throws {
        let store = try await adapter.open(options)
        let changes = try store.observe(Post.self)
        let all = try store.observe()
        var rows = try Post(id: "a", title: "").row()
        rows.append(contentsOf: try unreadable("b", in: store))
        for id in ["c", "d"] { rows.append(contentsOf: try Post(id: id, title: "").row()) }
        _ = try await store.engine.save(rows, of: try store.catalog.entity(of: Post.self))
        try await store.close()
        var seen: [String] = []
        await #expect(throws: ModelError.self) { for try await change in changes { seen.append(change.model.id) } }
        for try await change in changes {
            seen.append(change.model.id)
            break
        }
        for try await change in changes { seen.append(change.model.id) }
        #expect(seen == ["a", "c", "d"])
        await #expect(throws: ModelError.self) { for try await _ in all {} }
        var rest: [String] = []
        for try await change in all { rest.append(change.model.identifier) }
        #expect(rest == ["c", "d"])
    }
}
