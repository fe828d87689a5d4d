import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct ClosingTests {
    /// The second call must not close what the observers of the first one still read.
    @Test func closingTwiceKeepsWhatObserversAreStillToGet() async throws {
        let base = EngineAdapter.memory.make()
        let isPausing = Mutex(false)
        let (paused, resumed) = (Gate(), Gate())
        let adapter = InterceptedAdapter(
            base,
            beforeSnapshot: {
                guard isPausing.load() else { return }
                paused.open()
                await resumed.wait()
            })
        let store = try await adapter.dataStore()
        let blog = try await store.save(Blog(id: "b", name: "n"))
        let changes = try store.observe(Post.self, where: field("blog.name") == "n")
        try await store.save(Post(id: "p", title: "t", blog: blog))
        isPausing.store(true)
        let first = Task { try await store.close() }
        await paused.wait()
        let second = Task {
            try await store.close()
            let error = await #expect(throws: StorageError.self) { try await base.snapshot() }
            #expect(error?.kind == .closed)
        }
        for _ in 0..<1_000 { await Task.yield() }
        resumed.open()
        try await first.value
        try await second.value
        var seen: [String] = []
        for try await change in changes { seen.append(change.model.id) }
        #expect(seen == ["p"])
        try await store.close()
    }
}
