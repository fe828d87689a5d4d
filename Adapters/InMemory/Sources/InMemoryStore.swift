import HoldfastAdapterKit
import HoldfastStorage

/// The data of an open adapter: one state that commits replace, and the log of the last commits.
final class InMemoryStore: Sendable {
    /// A commit of more rows leaves the caller's executor and never holds up a reader.
    static let smallCommitRowCount = 1_024

    /// What readers see, `nil` once the store is closed; held for an assignment or for a small commit.
    private let current: Mutex<InMemoryState?>
    /// Held during a commit, so that there is one at a time.
    private let writing = Mutex(())
    /// Taken before `writing` by commits that may take long or have to wait.
    ///
    /// So no more than one of them waits for `writing`, and not long, since a small commit holds it then. If all of them
    /// waited for it, each would block a thread, and a few large commits would hold up every task of the process.
    private let lock = AsyncMutex()
    /// Read by snapshots without a lock.
    private let closed = Mutex(false)
    private let signal: ChangeSignal
    /// The last commits, if a change feed was asked for.
    private let log: ChangeRing?

    init(_ state: InMemoryState, log: ChangeRing?) {
        current = Mutex(state)
        signal = ChangeSignal(sequence: state.sequence)
        self.log = log
    }

    /// Whether the store and all its snapshots are closed.
    var isClosed: Bool { closed.load() }

    /// Everything committed so far.
    ///
    /// - Throws: ``StorageError`` `.closed`.
    func state() throws(StorageError) -> InMemoryState {
        guard let state = current.withLock({ $0 }) else { throw StorageError.closedStore() }
        return state
    }

    func changes(after sequence: UInt64?) throws(StorageError) -> any ChangeFeed {
        let last = try state().sequence
        guard let log else { throw StorageError.missingChangeLog() }
        return LoggedChangeFeed(after: sequence ?? last, signal: signal, pollInterval: nil) { [signal] after, _ in
            log.element(after: after, last: signal.sequence)
        }
    }

    /// Closes the snapshots too, and frees the data; idempotent.
    func close() {
        signal.close()
        // Freed outside the lock.
        let last = writing.withLock { _ in
            closed.store(true)
            return current.withLock { current in
                defer { current = nil }
                return current
            }
        }
        _ = consume last
    }

    // MARK: Commits

    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        if request.isSmall {
            let receipt = try writing.withLockIfAvailable { _ throws(StorageError) in try commitLocked(request) }
            if let receipt { return receipt }
        }
        return try await commitElsewhere(request)
    }

    /// Waits for `lock`, and works, without holding up the caller's executor.
    @concurrent
    private func commitElsewhere(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        await lock.lock()
        defer { lock.unlock() }
        return try writing.withLock { _ throws(StorageError) in try commitLocked(request) }
    }

    /// Replaces the state; `writing` is held.
    private func commitLocked(_ request: CommitRequest) throws(StorageError) -> CommitReceipt {
        try StorageError.checkCancellation()
        if request.isSmall, let receipt = try commitInPlace(request) { return try logged(request, receipt) }
        var next = try state()
        let receipt = try next.apply(request)
        current.withLock { $0 = next }
        return try logged(request, receipt)
    }

    /// Notifies the change feeds; `writing` is held.
    private func logged(_ request: CommitRequest, _ receipt: CommitReceipt) throws(StorageError) -> CommitReceipt {
        guard let log, !request.operations.isEmpty else { return receipt }
        log.append(try CommittedChange(of: request, sequence: receipt.sequence, in: state().schema))
        signal.advance(to: receipt.sequence)
        return receipt
    }

    /// Changes the state where no snapshot sees it and copies it elsewhere; does nothing if the request could fail
    /// with half a change made.
    private func commitInPlace(_ request: CommitRequest) throws(StorageError) -> CommitReceipt? {
        try current.withLock { current throws(StorageError) in
            guard var state = current, state.isAtomic(request) else { return nil }
            current = nil  // Gives up its reference, so that the state is changed in place.
            defer { current = state }
            return try state.apply(request)
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
        return count <= InMemoryStore.smallCommitRowCount && !readsRange
    }
}
