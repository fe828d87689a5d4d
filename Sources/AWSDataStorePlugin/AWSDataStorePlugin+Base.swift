import Amplify
import HoldfastEngine
public import HoldfastModel

extension AWSDataStorePlugin {
    /// Creates or replaces a record; see `DataStoreCategory.save(_:where:)`.
    @discardableResult
    public func save<M: Model>(_ model: M, where condition: (any QueryPredicate)? = nil) async throws -> M {
        try await withStore(for: M.modelName) { store in
            try await store.save(model, where: effective(condition))
            // As stored: its lists and references load. The save has happened, also if this fails.
            let saved = (try? await store.load(M.self, key: model.recordKey())) ?? model
            await self.dispatchEnqueued(saved, in: store)
            return saved
        }
    }

    /// The record of an identifier, or `nil`.
    public func query<M: Model>(_ modelType: M.Type, byId id: String) async throws -> M? {
        if M.schema.isSystem { return try await query(modelType, where: field("id").eq(id)).first }
        return try await withStore(for: M.modelName) { try await $0.query(modelType, byId: id) }
    }

    /// The record of an identifier, or `nil`.
    public func query<M: Model>(_ modelType: M.Type, byIdentifier id: String) async throws -> M?
    where M: ModelIdentifiable, M.IdentifierFormat == ModelIdentifierFormat.Default {
        try await query(modelType, byId: id)
    }

    /// The record of an identifier, or `nil`.
    public func query<M: Model>(
        _ modelType: M.Type, byIdentifier id: ModelIdentifier<M, M.IdentifierFormat>
    ) async throws -> M? where M: ModelIdentifiable {
        if let id = id.idAlone { return try await query(modelType, byId: id) }
        return try await withStore(for: M.modelName) {
            try await $0.load(modelType, key: id.recordKey(in: modelType.schema))
        }
    }

    /// The matching records; see `DataStoreCategory.query(_:where:sort:paginate:)`.
    public func query<M: Model>(
        _ modelType: M.Type, where predicate: (any QueryPredicate)? = nil, sort sortInput: QuerySortInput? = nil,
        paginate paginationInput: QueryPaginationInput? = nil
    ) async throws -> [M] {
        try await withStore(for: M.modelName) { store in
            if M.schema.isSystem,
                let models = try await store.systemModels(
                    modelType, where: predicate, sort: sortInput, paginate: paginationInput)
            {
                return models
            }
            return try await store.query(modelType, where: predicate, sort: sortInput, paginate: paginationInput)
        }
    }

    /// Deletes a record and the records that belong to it; see `DataStoreCategory.delete(_:where:)`.
    public func delete<M: Model>(_ model: M, where predicate: (any QueryPredicate)? = nil) async throws {
        try await withStore(for: M.modelName) { store in
            let existed = try await store.delete(model, where: effective(predicate))
            if existed { await self.dispatchEnqueued(model, in: store) }
        }
    }

    /// Deletes the record of an identifier and the records that belong to it.
    public func delete<M: Model>(
        _ modelType: M.Type, withId id: String, where predicate: (any QueryPredicate)? = nil
    ) async throws {
        try await withStore(for: M.modelName) { store in
            _ = try await store.delete(modelType, withId: id, where: effective(predicate))
            if !self.hasService { await self.dispatchOutboxStatus(of: store) }
        }
    }

    /// Deletes the record of an identifier and the records that belong to it.
    public func delete<M: Model>(
        _ modelType: M.Type, withIdentifier id: String, where predicate: (any QueryPredicate)? = nil
    ) async throws where M: ModelIdentifiable, M.IdentifierFormat == ModelIdentifierFormat.Default {
        try await delete(modelType, withId: id, where: predicate)
    }

    /// Deletes the record of an identifier and the records that belong to it.
    public func delete<M: Model>(
        _ modelType: M.Type, withIdentifier id: ModelIdentifier<M, M.IdentifierFormat>,
        where predicate: (any QueryPredicate)? = nil
    ) async throws where M: ModelIdentifiable {
        if let id = id.idAlone { return try await delete(modelType, withId: id, where: predicate) }
        try await withStore(for: M.modelName) { store in
            let key = try id.recordKey(in: modelType.schema)
            _ = try await store.delete(modelType, withId: key, where: effective(predicate))
            if !self.hasService { await self.dispatchOutboxStatus(of: store) }
        }
    }

    /// Deletes the matching records, and the records that belong to them; see `DataStoreCategory.delete(_:where:)`.
    public func delete<M: Model>(_ modelType: M.Type, where predicate: any QueryPredicate) async throws {
        try await withStore(for: M.modelName) { store in
            _ = try await store.delete(modelType, where: predicate)
            if !self.hasService { await self.dispatchOutboxStatus(of: store) }
        }
    }

    /// Carries out a call on the open store to its end, with the errors of the original.
    private func withStore<Result: Sendable>(
        for modelName: String, _ call: @escaping @Sendable (DataStore) async throws -> Result
    ) async throws -> Result {
        try await uncancelled {
            let store = try await self.store()
            return try await translating(modelName) { try await call(store) }
        }
    }

    private func dispatchEnqueued<M: Model>(_ model: M, in store: DataStore) async {
        // With a service the events come from the store's commits.
        guard !hasService, Amplify.Hub.isHeard(on: .dataStore), M.schema.isSyncable else { return }
        // A save of what is stored already awaits nothing, nor does the deletion of what was not sent.
        if let key = try? model.recordKey(), (try? await store.hasUnsentChanges(M.modelName, key.outboxText)) == true {
            dispatch(
                HubPayload.EventName.DataStore.outboxMutationEnqueued,
                OutboxMutationEvent(modelName: M.modelName, element: .init(model: model)))
        }
        await dispatchOutboxStatus(of: store)
    }
}

/// Carries out a call to its end, also if the task that made it is cancelled, as the original does.
func uncancelled<Result: Sendable>(_ call: @escaping @Sendable () async throws -> Result) async throws -> Result {
    // Not a child of the caller's task, but with its priority and its values.
    try await Task { try await call() }.value
}

/// A condition, or `nil` if it is one that every record satisfies, also one that does not exist yet.
private func effective(_ condition: (any QueryPredicate)?) -> (any QueryPredicate)? {
    condition is QueryPredicateConstant ? nil : condition
}

extension ModelIdentifier {
    /// The value of the field `id`, if that is all the identifier has: also of a key of several fields, as in older
    /// generated files, and of a key that is a number.
    fileprivate var idAlone: String? {
        let name = ModelIdentifierFormat.Default.name
        return keys == [name] && M.schema.field(withName: name) != nil ? stringValue : nil
    }
}
