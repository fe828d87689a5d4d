import HoldfastInMemory
import HoldfastStorage

/// An adapter in memory with one connection, which a snapshot has until it is closed.
final class OneConnectionAdapter: StorageAdapter {
    private let store = InMemoryAdapter()
    private let isInUse = Mutex(false)

    var capabilities: Capabilities { store.capabilities }

    func open(_ request: OpenRequest) async throws(StorageError) { try await store.open(request) }

    func close() async throws(StorageError) { try await store.close() }

    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try acquire()
        defer { isInUse.store(false) }
        return try await store.commit(request)
    }

    func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        try acquire()
        return Snapshot(inner: try await store.snapshot(), adapter: self)
    }

    /// Does not wait, since who waits would wait for itself.
    private func acquire() throws(StorageError) {
        let wasInUse = isInUse.withLock { isInUse in
            defer { isInUse = true }
            return isInUse
        }
        if wasInUse { throw StorageError(.busy, "The connection is in use.") }
    }

    private struct Snapshot: AdapterSnapshot {
        let inner: any AdapterSnapshot
        let adapter: OneConnectionAdapter

        var sequence: UInt64 { inner.sequence }

        func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
            try await inner.get(request, into: &rows)
        }

        func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan { try await inner.scan(range) }

        func close() async {
            await inner.close()
            adapter.isInUse.store(false)
        }
    }
}
