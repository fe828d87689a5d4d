import HoldfastGraphQL
import HoldfastInMemory
import HoldfastSchema
import HoldfastStorage
import HoldfastWire
import Testing

@testable import HoldfastServer

@Suite struct RecordWriterTests {
    static let schema = """
        type A @model @auth(rules: [{ allow: public }]) { text: String }
        type B @model @auth(rules: [{ allow: public }]) { text: String }
        """

    /// Writes that come while four commits wait for the store share one; a wrong one of them fails alone.
    @Test(arguments: [false, true]) func whatWaitsIsWrittenTogether(hasStale: Bool) async throws {
        let adapter = HoldingAdapter()
        let model = try #require(try ServerSchema(sources: [Source(Self.schema)], defaultMode: .apiKey).models.first)
        let store = try await Store.open(adapter, schema: try StorageSchema(entities: [model.entity]))
        let writer = RecordWriter(store: store, hub: EventHub(followsFeed: false))
        let write = { @Sendable (key: String, version: UInt64?) async throws -> Bool in
            var row = [Value](repeating: .null, count: model.entity.fields.count)
            row[model.entity.primaryKeyPositions[0]] = .text(key)
            return try await writer.write(
                RecordWrite(model: model, operation: .create, row: row, version: version))
        }
        adapter.hold()
        var first: [Task<Bool, any Error>] = []
        for number in 0..<4 { first.append(Task { try await write("first \(number)", nil) }) }
        await adapter.waitForCommits(4)
        var others: [Task<Bool, any Error>] = []
        for number in 0..<9 { others.append(Task { try await write("other \(number)", nil) }) }
        let stale = hasStale ? Task { try await write("first 0", 77) } : nil
        let unknown = hasStale ? Task { try await write("none", 77) } : nil
        while writer.waitingCount < (hasStale ? 11 : 9) { await Task.yield() }
        adapter.letGo()
        for task in first + others { #expect(try await task.value) }
        #expect(try await stale?.value != true)
        #expect(try await unknown?.value != true)
        #expect(adapter.commits.prefix(4).allSatisfy { $0 == 1 })
        let rest = Array(adapter.commits.dropFirst(4))
        #expect(rest == (hasStale ? [10] + [Int](repeating: 1, count: 10) : [9]))
        try await store.close()
    }
}

/// An adapter in memory whose commits wait while it holds them.
private final class HoldingAdapter: StorageAdapter {
    private struct State {
        var isHolding = false
        var commits: [Int] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watcher: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let store = InMemoryAdapter()
    private let state = Mutex(State())

    /// How many records each commit puts, in the order in which they began.
    var commits: [Int] { state.withLock { $0.commits } }
    var capabilities: Capabilities { store.capabilities }

    func hold() { state.withLock { $0.isHolding = true } }

    func letGo() {
        let waiting = state.withLock { state in
            state.isHolding = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func waitForCommits(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.waiting.count < count { state.watcher = (count, continuation) }
                return state.waiting.count >= count
            }
            if isThere { continuation.resume() }
        }
    }

    func open(_ request: OpenRequest) async throws(StorageError) { try await store.open(request) }
    func snapshot() async throws(StorageError) -> any AdapterSnapshot { try await store.snapshot() }
    func close() async throws(StorageError) { try await store.close() }

    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        let count = request.operations.reduce(0) { sum, operation in
            if case .put(_, let rows, _) = operation { sum + rows.rowCount } else { sum }
        }
        await withCheckedContinuation { continuation in
            let (goesOn, watcher) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
                state.commits.append(count)
                guard state.isHolding else { return (true, nil) }
                state.waiting.append(continuation)
                guard let watcher = state.watcher, watcher.count == state.waiting.count else { return (false, nil) }
                state.watcher = nil
                return (false, watcher.continuation)
            }
            if goesOn { continuation.resume() }
            watcher?.resume()
        }
        return try await store.commit(request)
    }
}
