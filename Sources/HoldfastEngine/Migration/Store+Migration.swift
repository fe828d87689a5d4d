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
            try await store.record(SchemaVersion(of: models))
        } catch let error as StorageError where error.kind == .readOnly {
            // A process that may write will record it.
        } catch {
            try? await store.close()
            throw error
        }
        return store
    }

    /// Stores the version of the models, and counts those that a migration has emptied, in one commit.
    ///
    /// A process that ends in between leaves the names of these models for the next one.
    private func record(_ version: SchemaVersion) async throws {
        let (settings, key) = (Setting.entity.name, RecordKey(SchemaVersion.settingKey))
        var stored = RowBuffer()
        try await get([key], of: settings, into: &stored)
        let (value, storedVersion) = (stored.versions[0] == 0 ? nil : stored[0, 1].textValue, stored.versions[0])
        if value == version.hash { return }
        var rows = [Setting(key: SchemaVersion.settingKey, value: version.hash).row]
        let names = SchemaVersion.emptiedModels(in: value ?? "").sorted().map { ClearCount.settingKey(of: $0) }
        if !names.isEmpty {
            var counts = RowBuffer()
            try await get(names.map { RecordKey($0) }, of: settings, into: &counts)
            for (row, name) in names.enumerated() {
                rows.append(Setting(key: name, value: String(ClearCount.count(in: counts, row) + 1)).row)
            }
        }
        let isCurrent: Precondition =
            storedVersion == 0
            ? .absent(entity: settings, key: key) : .version(entity: settings, key: key, storedVersion)
        do throws(StorageError) {
            _ = try await commit(
                CommitRequest(
                    preconditions: [isCurrent], operations: WriteOperation.put(rows, in: Setting.entity)))
        } catch {
            // Otherwise another process opens the store, and has counted them.
            guard error.kind == .preconditionFailed else { throw error }
        }
    }
}
