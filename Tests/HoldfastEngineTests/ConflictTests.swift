import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

struct ConflictTests {
    @Test(arguments: EngineAdapter.all)
    func concurrentSavesOfOneRecordAllSucceed(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let changes = try store.observe(Post.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { try await store.save(Post(id: "p", title: "t\(number)", rating: number)) }
            }
            try await group.waitForAll()
        }
        let final = try #require(await store.query(Post.self, byId: "p"))
        #expect(try await store.outboxEntries().map(\.operation) == [.create])
        let seen = try await store.close(andCollect: changes)
        #expect(seen.map(\.kind) == [.created] + Array(repeating: .updated, count: 99))
        #expect(Set(seen.map(\.model.rating)).count == 100)
        #expect(seen.last?.model.rating == final.rating)
    }

    @Test(arguments: EngineAdapter.all)
    func concurrentSavesSucceedAlsoWhenCommitsAreSlow(adapter: EngineAdapter) async throws {
        let store = try await InterceptedAdapter(adapter.make()) { _, _ async throws(StorageError) in
            for _ in 0..<4 { await Task.yield() }
        }.dataStore()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask {
                    if number % 4 == 3 {
                        try await store.delete(Post.self, withId: "p")
                    } else {
                        try await store.save([Post(id: "p", title: "t\(number)"), Post(id: "q\(number)", title: "")])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.count(Post.self, where: Post.keys.id != "p") == 48)
        let exists = try await store.query(Post.self, byId: "p") != nil
        #expect(try await store.outboxEntries().filter { $0.key == "p" }.map(\.operation) == (exists ? [.create] : []))
    }

    @Test(arguments: EngineAdapter.all, [StorageError.Kind.preconditionFailed, .conflict])
    func endlessConflictsEndInAConflict(adapter: EngineAdapter, kind: StorageError.Kind) async throws {
        let intercepted = InterceptedAdapter(adapter.make()) { _, _ async throws(StorageError) in
            throw StorageError(kind, "Never.")
        }
        let store = try await intercepted.dataStore()
        let changes = try store.observe(Post.self)
        let before = try await store.dump()
        await #expect { try await store.save(Post(id: "p", title: "")) } throws: { error in
            guard let error = error as? StorageError else { return false }
            return error.kind == .conflict && error.retry == .afterBackoff && error.transaction == .untouched
        }
        #expect(intercepted.commitCount == StorageEngine.maximumAttempts)
        #expect(try await store.dump() == before)
        #expect(try await store.close(andCollect: changes).isEmpty)
    }

    @Test(arguments: EngineAdapter.all, [StorageError.Kind.full, .io, .readOnly, .busy])
    func otherErrorsAreNotTriedAgain(adapter: EngineAdapter, kind: StorageError.Kind) async throws {
        let intercepted = InterceptedAdapter(adapter.make()) { attempt, _ async throws(StorageError) in
            if attempt == 2 { throw StorageError(kind, "No.") }
        }
        let store = try await intercepted.dataStore()
        let changes = try store.observe(Post.self)
        try await store.save(Post(id: "a", title: ""))
        let before = try await store.dump()
        await #expect { try await store.save(Post(id: "b", title: "")) } throws: {
            ($0 as? StorageError)?.kind == kind
        }
        #expect(intercepted.commitCount == 2)
        #expect(try await store.dump() == before)
        try await store.save(Post(id: "c", title: ""))
        #expect(try await store.close(andCollect: changes).map(\.model.id) == ["a", "c"])
    }

    @Test(arguments: EngineAdapter.all)
    func aChangeThatCameInBetweenIsBuiltUpon(adapter: EngineAdapter) async throws {
        let (reached, gate) = (Gate(), Gate())
        let store = try await InterceptedAdapter(adapter.make()) { attempt, _ async throws(StorageError) in
            guard attempt == 3 else { return }  // After the first save and the sending.
            reached.open()
            await gate.wait()
        }.dataStore()
        try await store.save(Post(id: "p", title: "a", rating: 1))
        try await store.sendOutbox()
        async let late: Post = store.save(Post(id: "p", title: "c", rating: 1))
        await reached.wait()
        try await store.save(Post(id: "p", title: "a", rating: 2))
        gate.open()
        _ = try await late
        let entries = try await store.outboxEntries()
        #expect(entries.map(\.changedFields) == [["title", "rating"]])
        #expect(try await store.query(Post.self, byId: "p")?.title == "c")
    }
}
