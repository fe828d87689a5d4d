public import HoldfastStorage

/// What an adapter holds from before its store is opened until after it is closed; a store is opened once.
///
/// An attempt to open that fails may be repeated. Closing during an attempt ends the store that the attempt brings.
public final class AdapterLifecycle<Store: Sendable>: Sendable {
    private enum Phase {
        case new
        case opening
        case open(Store)
        case closed
    }

    private let phase = Mutex(Phase.new)

    /// Creates the lifecycle of a store that is not open yet.
    public init() {}

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - make: Opens it; called at most once, not under a lock.
    ///   - discard: Closes it again, if ``close()`` was called meanwhile.
    /// - Throws: ``HoldfastStorage/StorageError`` `.misuse` if it is open or being opened, `.closed` after
    ///   ``close()``, and what `make` throws; it can be opened again after that.
    public func open(
        _ make: () async throws(StorageError) -> Store, discard: (Store) async -> Void
    ) async throws(StorageError) {
        try phase.withLock { phase throws(StorageError) in
            switch phase {
            case .new: phase = .opening
            case .closed: throw StorageError.closedStore()
            case .opening, .open: throw StorageError(.misuse, "The adapter is open already; open a store once.")
            }
        }
        let store: Store
        do {
            store = try await make()
        } catch {
            phase.withLock { phase in
                if case .opening = phase { phase = .new }
            }
            throw error
        }
        let isClosed = phase.withLock { phase in
            guard case .opening = phase else { return true }
            phase = .open(store)
            return false
        }
        if isClosed {
            await discard(store)
            throw StorageError.closedStore()
        }
    }

    /// The open store.
    ///
    /// - Throws: ``HoldfastStorage/StorageError`` `.closed` after ``close()``, `.misuse` before it is open.
    public func store() throws(StorageError) -> Store {
        try phase.withLock { phase throws(StorageError) in
            switch phase {
            case .open(let store): return store
            case .closed: throw StorageError.closedStore()
            case .new, .opening: throw StorageError(.misuse, "The adapter is not open; open it first.")
            }
        }
    }

    /// Lets go of the store for good; idempotent.
    ///
    /// - Returns: The store, for the caller to close; nil if there is none or it was returned before.
    public func close() -> Store? {
        phase.withLock { phase in
            defer { phase = .closed }
            if case .open(let store) = phase { return store }
            return nil
        }
    }
}
