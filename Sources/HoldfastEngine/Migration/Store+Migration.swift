package import HoldfastStorage

extension Store {
    /// Opens a store that holds models, by the policy for those it was written with, and stores their version.
    package static func open(
        _ adapter: any StorageAdapter, models: [EntitySchema], options: DataStoreOptions
    ) async throws -> Store {
        let schema = try StorageSchema(
            entities: models + SystemEntities.entities(recordsMutations: options.recordsMutations))
        let plan = MigrationPlan(policy: options.schemaPolicy, schema: schema, progress: options.migrationProgress)
        let store: Store
        do {
            store = try await open(adapter, schema: schema) { stored throws(StorageError) in
                try plan.migration(from: stored)
            }
        } catch {
            throw plan.failure.reported ?? error
        }
        let lost = plan.lost.counts
        if !lost.isEmpty { options.unsentChangesLost?(lost) }
        do {
            let version = SchemaVersion(of: models).hash
            if try await store.setting(SchemaVersion.settingKey) != version {
                try await store.set(Setting(key: SchemaVersion.settingKey, value: version))
            }
        } catch let error as StorageError where error.kind == .readOnly {
            // A process that may write will record it.
        } catch {
            try? await store.close()
            throw error
        }
        return store
    }
}
