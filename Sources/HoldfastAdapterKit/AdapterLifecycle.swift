public import HoldfastStorage

/// What an adapter holds from before its store is opened until after it is closed; a store is opened once.
///
/// An attempt to open that fails may be repeated. Closing during an attempt ends the store that the attempt brings. No
/// call that closes returns before nothing of the store is left.
public final class AdapterLifecycle<Store: Sendable>: Sendable {
    private enum Phase {
        case new
        case opening
        case open(Store)
        /// Closed by an attempt to open or by a call that closes; with the calls that wait for the end of this.
        case closing([UnsafeContinuation<Void, Never>])
        case closed
    }

    private let phase = Mutex(Phase.new)

    /// Creates the lifecycle of a store that is not open yet.
    public init() {}

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - make: Opens it; called at most once, not under a lock.
    ///   - discard: Closes it again, if ``close(_:)`` was called meanwhile.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.misuse` if it is open or being opened, `.closed` after
    ///   ``close(_:)``, and what `make` throws; it can be opened again after that.
    public func open(
        _ make: () async throws(StorageError) -> Store, discard: (Store) async -> Void
    ) async throws(StorageError) {
        try phase.withLock { phase throws(StorageError) in
            switch phase {
            case .new: phase = .opening
            case .closing, .closed: throw StorageError.closedStore()
            case .opening, .open: throw StorageError(.misuse, "The adapter is open already; open a store once.")
            }
        }
        let store: Store
        do {
            store = try await make()
        } catch {
            let isClosed = phase.withLock { phase in
                guard case .opening = phase else { return true }
                phase = .new
                return false
            }
            if isClosed { finishClosing() }
            throw error
        }
        let isClosed = phase.withLock { phase in
            guard case .opening = phase else { return true }
            phase = .open(store)
            return false
        }
        if isClosed {
            await discard(store)
            finishClosing()
            throw StorageError.closedStore()
        }
    }

    /// The open store.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed` after ``close(_:)``, `.misuse` before it is open.
    public func store() throws(StorageError) -> Store {
        try phase.withLock { phase throws(StorageError) in
            switch phase {
            case .open(let store): return store
            case .closing, .closed: throw StorageError.closedStore()
            case .new, .opening: throw StorageError(.misuse, "The adapter is not open; open it first.")
            }
        }
    }

    /// Closes the store for good; idempotent.
    ///
    /// If another call closes it already, this waits until that has ended. If it is being opened, this waits until the
    /// attempt has failed, or what it brings is discarded.
    ///
    /// - Parameter end: Closes the store. If there are several calls, only that of one is called, outside of all locks. If
    ///   there is no store, none is called.
    public func close(_ end: (Store) async -> Void) async {
        let store = phase.withLock { phase -> Store? in
            switch phase {
            case .new: phase = .closed
            case .opening: phase = .closing([])
            case .open(let store):
                phase = .closing([])
                return store
            case .closing, .closed: break
            }
            return nil
        }
        if let store {
            await end(store)
            finishClosing()
        } else {
            await waitUntilClosed()
        }
    }

    private func waitUntilClosed() async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let isClosed = phase.withLock { phase in
                guard case .closing(let waiting) = phase else { return true }
                phase = .closing(waiting + [continuation])
                return false
            }
            if isClosed { continuation.resume() }
        }
    }

    /// Lets the calls go on that wait for the end.
    private func finishClosing() {
        let waiting = phase.withLock { phase -> [UnsafeContinuation<Void, Never>] in
            defer { phase = .closed }
            if case .closing(let waiting) = phase { return waiting }
            return []
        }
        for continuation in waiting { continuation.resume() }
    }
}
