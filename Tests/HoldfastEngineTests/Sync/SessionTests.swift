import Foundation
import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct SessionTests {
    func isLost(_ error: any Error) -> Bool {
        guard let error = error as? StorageError else { return false }
        return error.kind == .conflict && error.retry == .never && error.transaction == .untouched
    }

    @Test(arguments: EngineAdapter.all)
    func oneHolderAtATimeSynchronizesTheStore(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let first = try #require(try await store.claim("one", until: 100, now: 0))
        #expect(try await store.claim("two", until: 200, now: 99) == nil)
        #expect(try await store.renew(first, until: 150))
        #expect(try await store.claim("two", until: 200, now: 120) == nil)
        let second = try #require(try await store.claim("two", until: 250, now: 150))
        #expect(second.epoch > first.epoch)
        #expect(try await !store.renew(first, until: 300))
        try await store.release(first)
        #expect(try await store.claim("one", until: 300, now: 160) == nil)
        try await store.release(second)
        let third = try #require(try await store.claim("one", until: 300, now: 160))
        let again = try #require(try await store.claim("one", until: 300, now: 160))
        #expect(again.epoch > third.epoch)
        #expect(try await !store.renew(third, until: 400))
    }

    @Test(arguments: EngineAdapter.all)
    func aLeaseEndsAlsoIfTheClockGoesBack(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let first = try #require(try await store.claim("one", until: 10_100, now: 10_000))
        let second = try #require(try await store.claim("two", until: 5_100, now: 5_000))
        #expect(second.epoch > first.epoch)
        #expect(try await store.claim("three", until: 5_150, now: 5_050) == nil)
    }

    @Test(arguments: EngineAdapter.all)
    func aLeaseEndsWithTheProcessOfItsHolder(adapter: EngineAdapter) async throws {
        let hasEnded = Mutex(false)
        var surroundings = Surroundings.system
        surroundings.process = RunningProcess(name: "first") { $0 == "first" && hasEnded.load() }
        let store = try await adapter.open(DataStoreOptions(surroundings: surroundings))
        let first = try #require(try await store.claim("one", until: 100, now: 0))
        #expect(try await store.claim("two", until: 101, now: 1) == nil)
        hasEnded.store(true)
        #expect(try await store.renew(first, until: 102))
        let second = try #require(try await store.claim("two", until: 103, now: 2))
        #expect(second.epoch > first.epoch)
        #expect(try await !store.renew(first, until: 104))
    }

    @Test func onlyAProcessThatEndedIsReportedAsEnded() throws {
        let process = try #require(Surroundings.system.process)
        let parts = process.name.split(separator: " ").map(String.init)
        try #require(parts.count == 3)
        func name(_ number: Int32) -> String { "\(parts[0]) \(number) other" }
        #expect(!process.hasEnded(process.name))
        #expect(process.hasEnded(name(ProcessInfo.processInfo.processIdentifier)))
        #expect(!process.hasEnded(name(getppid())))
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/sh")
        child.arguments = ["-c", "exit 0"]
        try child.run()
        child.waitUntilExit()
        #expect(process.hasEnded(name(child.processIdentifier)))
        #expect(!process.hasEnded("elsewhere \(child.processIdentifier) other"))
        for text in ["", "x", "\(parts[0]) 0 x", "\(parts[0]) -1 x", "\(parts[0]) 1 2 3"] {
            #expect(!process.hasEnded(text))
        }
    }

    @Test(arguments: EngineAdapter.all)
    func whoLostTheLeaseWritesNothing(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let lost = try #require(try await store.claim("one", until: 100, now: 0))
        try await store.save(Blog(id: "b", name: ""))
        let sent = try await store.take(1, lost)
        let fence = try #require(try await store.claim("two", until: 200, now: 100))
        let before = try await store.dump()
        let row = Array(try Blog(id: "b", name: "theirs").row()[0])
        let remote = RemoteRecord(key: RecordKey("b"), row: row, version: 1, lastChangedAt: 1)
        await #expect { _ = try await store.apply(RemoteBatch(model: "Blog", records: [remote]), lost) } throws: {
            isLost($0)
        }
        await #expect { _ = try await store.settle([.accepted(sent[0].id, remote)], lost) } throws: { isLost($0) }
        await #expect { _ = try await store.take(1, lost) } throws: { isLost($0) }
        await #expect { _ = try await store.sweep("Blog", 1, lost) } throws: { isLost($0) }
        #expect(try await store.dump() == before)
        _ = try await store.settle([.accepted(sent[0].id, remote)], fence)
        #expect(try await store.query(Blog.self).map(\.name) == ["theirs"])
    }

    /// The lease is lost between the reads of a page and its commit.
    @Test(arguments: EngineAdapter.all)
    func aLeaseLostInTheMiddleOfAPageEndsIt(adapter: EngineAdapter) async throws {
        let rival = Rival()
        let intercepted = InterceptedAdapter(adapter.make()) { attempt, _ async throws(StorageError) in
            await rival.act(attempt)
        }
        let store = try await intercepted.dataStore()
        let fence = try #require(try await store.claim("one", until: 100, now: 0))
        await rival.prepare(before: intercepted.commitCount + 1) {
            _ = try await store.claim("two", until: 300, now: 200)
        }
        let row = Array(try Blog(id: "b", name: "").row()[0])
        let batch = RemoteBatch(
            model: "Blog", records: [RemoteRecord(key: RecordKey("b"), row: row, version: 1, lastChangedAt: 1)])
        await #expect { _ = try await store.apply(batch, fence) } throws: { isLost($0) }
        #expect(try await store.query(Blog.self).isEmpty)
    }

    private actor Rival {
        private var action: (attempt: Int, run: @Sendable () async throws -> Void)?

        func prepare(before attempt: Int, _ run: @escaping @Sendable () async throws -> Void) {
            action = (attempt, run)
        }

        func act(_ attempt: Int) async {
            guard let action, action.attempt == attempt else { return }
            self.action = nil
            try? await action.run()
        }
    }

    /// Another device creates a record of the same key.
    ///
    /// The own creation is taken back before it is sent.
    @Test(arguments: EngineAdapter.all)
    func anUndoneCreationIsReplacedByTheOther(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("one", until: 100, now: 0))
        try await store.save(Blog(id: "b", name: "mine"))
        let row = Array(try Blog(id: "b", name: "theirs").row()[0])
        let remote = RemoteRecord(key: RecordKey("b"), row: row, version: 1, lastChangedAt: 1)
        let report = try await store.apply(RemoteBatch(model: "Blog", records: [remote]), fence)
        #expect(report.shelvedCount == 1)
        try await store.delete(Blog.self, withId: "b")
        let taken = try await store.takeReporting(8, fence)
        #expect(taken.mutations.isEmpty && taken.report.changes.map(\.kind) == [.created])
        #expect(try await store.query(Blog.self).map(\.name) == ["theirs"])
        #expect(try await store.outboxCount() == 0)
        let metadata = try await store.recordMetadata(["b"], of: "Blog")
        #expect(metadata.first??.version == 1)
    }

    // MARK: - Clearing

    @Test(arguments: EngineAdapter.all)
    func clearingTakesEverythingButSettings(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("one", until: 100, now: 0))
        try await store.save([Blog(id: "a", name: ""), Blog(id: "b", name: "")])
        let sent = try await store.take(1, fence)
        _ = try await store.settle([.refused(sent[0].id, errorType: nil, message: nil, remote: nil)], fence)
        let row = Array(try Blog(id: "b", name: "theirs").row()[0])
        let remote = RemoteRecord(key: RecordKey("b"), row: row, version: 1, lastChangedAt: 1)
        _ = try await store.apply(
            RemoteBatch(model: "Blog", records: [remote], state: ModelState(model: "Blog", lastSync: 7)), fence)
        try await store.setSetting("colour", to: "blue")
        let filled = try await store.dump()
        for entity in ["Blog", "__outbox", "__model_state", "__shelf", "__dead_letter"] {
            #expect(filled.rows[entity]?.isEmpty == false, "\(entity)")
        }
        try await store.save(metadata: [RecordMetadata(model: "Blog", key: "x", version: 1, lastChangedAt: 1)])
        try await store.clear()
        for (entity, rows) in try await store.dump().rows where entity != SyncSession.entity.name {
            #expect(rows.isEmpty, "\(entity)")
        }
        #expect(try await store.setting("colour") == "blue")
        #expect(try await !store.renew(fence, until: 300))
        await #expect { _ = try await store.apply(RemoteBatch(model: "Blog", records: [remote]), fence) } throws: {
            isLost($0)
        }
        #expect(try await store.claim("two", until: 100, now: 0) != nil)
    }

    @Test(arguments: EngineAdapter.all)
    func clearingIsObserved(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        try await store.save(Post(id: "old", title: ""))
        store.markSynced("Post", fence)
        var live = try store.observeQuery(Post.self).makeAsyncIterator()
        let full = try #require(try await live.next())
        #expect(full.items.map(\.id) == ["old"] && full.isSynced)
        var changes = try store.observe(Post.self).makeAsyncIterator()
        try await store.clear()
        let cleared = try #require(try await live.next())
        #expect(cleared.items.isEmpty && !cleared.isSynced)
        await #expect { _ = try await changes.next() } throws: { ($0 as? StorageError)?.kind == .changesMissed }
        try await store.save(Post(id: "new", title: ""))
        #expect(try await live.next()?.items.map(\.id) == ["new"])
        #expect(try await changes.next()?.model.id == "new")
        // What was synchronized before the store was cleared is gone, also if the sync engine says so only now.
        store.markSynced("Post", fence)
        try await store.save(Post(id: "newer", title: ""))
        #expect(try await live.next()?.isSynced == false)
        let next = try #require(try await store.claim("here", until: 10, now: 0))
        store.markSynced("Post", next)
        #expect(try await live.next()?.isSynced == true)
    }

    /// A live query may ask before the commit is published, or be about to ask when it is made.
    @Test(arguments: EngineAdapter.all, [false, true])
    func whatIsClearedIsNotSynchronized(adapter: EngineAdapter, isRelated: Bool) async throws {
        let committed = Mutex<(@Sendable () async -> Void)?>(nil)
        let asked = Mutex<(@Sendable () async -> Void)?>(nil)
        let intercepted = InterceptedAdapter(
            adapter.make(), afterCommit: { _, _ in await committed.exchange(nil)?() },
            beforeSnapshot: { await asked.exchange(nil)?() })
        let store = try await intercepted.dataStore()
        let first: @Sendable () async throws -> QuerySnapshot<Post>? = {
            let predicate: any QueryPredicate = isRelated ? field("blog.name") == nil : Post.keys.rating == nil
            var live = try store.observeQuery(Post.self, where: predicate).makeAsyncIterator()
            return try await live.next()
        }
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        try await store.save(Post(id: "a", title: ""))
        store.markSynced("Post", fence)
        #expect(try await first()?.isSynced == true)
        let seen = Mutex<QuerySnapshot<Post>?>(nil)
        committed.store { seen.store(try? await first()) }
        try await store.clear()
        let shown = seen.load()
        let early = try #require(shown)
        #expect(early.items.isEmpty && !early.isSynced)
        let next = try #require(try await store.claim("here", until: 10, now: 0))
        try await store.save(Post(id: "b", title: ""))
        store.markSynced("Post", next)
        asked.store { try? await store.clear() }
        let late = try #require(try await first())
        #expect(late.items.isEmpty && !late.isSynced)
    }

    @Test(arguments: EngineAdapter.all)
    func whatCannotBeClearedStaysSynchronized(adapter: EngineAdapter) async throws {
        let fails = Mutex(false)
        let intercepted = InterceptedAdapter(adapter.make()) { _, _ async throws(StorageError) in
            if fails.load() { throw StorageError(.io, "The disk is full.") }
        }
        let store = try await intercepted.dataStore()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        store.markSynced("Post", fence)
        fails.store(true)
        await #expect(throws: StorageError.self) { try await store.clear() }
        var live = try store.observeQuery(Post.self).makeAsyncIterator()
        #expect(try await live.next()?.isSynced == true)
    }
}
