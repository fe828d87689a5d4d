import HoldfastInMemory
import HoldfastStorage

/// An adapter whose commits can become visible later than commits with later sequences, as with PostgreSQL.
///
/// A commit takes its sequence when it begins. While one is held back, snapshots say that they see every commit up to
/// the one before it, and they see later ones, too.
final class LateCommitAdapter: StorageAdapter {
    private struct State {
        var next: UInt64 = 1
        var open: Set<UInt64> = []
        /// Which commit a sequence of the store inside stands for, and the other way round.
        var shown: [UInt64: UInt64] = [:]
        var inner: [UInt64: UInt64] = [:]
        var holds = false
        var held: CheckedContinuation<Void, Never>?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let store = InMemoryAdapter()
    private let state = Mutex(State())

    var capabilities: Capabilities { store.capabilities }

    func open(_ request: OpenRequest) async throws(StorageError) { try await store.open(request) }

    func close() async throws(StorageError) { try await store.close() }

    /// Holds the next commit back until ``release()``.
    func holdNextCommit() { state.withLock { $0.holds = true } }

    /// Waits until a commit is held back.
    func waitUntilHeld() async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.held == nil { state.waiter = continuation }
                return state.held != nil
            }
            if isHeld { continuation.resume() }
        }
    }

    /// Lets the commit that is held back continue.
    func release() {
        state.withLock { state in
            let held = state.held
            state.held = nil
            return held
        }?.resume()
    }

    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        let (sequence, holds) = state.withLock { state in
            let sequence = state.next
            state.next += 1
            state.open.insert(sequence)
            let holds = state.holds
            state.holds = false
            return (sequence, holds)
        }
        if holds {
            await withCheckedContinuation { continuation in
                let waiter = state.withLock { state in
                    state.held = continuation
                    let waiter = state.waiter
                    state.waiter = nil
                    return waiter
                }
                waiter?.resume()
            }
        }
        var request = request
        request.preconditions = request.preconditions.map { precondition in
            guard case .version(let entity, let key, let version) = precondition else { return precondition }
            return .version(entity: entity, key: key, state.withLock { $0.inner[version] ?? 0 })
        }
        do {
            var receipt = try await store.commit(request)
            state.withLock { state in
                state.open.remove(sequence)
                state.shown[receipt.sequence] = sequence
                state.inner[sequence] = receipt.sequence
            }
            receipt.sequence = sequence
            return receipt
        } catch {
            state.withLock { _ = $0.open.remove(sequence) }
            throw error
        }
    }

    func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        let sequence = state.withLock { ($0.open.min() ?? $0.next) - 1 }
        return Snapshot(inner: try await store.snapshot(), sequence: sequence, adapter: self)
    }

    fileprivate func show(_ rows: inout RowBuffer) {
        var shown = RowBuffer(columnCount: rows.columnCount, rowCapacity: rows.rowCount)
        for row in 0..<rows.rowCount {
            let version = rows.versions[row]
            shown.append(rows[row], version: version == 0 ? 0 : state.withLock { $0.shown[version] ?? 0 })
        }
        rows = shown
    }

    private struct Snapshot: AdapterSnapshot {
        let inner: any AdapterSnapshot
        let sequence: UInt64
        let adapter: LateCommitAdapter

        func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
            try await inner.get(request, into: &rows)
            adapter.show(&rows)
        }

        func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
            Scan(inner: try await inner.scan(range), adapter: adapter)
        }

        func close() async { await inner.close() }
    }

    private struct Scan: AdapterScan {
        var inner: any AdapterScan
        let adapter: LateCommitAdapter

        mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
            try await inner.next(maximumRowCount: maximumRowCount, into: &rows)
            adapter.show(&rows)
        }

        mutating func close() async { await inner.close() }
    }
}
