import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct DeadLetterTests {
    /// A store with a post at version 1 whose new title the service has refused.
    func refused(_ adapter: EngineAdapter) async throws -> DataStore {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let row = Array(try Post(id: "a", title: "x", rating: 1).row()[0])
        let remote = RemoteRecord(key: RecordKey("a"), row: row, version: 1, lastChangedAt: 1)
        _ = try await store.apply(RemoteBatch(model: "Post", records: [remote]), fence)
        try await store.save(Post(id: "a", title: "y", rating: 1))
        let taken = try await store.take(8, fence)
        let report = try await store.settle(
            [.refused(taken[0].id, errorType: "Unauthorized", message: "no", remote: nil)], fence)
        #expect(report.deadLetters.count == 1 && report.changes.map(\.kind) == [.updated])
        return store
    }

    @Test(arguments: EngineAdapter.all)
    func aRefusedChangeIsUndoneAndKept(adapter: EngineAdapter) async throws {
        let store = try await refused(adapter)
        #expect(try await store.query(Post.self).map(\.title) == ["x"])
        let letters = try await store.deadLetters()
        #expect(letters.map(\.payload) == [#"{"title":"y"}"#] && letters.map(\.before) == [#"{"title":"x"}"#])
        #expect(letters.map(\.errorType) == ["Unauthorized"] && letters.map(\.message) == ["no"])
        #expect(try await store.outboxStatus() == OutboxStatus(entryCount: 0, deadLetterCount: 1))
        #expect(try await store.deadLetters(limit: 0).isEmpty)
    }

    @Test(arguments: EngineAdapter.all)
    func aLetterIsTriedAgainOnce(adapter: EngineAdapter) async throws {
        let store = try await refused(adapter)
        try await store.save(Post(id: "a", title: "x", rating: 9))
        let letter = try #require(try await store.deadLetters().first)
        #expect(try await store.retry(letter))
        #expect(try await store.query(Post.self).map { "\($0.title) \($0.rating ?? 0)" } == ["y 9"])
        #expect(try await store.outboxEntries().map(\.changedFields) == [["title", "rating"]])
        #expect(try await store.deadLetters().isEmpty)
        #expect(try await !store.retry(letter))
        #expect(try await !store.discard(letter))
    }

    @Test(arguments: EngineAdapter.all)
    func aLetterIsEditedOrDiscarded(adapter: EngineAdapter) async throws {
        let store = try await refused(adapter)
        let letter = try #require(try await store.deadLetters().first)
        #expect(try await store.retry(letter, as: Post(id: "a", title: "edited", rating: 1)))
        #expect(try await store.query(Post.self).map(\.title) == ["edited"])
        let other = try await refused(adapter)
        #expect(try await other.discard(try #require(try await other.deadLetters().first)))
        #expect(try await other.query(Post.self).map(\.title) == ["x"])
        #expect(try await other.outboxStatus() == OutboxStatus(entryCount: 0, deadLetterCount: 0))
    }

    @Test(arguments: EngineAdapter.all)
    func someFieldsOfARecordThatIsGoneCannotBeSaved(adapter: EngineAdapter) async throws {
        let store = try await refused(adapter)
        try await store.delete(Post.self, withId: "a")
        let letter = try #require(try await store.deadLetters().first)
        await #expect { try await store.retry(letter) } throws: { ($0 as? ModelError)?.kind == .conditionFailed }
        #expect(try await store.deadLetters() == [letter])
    }

    @Test(arguments: EngineAdapter.all)
    func theOutboxIsObserved(adapter: EngineAdapter) async throws {
        let store = try await refused(adapter)
        var states = store.observeOutbox().makeAsyncIterator()
        #expect(try await states.next() == OutboxStatus(entryCount: 0, deadLetterCount: 1))
        #expect(try await store.isOutboxEmpty())
        try await store.save(Post(id: "b", title: ""))
        #expect(try await !store.isOutboxEmpty())
        #expect(try await states.next() == OutboxStatus(entryCount: 1, deadLetterCount: 1))
        try await store.discard(try #require(try await store.deadLetters().first))
        #expect(try await states.next() == OutboxStatus(entryCount: 1, deadLetterCount: 0))
        try await store.clear()
        #expect(try await states.next()?.isEmpty == true)
        try await store.close()
        #expect(try await states.next() == nil)
    }

    /// A change that is saved and gone before anyone looks leaves the numbers as they were.
    @Test(arguments: EngineAdapter.all)
    func theOutboxIsObservedCommitByCommit(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        var states = store.observeOutbox(repeats: true).makeAsyncIterator()
        #expect(try await states.next()?.isEmpty == true)
        try await store.save(Post(id: "b", title: ""))
        try await store.delete(Post.self, withId: "b")
        #expect(try await states.next()?.isEmpty == true)
        try await store.close()
    }

    // MARK: - Updating

    @Test(arguments: EngineAdapter.all)
    func anUpdateChangesTheNewestRecordOnly(adapter: EngineAdapter) async throws {
        let store = try await refused(adapter)
        try await store.save(Post(id: "a", title: "theirs", rating: 1))
        try await store.sendOutbox()
        let updated = try await store.update(Post.self, "a") { $0.rating = 5 }
        #expect(updated?.title == "theirs" && updated?.rating == 5)
        #expect(try await store.outboxEntries().map(\.changedFields) == [["rating"]])
        #expect(try await store.update(Post.self, RecordKey("a")) { $0.rating = nil }?.rating == nil)
        #expect(try await store.update(Post.self, "none") { $0.rating = 5 } == nil)
        let old = Post(id: "a", title: "old", rating: 1)
        let saved = try await store.save(Post(id: "a", title: "old", rating: 7), from: old)
        #expect(saved?.title == "theirs" && saved?.rating == 7)
        #expect(try await store.query(Post.self).map { "\($0.title) \($0.rating ?? 0)" } == ["theirs 7"])
        #expect(try await store.outboxEntries().map(\.changedFields) == [["rating"]])
        #expect(try await store.save(old, from: old)?.rating == 7)
        #expect(try await store.save(Post(id: "none", title: "x"), from: Post(id: "none", title: "y")) == nil)
        await #expect { try await store.save(Post(id: "b", title: ""), from: old) } throws: {
            ($0 as? ModelError)?.kind == .conditionFailed
        }
        await #expect { try await store.update(Post.self, "a") { $0 = Post(id: "b", title: "") } } throws: {
            ($0 as? ModelError)?.kind == .conditionFailed
        }
        #expect(try await store.query(Post.self).map(\.id) == ["a"])
    }
}
