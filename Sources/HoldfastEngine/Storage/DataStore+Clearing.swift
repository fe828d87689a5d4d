package import HoldfastModel
package import HoldfastStorage

extension DataStore {
    /// Deletes all records of all models, and everything that is kept of a service, in one commit.
    ///
    /// Unsent changes and dead letters are lost, and receipts say ``Receipt/State/cleared``; settings stay. A sync
    /// engine that is in progress fails at its next step and has to begin again. Live queries answer again; other
    /// observers get the error `.changesMissed`.
    ///
    /// ```swift
    /// try await store.clear()  // for instance when another person signs in
    /// ```
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`, `.conflict`, `.io`. Nothing was changed.
    @concurrent public func clear() async throws {
        _ = try await cancellable {
            try await engine.commit { _ in
                var draft = WriteDraft(pending: PendingEntries(), at: nil)
                for entity in catalog.entities { draft.clear(entity, isObserved: true) }
                guard engine.recordsMutations else { return draft }
                for entity in SystemEntities.ofModels { draft.clear(entity, isObserved: false) }
                let cleared = try await store.clearCount()
                draft.require([cleared.isCurrent])
                draft.put(cleared.next, .upsert, Setting.entity.name)
                if let (session, version) = try await syncSession() {
                    draft.require([.version(entity: SyncSession.entity.name, key: SyncSession.storedKey, version)])
                    let next = SyncSession(holder: "", until: .min, epoch: session.epoch + 1)
                    draft.put(RowBuffer(row: next.row), .update, SyncSession.entity.name)
                }
                return draft
            }
        }
        // What is saved before the next session knows its user is not the change of the one before.
        engine.author = nil
    }

    /// Empties a store whose models differ from the given ones, and leaves it with the given models.
    ///
    /// All records and everything that speaks of them are deleted; settings stay.
    ///
    /// - Parameters:
    ///   - models: The models that the store should have.
    ///   - options: How the store behaves; its policy does not matter.
    ///   - make: A new handle, not yet opened; called several times.
    /// - Throws: ``StorageError`` as ``open(_:models:options:)``. After an error the call can be repeated.
    @concurrent package static func clearUnopenable(
        models: [any Model.Type], options: DataStoreOptions, _ make: @Sendable () throws -> any StorageAdapter
    ) async throws {
        let stored = try await Store.openAsStored(make)
        do {
            let (entities, settings) = (stored.schema.entities.map(\.name), Setting.entity.name)
            var request = CommitRequest(
                operations: entities.filter { $0 != settings }.map { .clear(entity: $0) })
            if entities.contains(settings) {
                let cleared = try await stored.clearCount()
                request.preconditions = [cleared.isCurrent]
                request.operations.append(.put(entity: settings, rows: cleared.next, mode: .upsert))
            }
            _ = try await stored.commit(request)
            try await stored.close()
        } catch {
            try? await stored.close()
            throw error
        }
        // Nothing is left that could be lost.
        var options = options
        options.schemaPolicy = .rebuildEmptied
        try await open(make(), models: models, options: options).close()
    }
}
