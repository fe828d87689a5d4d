import HoldfastAdapterKit
public import HoldfastStorage
import Synchronization

/// A store that lives as long as its adapter: for tests, previews and data that nobody keeps.
///
/// Every query, index, precondition and error is that of a lasting store. Snapshots cost O(1) and never hold up a
/// commit; a commit costs O(log n) per row and index; nothing is written anywhere. Open it once; after ``close()``,
/// or when the adapter and its snapshots are gone, the data is gone.
///
/// Small requests run on the caller's thread in microseconds. Long ones (commits of many rows, sorting, reads that
/// pass over many records) go on off the caller's executor.
public final class InMemoryAdapter: StorageAdapter {
    /// A commit of more rows leaves the caller's executor and never holds up a reader.
    static let smallCommitRowCount = 1_024

    private enum Phase {
        case new
        case open(InMemoryState)
        case closed
    }

    /// What readers see; held for an assignment or for a small commit.
    private let phase = Mutex(Phase.new)
    /// Held during a commit, so that there is one at a time.
    private let writing = Mutex(())
    private let lifetime = InMemoryLifetime()
    private let signal = ChangeSignal()
    /// The last commits, if a change feed was asked for.
    private let log: ChangeRing?

    /// Creates an adapter that holds nothing yet.
    ///
    /// - Parameter changeLogCommitCount: How many commits a change feed can look back, at least; 0, the default, for
    ///   no change feed.
    public init(changeLogCommitCount: Int = 0) {
        log = changeLogCommitCount > 0 ? ChangeRing(capacity: changeLogCommitCount) : nil
    }

    /// Everything but several processes and backup is native, the change feed if it was asked for; commits survive
    /// nothing.
    public var capabilities: Capabilities {
        var capabilities = Capabilities.inMemory
        if log != nil { capabilities.support[.changeFeed] = .native }
        return capabilities
    }

    /// Opens the store, empty.
    ///
    /// - Throws: ``StorageError`` `.misuse` if it was opened before, also if it was closed since; `.incompatibleStore`
    ///   if no store is to be created.
    public func open(_ request: OpenRequest) async throws(StorageError) {
        try phase.withLock { phase throws(StorageError) in
            guard case .new = phase else {
                throw StorageError(.misuse, "An in-memory adapter is opened once; make a new one for an empty store.")
            }
            guard request.createsStore else { throw OpenRequest.missingStore }
            phase = .open(InMemoryState(request.schema))
        }
    }

    /// A view of everything committed so far, in O(1).
    ///
    /// - Throws: ``StorageError`` `.closed`; `.misuse` before ``open(_:)``.
    public func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        InMemorySnapshot(try state(), of: lifetime)
    }

    /// Reads records as last committed, on the caller's thread.
    ///
    /// - Throws: ``StorageError`` `.closed`; `.misuse` before ``open(_:)``.
    /// - Complexity: O(k log n) for k keys.
    public func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try state().get(request, into: &rows)
    }

    /// Checks and applies a change as a whole.
    ///
    /// `.unchanged` is exact for puts and for deletes of single records, but after `clear`, or once more than
    /// 1,024 and more than there are records were deleted, it refuses for every range of the entity that was read
    /// before.
    ///
    /// - Throws: ``StorageError`` `.preconditionFailed`, `.uniqueViolation`, `.cancelled`, `.closed`; `.misuse`
    ///   before ``open(_:)``. Nothing was changed then.
    /// - Complexity: O(log n) per row and index; `.unchanged` O(records of the range) if the entity changed at all.
    public func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        if request.isSmall {
            let receipt = try writing.withLockIfAvailable { _ throws(StorageError) in try commitLocked(request) }
            if let receipt { return receipt }
        }
        return try await commitElsewhere(request)
    }

    /// Checks that every index agrees with its records.
    ///
    /// - Returns: One sentence per damaged index; always empty unless there is a defect in Holdfast.
    /// - Throws: ``StorageError`` `.closed`; `.misuse` before ``open(_:)``.
    /// - Complexity: O(n log n) for n records.
    @concurrent
    public func verify() async throws(StorageError) -> [String] { try state().verify() }

    /// Starts a change feed, if the adapter was created with a log.
    ///
    /// - Throws: ``StorageError`` `.unsupported` without a log; `.closed`; `.misuse` before ``open(_:)``.
    public func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed {
        let last = try state().sequence
        guard let log else {
            throw StorageError(
                .unsupported, "The store keeps no change log; create the adapter with a changeLogCommitCount.")
        }
        return LoggedChangeFeed(after: sequence ?? last, signal: signal, pollInterval: nil) { [signal] after in
            log.news(after: after, last: signal.sequence)
        }
    }

    /// Closes the store and its snapshots and frees its data; idempotent.
    @concurrent
    public func close() async throws(StorageError) {
        signal.close()
        // Freed outside the lock.
        let last = writing.withLock { _ in
            lifetime.close()
            return phase.withLock { phase in
                defer { phase = .closed }
                return phase
            }
        }
        _ = consume last
    }

    /// Waits its turn, and works, without holding up the caller's executor.
    @concurrent
    private func commitElsewhere(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try writing.withLock { _ throws(StorageError) in try commitLocked(request) }
    }

    /// Replaces the state; `writing` is held.
    private func commitLocked(_ request: CommitRequest) throws(StorageError) -> CommitReceipt {
        try StorageError.checkCancellation()
        if request.isSmall, let receipt = try commitInPlace(request) { return try logged(request, receipt) }
        var next = try state()
        let receipt = try next.apply(request)
        phase.withLock { $0 = .open(next) }
        return try logged(request, receipt)
    }

    /// Tells the change feeds; `writing` is held.
    private func logged(_ request: CommitRequest, _ receipt: CommitReceipt) throws(StorageError) -> CommitReceipt {
        guard let log, !request.operations.isEmpty else { return receipt }
        log.append(try CommittedChange(of: request, sequence: receipt.sequence, in: state().schema))
        signal.advance(to: receipt.sequence)
        return receipt
    }

    /// Changes the state where no snapshot sees it and copies it elsewhere; does nothing if the request could fail
    /// with half a change made.
    private func commitInPlace(_ request: CommitRequest) throws(StorageError) -> CommitReceipt? {
        try phase.withLock { phase throws(StorageError) in
            guard case .open(var state) = phase, state.isAtomic(request) else { return nil }
            phase = .closed  // Gives up its reference, so that the state is changed in place.
            defer { phase = .open(state) }
            return try state.apply(request)
        }
    }

    private func state() throws(StorageError) -> InMemoryState {
        switch phase.withLock({ $0 }) {
        case .open(let state): return state
        case .new: throw StorageError(.misuse, "The store is not open yet; open it before any other call.")
        case .closed: throw StorageError(.closed, "The store was closed; open a new one.")
        }
    }
}

extension CommitRequest {
    /// Whether the request takes so little time that it may run on the caller's thread.
    fileprivate var isSmall: Bool {
        var count = 0
        for operation in operations {
            switch operation {
            case .put(_, let rows, _): count += rows.rowCount
            case .delete(_, let keys): count += keys.count
            case .clear: return false
            }
        }
        let readsRange = preconditions.contains { if case .unchanged = $0 { true } else { false } }
        return count <= InMemoryAdapter.smallCommitRowCount && !readsRange
    }
}
