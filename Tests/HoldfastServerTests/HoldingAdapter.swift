import HoldfastInMemory
import HoldfastStorage
import HoldfastTestSupport

/// An adapter, in memory by default, whose reads and commits wait while it holds them.
final class HoldingAdapter: StorageAdapter {
    private let store: any StorageAdapter
    private let gate = Mutex<Gate?>(nil)
    private let readError = Mutex<StorageError?>(nil)
    private let feedFailures = Mutex(0)
    private let begun = Mutex<(reads: [Int], commits: [Int])>(([], []))

    /// How many records each read asks for, in the order in which they began.
    var reads: [Int] { begun.withLock { $0.reads } }
    /// How many records each commit puts, in the order in which they began.
    var commits: [Int] { begun.withLock { $0.commits } }
    var capabilities: Capabilities { store.capabilities }

    init(_ store: any StorageAdapter = InMemoryAdapter()) { self.store = store }

    func hold() { gate.withLock { $0 = Gate() } }

    /// Makes all reads fail.
    func failReads(with error: StorageError) { readError.store(error) }

    /// Makes the next calls of change feeds fail.
    func failFeeds(_ count: Int) { feedFailures.store(count) }

    func letGo() {
        let held = gate.withLock { gate in
            defer { gate = nil }
            return gate
        }
        held?.open()
    }

    func open(_ request: OpenRequest) async throws(StorageError) { try await store.open(request) }
    func snapshot() async throws(StorageError) -> any AdapterSnapshot { try await store.snapshot() }
    func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed {
        Feed(inner: try await store.changes(after: sequence), adapter: self)
    }
    func close() async throws(StorageError) { try await store.close() }

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        begun.withLock { $0.reads.append(request.keys.count) }
        await gate.withLock { $0 }?.wait()
        if let error = readError.load() { throw error }
        try await store.get(request, into: &rows)
    }

    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        let count = request.operations.reduce(0) { sum, operation in
            if case .put(_, let rows, _) = operation { sum + rows.rowCount } else { sum }
        }
        begun.withLock { $0.commits.append(count) }
        await gate.withLock { $0 }?.wait()
        return try await store.commit(request)
    }

    private struct Feed: ChangeFeed {
        var inner: any ChangeFeed
        let adapter: HoldingAdapter

        mutating func next() async throws(StorageError) -> ChangeFeedElement? {
            let fails = adapter.feedFailures.withLock { count in
                count -= 1
                return count >= 0
            }
            if fails { throw StorageError(.busy, "The log was not read.") }
            return try await inner.next()
        }

        mutating func close() async { await inner.close() }
    }
}
