import Amplify
import HoldfastEngine
import HoldfastModel
import Synchronization

/// The store of a plugin: opened by whoever needs it first, once, and shared by all.
///
/// Observers that come before it is open are attached before anybody can write to it, so that they miss nothing.
final class StoreHandle: Sendable {
    typealias Observer = @Sendable (Result<DataStore, any Error>) -> Void

    private enum State {
        case closed
        case opening(Task<DataStore, any Error>)
        case open(DataStore)
    }

    private struct Guarded {
        var state = State.closed
        var observers: [Observer] = []
    }

    private let guarded = Mutex(Guarded())
    private let make: @Sendable () async throws -> DataStore

    /// - Parameter make: Opens the store.
    init(_ make: @escaping @Sendable () async throws -> DataStore) { self.make = make }

    /// The open store.
    func store() async throws -> DataStore {
        if let open = guarded.withLock({ if case .open(let store) = $0.state { store } else { nil } }) { return open }
        return try await opening().value
    }

    /// Calls an observer with the store: now if it is open, otherwise before anybody else gets it.
    func attach(_ observer: @escaping Observer) {
        let open = guarded.withLock { guarded -> DataStore? in
            if case .open(let store) = guarded.state { return store }
            guarded.observers.append(observer)
            return nil
        }
        if let open {
            observer(.success(open))
        } else {
            _ = opening()
        }
    }

    /// Closes the store, if it is open; the next call opens it anew.
    func close() async throws {
        let state = guarded.withLock { guarded in
            defer { guarded.state = .closed }
            return guarded.state
        }
        switch state {
        case .closed: break
        case .opening(let task): try await (try? task.value)?.close()
        case .open(let store): try await store.close()
        }
    }

    private func opening() -> Task<DataStore, any Error> {
        guarded.withLock { guarded in
            switch guarded.state {
            case .opening(let task): return task
            case .open(let store): return Task { store }
            case .closed:
                // Not the caller's task: others wait for the same store, and the caller may be cancelled.
                let task = Task { try await self.open() }
                guarded.state = .opening(task)
                return task
            }
        }
    }

    private func open() async throws -> DataStore {
        let result: Result<DataStore, any Error>
        do {
            result = .success(try await make())
        } catch {
            result = .failure(error)
        }
        while true {
            let observers = guarded.withLock { guarded in
                defer { guarded.observers = [] }
                if guarded.observers.isEmpty { guarded.state = (try? result.get()).map(State.open) ?? .closed }
                return guarded.observers
            }
            if observers.isEmpty { break }
            for observer in observers { observer(result) }
        }
        return try result.get()
    }
}
