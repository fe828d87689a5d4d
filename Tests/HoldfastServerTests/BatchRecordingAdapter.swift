import HoldfastInMemory
import HoldfastStorage

/// An adapter in memory that notes what is read of one entity by queries and in the order of versions.
final class BatchRecordingAdapter: StorageAdapter {
    /// How many rows were asked for at once, and how many cells each row has.
    struct Batch: Sendable {
        var maximumRowCount: Int
        var columnCount: Int
    }

    private let store = InMemoryAdapter()
    private let entity: String
    private let batches = Mutex<[Batch]>([])

    var capabilities: Capabilities { store.capabilities }

    init(of entity: String) { self.entity = entity }

    /// The batches since the last call.
    func takeBatches() -> [Batch] { batches.exchange([]) }

    func open(_ request: OpenRequest) async throws(StorageError) { try await store.open(request) }
    func close() async throws(StorageError) { try await store.close() }
    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try await store.commit(request)
    }
    func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        Snapshot(inner: try await store.snapshot(), adapter: self)
    }

    private func recorded(_ scan: any AdapterScan, of entity: EntitySchema) -> any AdapterScan {
        entity.name == self.entity ? Scan(inner: scan, adapter: self) : scan
    }

    private struct Snapshot: AdapterSnapshot {
        let inner: any AdapterSnapshot
        let adapter: BatchRecordingAdapter

        var sequence: UInt64 { inner.sequence }

        func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
            try await inner.get(request, into: &rows)
        }

        func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan { try await inner.scan(range) }

        func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
            adapter.recorded(try await inner.query(query), of: query.entity)
        }

        func scan(_ range: BoundVersionRange) async throws(StorageError) -> any AdapterScan {
            adapter.recorded(try await inner.scan(range), of: range.entity)
        }

        func close() async { await inner.close() }
    }

    private struct Scan: AdapterScan {
        var inner: any AdapterScan
        let adapter: BatchRecordingAdapter

        mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
            try await inner.next(maximumRowCount: maximumRowCount, into: &rows)
            let batch = Batch(maximumRowCount: maximumRowCount, columnCount: rows.columnCount)
            adapter.batches.withLock { $0.append(batch) }
        }

        mutating func close() async { await inner.close() }
    }
}
