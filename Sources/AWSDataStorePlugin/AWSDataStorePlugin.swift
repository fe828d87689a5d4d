public import Amplify
import Foundation
import HoldfastEngine
public import HoldfastModel
import HoldfastStorage
public import HoldfastSync

/// The DataStore: models in a store of the application's choice.
///
/// The store is opened by the first call that needs it. With an API plug-in, that call also starts to synchronize the
/// store with the service. Without one everything stays on the device: changes collect in the outbox, and no snapshot
/// is ever synced.
///
/// ```swift
/// try Amplify.add(
///     plugin: AWSDataStorePlugin(
///         modelRegistration: AmplifyModels(),
///         configuration: .custom(storageAdapter: SQLiteAdapter(path: path))))
/// try Amplify.configure()
/// ```
public final class AWSDataStorePlugin: DataStoreCategoryPlugin, DataStoreCallbackBehavior, DefaultLogger {
    /// The name under which the plug-in is found.
    public let key: PluginKey = "awsDataStorePlugin"
    /// How the DataStore behaves.
    public let configuration: DataStoreConfiguration

    /// Carries out the calls with a callback.
    public let callbacks = DataStoreCallbackQueue()

    let handle: StoreHandle
    let liveQueries = LiveQueries()
    private let sync: StoreSync
    // Immutable and generated: a class with constants only.
    private nonisolated(unsafe) let modelRegistration: any AmplifyModelRegistration
    private let isStarted = Mutex(false)
    /// The task that sends the first events without a service; `nil` before it starts.
    private let firstEvents = Mutex<Task<Void, Never>?>(nil)

    /// The plug-in's logger.
    public static var log: any Logger { DataStoreCategory.log }

    /// Creates a plug-in; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - modelRegistration: The models, as generated code lists them.
    ///   - dataStoreConfiguration: How the DataStore behaves.
    public init(
        modelRegistration: any AmplifyModelRegistration,
        configuration dataStoreConfiguration: DataStoreConfiguration = .default
    ) {
        self.modelRegistration = modelRegistration
        configuration = dataStoreConfiguration
        handle = StoreHandle { try await dataStoreConfiguration.open() }
        sync = StoreSync(dataStoreConfiguration)
    }

    /// What synchronizes the open store with the service; `nil` until it was started, and without a service.
    ///
    /// It reports the sync status, and its store returns receipts. Start and stop through the plug-in alone.
    public var synchronizer: Synchronizer? { sync.synchronizer }

    /// Registers the models; opens nothing.
    public func configure(using configuration: Any?) throws {
        modelRegistration.registerModels(registry: ModelRegistry.self)
    }

    /// Closes the store and ends all observations.
    public func reset() async {
        liveQueries.end()
        do {
            // A call that still has the store cannot start it again any longer.
            try await handle.close {
                await self.sync.end(self.forgettingStart)
                ModelRegistry.loader = nil
            }
        } catch {
            log.error(error: error)
        }
    }

    /// Opens the store, and starts synchronizing it with the service if there is one; events report this, the first
    /// time and after each ``stop()``.
    ///
    /// Returns once the store is open and claimed for this process, or another process is found to synchronize it.
    public func start() async throws {
        // What failed or was refused is tried again when it is asked for.
        if sync.hasFailed || sync.isRefused { isStarted.withLock { $0 = false } }
        // The first events are sent also if the task is cancelled.
        _ = try await uncancelled { try await self.store() }
        guard hasService else { return }
        try await translating("") { try await sync.started() }
    }

    /// Ends what ``start()`` began; records and unsent changes stay, and any call starts again.
    public func stop() async throws {
        try await translating("") { try await sync.stop(forgettingStart) }
    }

    /// Deletes all records and everything that awaits a service, in one commit.
    ///
    /// A store that cannot be opened because its models differ is emptied as it is stored. Live queries show the
    /// emptied store; `observe` shows nothing of it, and the error handler gets `.changesMissed` for each.
    public func clear() async throws {
        let configuration = configuration
        try await translating("") {
            // Commands do not wait for the store, since closing it waits for them.
            let store = try await openableStore()
            try await sync.clear(forgettingStart) {
                if let store { try await store.clear() } else { try await configuration.clearUnopenable() }
            }
            if store == nil { _ = try await handle.store() }
        }
        liveQueries.restart()
    }

    /// The open store; `nil` if the stored models differ.
    private func openableStore() async throws -> DataStore? {
        do {
            return try await handle.store()
        } catch let error as StorageError where error.kind == .schemaMismatch {
            return nil
        }
    }

    /// The open store, with ``start()`` implied.
    ///
    /// - Parameter epoch: As for ``StoreHandle/store(in:)``.
    /// - Returns: The store, opened if it was closed.
    /// - Throws: ``DataStoreError`` if the store cannot be opened, or if it was closed since `epoch`.
    func store(in epoch: UInt64? = nil) async throws -> DataStore {
        let store = try await openStore(in: epoch)
        startSync(of: store)
        await dispatchStart(of: store)
        return store
    }

    /// Sends the first events of the open store once, if the store has no service.
    ///
    /// All calls wait for them, so that what a call does is not reported before.
    func dispatchStart(of store: DataStore) async {
        if hasService { return }
        let task = firstEvents.withLock { task in
            if task == nil, handle.isPresent(store) {
                // A task of its own: the call that is first may be cancelled.
                task = Task { await self.dispatchFirstEvents(of: store) }
            }
            return task
        }
        await task?.value
    }

    private func dispatchFirstEvents(of store: DataStore) async {
        dispatch(HubPayload.EventName.DataStore.networkStatus, NetworkStatusEvent(active: false))
        await dispatchOutboxStatus(of: store)
        guard handle.isPresent(store) else { return }
        dispatch(HubPayload.EventName.DataStore.ready)
    }

    /// Whether an API plug-in leads to a service.
    var hasService: Bool { Amplify.API.syncSource != nil }

    /// Queues a command that ends what was started, so that a call beside it starts again after the command or not
    /// at all.
    private func forgettingStart(_ queue: () -> Void) {
        isStarted.withLock { isStarted in
            isStarted = false
            queue()
        }
        firstEvents.withLock { $0 = nil }
    }

    /// Starts synchronizing the open store, if it was not started, or if that failed or was refused a while ago.
    func startSync(of store: DataStore) {
        guard let source = Amplify.API.syncSource else { return }
        isStarted.withLock { isStarted in
            if isStarted && !sync.isDue || !handle.isPresent(store) { return }
            isStarted = true
            // Under the lock, so that no other call changes a record before changes are observed.
            sync.start(store, source)
        }
    }

    /// The open store; as ``store(in:)``, but begins nothing.
    func openStore(in epoch: UInt64? = nil) async throws -> DataStore {
        let handle = handle
        return try await translating("") { try await handle.store(in: epoch) }
    }

    func dispatch(_ eventName: HubPayloadEventName, _ data: Any? = nil) {
        Amplify.Hub.dispatch(to: .dataStore, payload: HubPayload(eventName: eventName, data: data))
    }

    func dispatchOutboxStatus(of store: DataStore) async {
        guard Amplify.Hub.isHeard(on: .dataStore), let isEmpty = try? await store.isOutboxEmpty() else { return }
        dispatch(HubPayload.EventName.DataStore.outboxStatus, OutboxStatusEvent(isEmpty: isEmpty))
    }
}
