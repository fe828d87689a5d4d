import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct ClosingTests {
    /// The second call must not close what the observers of the first one still read.
    @Test func closingTwiceKeepsWhatObserversAreStillToGet() async throws {
        let adapter = PausedAdapter(EngineAdapter.memory.make())
        let store = try await adapter.dataStore()
        let blog = try await store.save(Blog(id: "b", name: "n"))
        let changes = try store.observe(Post.self, where: field("blog.name") == "n")
        try await store.save(Post(id: "p", title: "t", blog: blog))
        adapter.isPausing.withLock { $0 = true }
        let first = Task { try await store.close() }
        await adapter.paused.wait()
        let second = Task {
            try await store.close()
            #expect(adapter.isClosed.withLock { $0 })
        }
        for _ in 0..<1_000 { await Task.yield() }
        adapter.resumed.open()
        try await first.value
        try await second.value
        var seen: [String] = []
        for try await change in changes { seen.append(change.model.id) }
        #expect(seen == ["p"])
        try await store.close()
    }
}

/// An adapter whose snapshots can be made to wait.
private final class PausedAdapter: StorageAdapter {
    let isPausing = Mutex(false)
    let isClosed = Mutex(false)
    let paused = Gate()
    let resumed = Gate()
    private let base: any StorageAdapter

    init(_ base: any StorageAdapter) { self.base = base }

    var capabilities: Capabilities { base.capabilities }
    func open(_ request: OpenRequest) async throws(StorageError) { try await base.open(request) }
    func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        if isPausing.withLock({ $0 }) {
            paused.open()
            await resumed.wait()
        }
        return try await base.snapshot()
    }
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.get(request, into: &rows)
    }
    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt { try await base.commit(request) }
    func close() async throws(StorageError) {
        try await base.close()
        isClosed.withLock { $0 = true }
    }
}
