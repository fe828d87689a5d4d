/// Saving, querying and deleting models in the older form, with a callback.
///
/// Calls are carried out in the order in which they were made; callbacks run on any thread.
public protocol DataStoreCallbackBehavior: DataStoreBaseBehavior, Sendable {
    /// Carries out the calls.
    var callbacks: DataStoreCallbackQueue { get }
}

extension DataStoreCallbackBehavior {
    /// ``save(_:where:)`` with a callback.
    @preconcurrency public func save<M: Model>(
        _ model: M, where condition: (any QueryPredicate)? = nil, completion: @escaping DataStoreCallback<M>
    ) {
        callbacks.run(completion) { try await self.save(model, where: condition) }
    }

    /// ``query(_:byId:)`` with a callback.
    @preconcurrency public func query<M: Model>(
        _ modelType: M.Type, byId id: String, completion: @escaping DataStoreCallback<M?>
    ) {
        callbacks.run(completion) { try await self.query(modelType, byId: id) }
    }

    /// ``query(_:byIdentifier:)`` with a callback.
    @preconcurrency public func query<M: Model>(
        _ modelType: M.Type, byIdentifier id: String, completion: @escaping DataStoreCallback<M?>
    ) where M: ModelIdentifiable, M.IdentifierFormat == ModelIdentifierFormat.Default {
        callbacks.run(completion) { try await self.query(modelType, byIdentifier: id) }
    }

    /// ``query(_:byIdentifier:)`` with a callback.
    @preconcurrency public func query<M: Model>(
        _ modelType: M.Type, byIdentifier id: ModelIdentifier<M, M.IdentifierFormat>,
        completion: @escaping DataStoreCallback<M?>
    ) where M: ModelIdentifiable {
        callbacks.run(completion) { try await self.query(modelType, byIdentifier: id) }
    }

    /// ``query(_:where:sort:paginate:)`` with a callback.
    @preconcurrency public func query<M: Model>(
        _ modelType: M.Type, where predicate: (any QueryPredicate)? = nil, sort sortInput: QuerySortInput? = nil,
        paginate paginationInput: QueryPaginationInput? = nil, completion: @escaping DataStoreCallback<[M]>
    ) {
        callbacks.run(completion) {
            try await self.query(modelType, where: predicate, sort: sortInput, paginate: paginationInput)
        }
    }

    /// ``query(_:where:sort:paginate:)`` with a callback, and with the condition in a closure.
    @preconcurrency public func query<M: Model>(
        _ modelType: M.Type, where predicate: () -> any QueryPredicate, sort sortInput: QuerySortInput? = nil,
        paginate paginationInput: QueryPaginationInput? = nil, completion: @escaping DataStoreCallback<[M]>
    ) {
        query(modelType, where: predicate(), sort: sortInput, paginate: paginationInput, completion: completion)
    }

    /// ``delete(_:where:)`` with a callback.
    @preconcurrency public func delete<M: Model>(
        _ model: M, where predicate: (any QueryPredicate)? = nil, completion: @escaping DataStoreCallback<Void>
    ) {
        callbacks.run(completion) { try await self.delete(model, where: predicate) }
    }

    /// ``delete(_:withId:where:)`` with a callback.
    @preconcurrency public func delete<M: Model>(
        _ modelType: M.Type, withId id: String, where predicate: (any QueryPredicate)? = nil,
        completion: @escaping DataStoreCallback<Void>
    ) {
        callbacks.run(completion) { try await self.delete(modelType, withId: id, where: predicate) }
    }

    /// ``delete(_:withIdentifier:where:)`` with a callback.
    @preconcurrency public func delete<M: Model>(
        _ modelType: M.Type, withIdentifier id: String, where predicate: (any QueryPredicate)? = nil,
        completion: @escaping DataStoreCallback<Void>
    ) where M: ModelIdentifiable, M.IdentifierFormat == ModelIdentifierFormat.Default {
        callbacks.run(completion) { try await self.delete(modelType, withIdentifier: id, where: predicate) }
    }

    /// ``delete(_:withIdentifier:where:)`` with a callback.
    @preconcurrency public func delete<M: Model>(
        _ modelType: M.Type, withIdentifier id: ModelIdentifier<M, M.IdentifierFormat>,
        where predicate: (any QueryPredicate)? = nil, completion: @escaping DataStoreCallback<Void>
    ) where M: ModelIdentifiable {
        callbacks.run(completion) { try await self.delete(modelType, withIdentifier: id, where: predicate) }
    }

    /// ``delete(_:where:)`` of a model with a callback.
    @preconcurrency public func delete<M: Model>(
        _ modelType: M.Type, where predicate: any QueryPredicate, completion: @escaping DataStoreCallback<Void>
    ) {
        callbacks.run(completion) { try await self.delete(modelType, where: predicate) }
    }

    /// ``start()`` with a callback.
    @preconcurrency public func start(completion: @escaping DataStoreCallback<Void>) {
        callbacks.run(completion) { try await self.start() }
    }

    /// ``stop()`` with a callback.
    @preconcurrency public func stop(completion: @escaping DataStoreCallback<Void>) {
        callbacks.run(completion) { try await self.stop() }
    }

    /// ``clear()`` with a callback, which is called once.
    @preconcurrency public func clear(completion: @escaping DataStoreCallback<Void>) {
        callbacks.run(completion) { try await self.clear() }
    }
}
