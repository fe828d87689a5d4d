import Amplify
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastSync

/// Reports what a synchronizer does and what the application changes to the Hub and the error handler, in order.
final class HubRelay: Sendable {
    /// The reports that wait to be dispatched.
    enum Item: Sendable {
        case notification(SyncNotification)
        case local(LocalChange)
    }

    private let store: DataStore
    private let errorHandler: DataStoreErrorHandler
    private let changes: LocalChanges
    private let items: AsyncStream<Item>
    private let continuation: AsyncStream<Item>.Continuation
    private let tasks = Mutex<[Task<Void, Never>]>([])

    /// Observes the store from now on.
    init(_ store: DataStore, _ errorHandler: @escaping DataStoreErrorHandler) {
        self.store = store
        self.errorHandler = errorHandler
        changes = store.observeLocalChanges()
        (items, continuation) = AsyncStream.makeStream()
    }

    /// Adds a notification of the synchronizer to those that wait; returns at once.
    func receive(_ notification: SyncNotification) {
        // Records are kept only for those who listen.
        if case .hub(.syncReceived) = notification, !Amplify.Hub.isHeard(on: .dataStore) { return }
        continuation.yield(.notification(notification))
    }

    /// Begins to report.
    func begin() async {
        var dispatcher = HubDispatcher(store: store, errorHandler: errorHandler)
        await dispatcher.begin()
        let (items, changes, continuation) = (items, changes, continuation)
        let dispatching = Task { [dispatcher] in
            var dispatcher = dispatcher
            for await item in items { await dispatcher.handle(item) }
        }
        let observing = Task {
            // Fails only when the store is closed.
            do { for try await change in changes { continuation.yield(.local(change)) } } catch {}
        }
        tasks.withLock { $0 = [dispatching, observing] }
    }

    /// Ends once everything that was accepted is dispatched.
    func end() async {
        let tasks = tasks.withLock { $0 }
        tasks.last?.cancel()
        await tasks.last?.value
        continuation.finish()
        await tasks.first?.value
    }
}
