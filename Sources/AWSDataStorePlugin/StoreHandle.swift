import Amplify
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

/// The store of a plug-in: opened once, by the first call that needs it, and shared by all.
///
/// Observers that come before it is open are attached before anyone can write to it, so that they miss nothing.
final class StoreHandle: Sendable {
    typealias Observer = @Sendable (Result<DataStore, any Error>) -> Void

    fileprivate enum State {
        case closed
        case opening(Task<DataStore, any Error>)
        case open(DataStore)
    }

    fileprivate struct Guarded {
        var state = State.closed
        var observers: [Observer] = []
        /// Counts the closings.
        var epoch: UInt64 = 0
        /// The last closing, for which the next opening waits: some adapters open a store once at a time.
        var closing: Task<Void, any Error>?
        /// The store, from before the observers get it until it is to be closed.
        var present: DataStore?
    }

    /// The handle whose store this task opens.
    @TaskLocal private static var opened: StoreHandle?
    /// The handle whose store this task prepares: a part of opening it that no other call may wait for.
    @TaskLocal private static var prepared: StoreHandle?

    private let guarded = Mutex(Guarded())
    private let make: @Sendable () async throws -> DataStore

    /// - Parameter make: Opens the store.
    init(_ make: @escaping @Sendable () async throws -> DataStore) { self.make = make }

    /// Changes with each closing.
    var epoch: UInt64 { guarded.withLock { $0.epoch } }

    /// The open store.
    ///
    /// - Parameter epoch: The epoch that the caller expects; if the store was closed since then, it is not
    ///   opened again. `nil` for any.
    /// - Returns: The store, which is opened first if it is closed.
    /// - Throws: ``StorageError`` `.closed` if the epoch is another one, or if the store is closed while it is being
    ///   opened; `.misuse` for what prepares the store while it is opened, and would wait for itself; otherwise what
    ///   opening the store throws.
    func store(in epoch: UInt64? = nil) async throws -> DataStore {
        let open = try guarded.withLock { guarded -> DataStore? in
            if let epoch, epoch != guarded.epoch { throw Self.closed }
            if case .open(let store) = guarded.state { return store }
            if case .opening = guarded.state, Self.prepared === self { throw Self.waitingForItself }
            return nil
        }
        return if let open { open } else { try await opening(in: epoch).value }
    }

    /// Does what prepares the store that this task opens.
    static func preparing(_ prepare: () async throws -> Void) async throws {
        try await $prepared.withValue(opened) { try await prepare() }
    }

    /// Calls an observer with the store: now if it is open, otherwise before any other caller gets it.
    func attach(_ observer: @escaping Observer) {
        let open = guarded.withLock { guarded -> DataStore? in
            if case .open(let store) = guarded.state { return store }
            guarded.observers.append(observer)
            _ = opening(&guarded)
            return nil
        }
        if let open { observer(.success(open)) }
    }

    /// Whether a store is the one that all calls get, and not one that is or was closed.
    func isPresent(_ store: DataStore) -> Bool { guarded.withLock { $0.present === store } }

    /// Closes the store, if it is open; the next call opens it again.
    ///
    /// - Parameter ending: Ends what uses the store, when no call gets it any longer.
    /// - Throws: What closing the store throws.
    func close(after ending: @escaping @Sendable () async -> Void) async throws {
        let closing = guarded.withLock { guarded in
            let old = guarded
            let closing = Task {
                _ = await old.closing?.result
                for observer in old.observers { observer(.failure(Self.closed)) }
                await ending()
                switch old.state {
                case .closed: break
                // Sees that it comes too late and closes the store itself.
                case .opening(let task): _ = await task.result
                case .open(let store): try await store.close()
                }
            }
            guarded = Guarded(epoch: old.epoch + 1, closing: closing)
            return closing
        }
        try await closing.value
    }

    private func opening(in epoch: UInt64?) throws -> Task<DataStore, any Error> {
        try guarded.withLock { guarded in
            if let epoch, epoch != guarded.epoch { throw Self.closed }
            return opening(&guarded)
        }
    }

    private func opening(_ guarded: inout Guarded) -> Task<DataStore, any Error> {
        switch guarded.state {
        case .opening(let task): return task
        case .open(let store): return Task { store }
        case .closed:
            let (epoch, closing) = (guarded.epoch, guarded.closing)
            // Not the caller's task: others wait for the same store, and the caller may be cancelled.
            let task = Task {
                _ = await closing?.result
                return try await self.open(in: epoch)
            }
            guarded.state = .opening(task)
            return task
        }
    }

    private func open(in epoch: UInt64) async throws -> DataStore {
        let result: Result<DataStore, any Error>
        do {
            result = .success(try await Self.$opened.withValue(self) { try await make() })
        } catch {
            result = .failure(error)
        }
        var isAgain = true
        while isAgain {
            let observers: [Observer]? = guarded.withLock { guarded in
                guard guarded.epoch == epoch else { return nil }
                guarded.present = try? result.get()
                if guarded.observers.isEmpty { guarded.finish(result) }
                defer { guarded.observers = [] }
                return guarded.observers
            }
            guard let observers else {
                try await (try? result.get())?.close()
                throw Self.closed
            }
            for observer in observers { observer(result) }
            isAgain = !observers.isEmpty
        }
        return try result.get()
    }

    private static var waitingForItself: StorageError {
        StorageError(
            .misuse, "'prepareStore' called Amplify.DataStore, which waits for it; use the store that it is given.")
    }

    private static var closed: StorageError {
        StorageError(.closed, "The DataStore was reset; configure it again.")
    }
}

extension StoreHandle.Guarded {
    fileprivate mutating func finish(_ result: Result<DataStore, any Error>) {
        switch result {
        case .success(let store):
            state = .open(store)
            ModelRegistry.loader = store
        case .failure:
            state = .closed
        }
    }
}
