import HoldfastStorage

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
}
