public import Amplify
import Foundation
import HoldfastEngine
public import HoldfastModel
import HoldfastStorage
import Synchronization

/// The DataStore: models in a store of the application's choice.
///
/// The store is opened by the first call that needs it. Without a sync engine everything stays on the device: changes
/// collect in the outbox, and no snapshot is ever synced.
public final class AWSDataStorePlugin: DataStoreCategoryPlugin, DataStoreCallbackBehavior, DefaultLogger {
    /// The name under which the plugin is found.
    public let key: PluginKey = "awsDataStorePlugin"
    /// How the DataStore behaves.
    public let configuration: DataStoreConfiguration

    /// Carries out the calls with a callback.
    public let callbacks = DataStoreCallbackQueue()

    let handle: StoreHandle
    let liveQueries = LiveQueries()
    // Immutable and generated: a class with constants only.
    private nonisolated(unsafe) let modelRegistration: any AmplifyModelRegistration
    private let isStarted = Mutex(false)

    /// The plugin's logger.
    public static var log: any Logger { DataStoreCategory.log }

    /// Creates a plugin; nothing is opened yet.
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
    }

    /// Registers the models; opens nothing.
    public func configure(using configuration: Any?) throws {
        modelRegistration.registerModels(registry: ModelRegistry.self)
    }

    /// Closes the store and ends all observations.
    public func reset() async {
        isStarted.withLock { $0 = false }
        liveQueries.end()
        do {
            try await handle.close()
        } catch {
            log.error(error: error)
        }
        ModelRegistry.loader = nil
    }

    /// Opens the store; events say so, the first time and after each ``stop()``.
    public func start() async throws {
        _ = try await store()
    }

    /// Ends what ``start()`` began; the records and what awaits the service stay, and any call starts anew.
    public func stop() async throws {
        isStarted.withLock { $0 = false }
    }

    /// Deletes all records and everything that awaits a service, in one commit.
    ///
    /// A store that cannot be opened because its models differ is emptied as it is stored. Live queries show the emptied
    /// store; `observe` shows nothing of it.
    public func clear() async throws {
        let (handle, configuration) = (handle, configuration)
        try await translating("") {
            do {
                try await handle.store().clear()
            } catch let error as StorageError where error.kind == .schemaMismatch {
                try await configuration.clearUnopenable()
                _ = try await handle.store()
            }
        }
        isStarted.withLock { $0 = false }
        liveQueries.restart()
    }

    /// The open store, with ``start()`` implied.
    ///
    /// - Parameter epoch: As for ``StoreHandle/store(in:)``.
    func store(in epoch: UInt64? = nil) async throws -> DataStore {
        let handle = handle
        let store = try await translating("") { try await handle.store(in: epoch) }
        let starts = isStarted.withLock { isStarted in
            defer { isStarted = true }
            return !isStarted
        }
        if starts {
            dispatch(HubPayload.EventName.DataStore.networkStatus, NetworkStatusEvent(active: false))
            await dispatchOutboxStatus(of: store)
            dispatch(HubPayload.EventName.DataStore.ready)
        }
        return store
    }

    func dispatch(_ eventName: HubPayloadEventName, _ data: Any? = nil) {
        Amplify.Hub.dispatch(to: .dataStore, payload: HubPayload(eventName: eventName, data: data))
    }

    func dispatchOutboxStatus(of store: DataStore) async {
        guard Amplify.Hub.isHeard(on: .dataStore), let count = try? await store.outboxCount() else { return }
        dispatch(HubPayload.EventName.DataStore.outboxStatus, OutboxStatusEvent(isEmpty: count == 0))
    }
}
