import HoldfastAdapterTestSupport
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

    /// The service merges twice: others have changed one field before the first answer, and the other one after it.
    @Test(arguments: EngineAdapter.all)
    func aChangeThatIsGivenUpInTwoPartsKeepsBothAlsoIfItWaitedInBetween(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        func remote(_ post: Post, _ version: Int64) throws -> RemoteRecord {
            RemoteRecord(
                key: RecordKey("a"), row: Array(try post.row()[0]), version: version, lastChangedAt: version)
        }
        func answer(_ post: Post, _ version: Int64) async throws {
            _ = try await store.take(8, fence)
            let id = try #require(try await store.unsettled().first).id
            _ = try await store.settle([.accepted(id, remote(post, version))], fence)
        }
        let known = try remote(Post(id: "a", title: "x", rating: 1), 1)
        _ = try await store.apply(RemoteBatch(model: "Post", records: [known]), fence)
        try await store.save(Post(id: "a", title: "y", rating: 1))
        _ = try await store.take(8, fence)
        try await store.save(Post(id: "a", title: "y", rating: 5, status: .published))
        try await answer(Post(id: "a", title: "y", rating: 7), 3)
        #expect(try await store.deadLetters().map(\.payload) == [#"{"rating":5}"#])
        try await answer(Post(id: "a", title: "y", rating: 7, status: .draft), 5)
        #expect(try await store.deadLetters().map(\.payload) == [#"{"rating":5,"status":"PUBLISHED"}"#])
        #expect(try await store.outboxEntries().isEmpty)
        try await store.close()
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
    func aLetterIsShownToTheUserWhoMadeTheChange(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let users: [String?] = [nil, "ann", "ben"]
        for (id, user) in zip(["a", "b", "c"], users) {
            store.setIdentity(user)
            try await store.save(Post(id: id, title: "x"))
            let taken = try await store.take(8, fence, identity: user)
            let outcomes = taken.map { MutationOutcome.refused($0.id, errorType: nil, message: nil, remote: nil) }
            #expect(try await store.settle(outcomes, fence).deadLetters.map(\.identity) == [user])
        }
        store.setIdentity(nil)
        var states = store.observeOutbox().makeAsyncIterator()
        #expect(try await store.deadLetters().map(\.key) == ["a"])
        #expect(try await states.next()?.deadLetterCount == 1)
        store.setIdentity("ben")
        let letters = try await store.deadLetters()
        #expect(letters.map(\.key) == ["a", "c"])
        #expect(try await store.deadLetters(limit: 2).map(\.key) == ["a", "c"])
        #expect(try await states.next()?.deadLetterCount == 2)
        #expect(try await store.explain(Post.self, "c").deadLetters.map(\.key) == ["c"])

        // Also in handles without a session.
        #expect(try await store.keepIdentity("ann", fence))
        try await store.release(fence)
        #expect(try await store.deadLetters().map(\.key) == ["a", "b"])
        #expect(try await store.explain(Post.self, "c").deadLetters.isEmpty)
        #expect(try await !store.retry(letters[1]))
        #expect(try await !store.retry(letters[1], as: Post(id: "c", title: "y")))
        #expect(try await !store.discard(letters[1]))
        #expect(try await store.query(Post.self).isEmpty)
        #expect(try await store.discard(letters[0]))
        store.setIdentity("ben")
        #expect(try await store.deadLetters() == [letters[1]])
        #expect(try await store.retry(letters[1]))
        #expect(try await store.outboxEntries().map(\.identity) == ["ben"])
        try await store.close()
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

    // MARK: - What the store cannot hold

    func remote(_ id: String, _ title: String, _ version: Int64) throws -> RemoteRecord {
        RemoteRecord(
            key: RecordKey(id), row: Array(try Post(id: id, title: title).row()[0]), version: version,
            lastChangedAt: version)
    }

    /// Changes of posts that were at version 1, taken to be sent.
    func taken(_ ids: [String], in store: DataStore, _ fence: SyncFence) async throws -> [OutgoingMutation.ID] {
        _ = try await store.apply(
            RemoteBatch(model: "Post", records: try ids.map { try remote($0, "old", 1) }), fence)
        for id in ids { try await store.save(Post(id: id, title: "mine")) }
        return try await store.take(8, fence).map(\.id)
    }

    @Test(arguments: EngineAdapter.all)
    func anOutcomeThatTheStoreCannotHoldStopsNoOther(adapter: EngineAdapter) async throws {
        let store = try await adapter.make().limitingTexts().dataStore()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let ids = try await taken(["a", "b", "c", "d", "e"], in: store, fence)
        // It waits for the answer.
        _ = try await store.apply(RemoteBatch(model: "Post", records: [try remote("e", "too long", 2)]), fence)
        let report = try await store.settle(
            [
                .accepted(ids[0], try remote("a", "too long", 2)),
                .retried(ids[1], on: try remote("b", "theirs", 2), row: try remote("b", "too long", 2).row),
                .refused(ids[2], errorType: "Unauthorized", message: "no", remote: try remote("c", "too long", 2)),
                .accepted(ids[3], try remote("d", "mine", 2)),
                .refused(ids[4], errorType: "ConflictUnhandled", message: nil, remote: try remote("e", "too long", 2)),
            ], fence)
        #expect(report.deadLetters.map(\.key) == ["b", "c", "e"])
        #expect(
            report.deadLetters.map(\.errorType) == ["storage.limit-exceeded", "Unauthorized", "ConflictUnhandled"])
        #expect(try await store.deadLetters().map(\.payload) == Array(repeating: #"{"title":"mine"}"#, count: 3))
        // What was wanted of b cannot be held, and what the service has of it can.
        #expect(try await store.query(Post.self).map(\.title) == ["mine", "theirs", "old", "mine", "old"])
        #expect(try await store.outboxCount() == 0)

        let later = try ["a", "b", "c", "d", "e"].map { try remote($0, "short", 3) }
        _ = try await store.apply(RemoteBatch(model: "Post", records: later), fence)
        #expect(try await store.query(Post.self).map(\.title) == Array(repeating: "short", count: 5))
    }

    @Test(arguments: EngineAdapter.all)
    func aStoreThatFailsForAMomentGivesNothingUp(adapter: EngineAdapter) async throws {
        let isBusy = Mutex(false)
        let store = try await InterceptedAdapter(adapter.make()) { _, _ async throws(StorageError) in
            if isBusy.withLock({ $0 }) { throw StorageError(.busy, "Another process writes.") }
        }.dataStore()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let ids = try await taken(["a", "b"], in: store, fence)
        let outcomes = try ids.map { MutationOutcome.accepted($0, try remote($0.key, "mine", 2)) }
        isBusy.withLock { $0 = true }
        await #expect(throws: StorageError.self) { _ = try await store.settle(outcomes, fence) }
        isBusy.withLock { $0 = false }
        #expect(try await store.deadLetters().isEmpty)
        #expect(try await store.outboxEntries().map(\.stage) == [.inFlight, .inFlight])
        _ = try await store.settle(outcomes, fence)
        #expect(try await store.outboxCount() == 0)
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
