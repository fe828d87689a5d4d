public import HoldfastModel
public import HoldfastStorage

extension DataStore {
    /// Says where the state of a record comes from, for logs and support.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - key: The record's key; it need not exist.
    /// - Returns: What is known of the record; only whether it is stored if the store does not record mutations.
    /// - Throws: ``/HoldfastModel/ModelError`` `.unregistered`; ``/HoldfastStorage/StorageError`` `.closed`, `.io`.
    @concurrent public func explain<M: Model>(_ type: M.Type, _ key: RecordKey) async throws -> RecordExplanation {
        let entity = try catalog.entity(of: type)
        guard engine.recordsMutations else {
            let row = try await storedRow(entity.name, key)
            return RecordExplanation(
                modelName: entity.name, isStored: row != nil, service: nil, unsent: [], shelved: nil, deadLetters: [])
        }
        return try await withSnapshot { snapshot in
            let found = try await syncedRecords([key], of: entity, in: snapshot)
            let record = found[0].record
            let letters = try await snapshot.rows(
                QueryPlan(
                    DeadLetter.entity.name,
                    where: .and([
                        .compare("model", .equal, .text(entity.name)), .compare("key", .equal, .text(key.outboxText)),
                        DeadLetter.shown(to: try await presentIdentity(in: snapshot)),
                    ])))
            return RecordExplanation(
                modelName: entity.name, isStored: record.row != nil,
                service: record.metadata.map {
                    RecordExplanation.ServiceState(
                        version: $0.version, lastChangedAt: $0.lastChangedAt, isDeleted: $0.isDeleted,
                        isOutside: $0.isOutside)
                },
                unsent: record.entries,
                shelved: record.shelf.map {
                    RecordExplanation.Shelved(version: $0.version, isDeleted: $0.isDeleted, reason: $0.reason.rawValue)
                },
                deadLetters: (0..<letters.rowCount).compactMap { DeadLetter(letters[$0]) })
        }
    }

    /// Says where the state of the record of an identifier comes from; otherwise as for a key.
    ///
    /// The record is found as by ``query(_:byId:)-(_,String)``. If the store has none, the identifier is taken for the
    /// key: a record that was deleted is found by its key alone.
    ///
    /// ```swift
    /// let explanation = try await store.explain(Post.self, "p1")
    /// let text = explanation.description
    /// // The store has the 'Post'.
    /// // The service has said nothing of it.
    /// // A local create awaits the service.
    /// ```
    ///
    /// - Throws: As for a key; ``/HoldfastStorage/StorageError`` `.schemaMismatch` or `.unrepresentable` as
    ///   ``query(_:byId:)-(_,String)``.
    @concurrent public func explain<M: Model>(_ type: M.Type, _ id: String) async throws -> RecordExplanation {
        let entity = try catalog.entity(of: type)
        if entity.hasTextKey { return try await explain(type, RecordKey(id)) }
        let found = try await withSnapshot { snapshot in try await key(of: id, entity, in: snapshot) }
        return try await explain(type, found ?? RecordKey(id))
    }
}
