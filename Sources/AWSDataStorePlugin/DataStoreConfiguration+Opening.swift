import Amplify
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension DataStoreConfiguration {
    /// Opens the store with the models of the registry.
    func open() async throws -> DataStore {
        let store = try await DataStore.open(storageAdapter(), models: models, options: storeOptions)
        do {
            try await StoreHandle.preparing { try await prepareStore(store) }
        } catch {
            try? await store.close()
            throw error
        }
        return store
    }

    /// Empties a store whose models differ from those of the registry, so that it can be opened.
    func clearUnopenable() async throws {
        try await DataStore.clearUnopenable(models: models, options: storeOptions, storageAdapter)
    }

    private var models: [any Model.Type] { ModelRegistry.models.filter { !$0.schema.isSystem } }

    private var storeOptions: DataStoreOptions {
        var options = options
        options.schemaPolicy = schemaPolicy
        let (errorHandler, handler) = (errorHandler, options.unsentChangesLost)
        let unreadableRecord = options.unreadableRecord
        options.unreadableRecord = { error in
            unreadableRecord?(error)
            errorHandler(DataStoreError(error, modelName: ""))
        }
        options.unsentChangesLost = { counts in
            handler?(counts)
            errorHandler(DataStoreError.unsentChangesLost(counts))
            Amplify.Hub.dispatch(
                to: .dataStore,
                payload: HubPayload(
                    eventName: HubPayload.EventName.DataStore.unsentChangesLost,
                    data: UnsentChangesLostEvent(counts: counts)))
        }
        return options
    }
}

extension DataStoreError {
    fileprivate static func unsentChangesLost(_ counts: [String: Int]) -> DataStoreError {
        let models = counts.sorted { $0.key < $1.key }.map { "\($0.value) of '\($0.key)'" }
        return .sync(
            "The models changed, so the store was rebuilt and changes that awaited the service were given up: "
                + models.joined(separator: ", ") + ".",
            "Configure 'schemaPolicy: .migrate(…)' to keep records and changes when models change.")
    }
}
