package import HoldfastModel
package import HoldfastStorage

extension DataStore {
    /// Deletes all records of all models, and everything that awaits a service, in one commit.
    ///
    /// Nothing of it is observed; a live query that goes on shows its result as it was.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.io`. Nothing was changed.
    @concurrent package func clear() async throws {
        let system = engine.recordsMutations ? [OutboxEntry.entity] : []
        let operations = (catalog.entities + system).map { WriteOperation.clear(entity: $0.name) }
        try await engine.commit(operations)
    }

    /// Empties a store whose models differ from those at hand, and leaves it with the models at hand.
    ///
    /// All records and everything that speaks of them are deleted; settings stay.
    ///
    /// - Parameters:
    ///   - models: The models that the store is to have.
    ///   - options: How the store behaves; its policy does not matter.
    ///   - make: A new handle, not yet opened; called several times.
    /// - Throws: ``StorageError`` as ``open(_:models:options:)``. After an error the call can be repeated.
    @concurrent package static func clearUnopenable(
        models: [any Model.Type], options: DataStoreOptions, _ make: @Sendable () throws -> any StorageAdapter
    ) async throws {
        let stored = try await Store.openAsStored(make)
        do {
            let entities = stored.schema.entities.map(\.name).filter { $0 != Setting.entity.name }
            _ = try await stored.commit(CommitRequest(operations: entities.map { .clear(entity: $0) }))
            try await stored.close()
        } catch {
            try? await stored.close()
            throw error
        }
        // Nothing is left that could be lost.
        var options = options
        options.schemaPolicy = .rebuild
        try await open(make(), models: models, options: options).close()
    }
}
