public import Amplify
public import HoldfastModel

// The forms that take the model's schema. It has to be the schema of the model's type: a store knows the models
// that it was opened with and no others.
extension AWSDataStorePlugin {
    /// Creates or replaces a record; as `save(_:where:)`.
    ///
    /// - Throws: `DataStoreError`; `.invalidModelName` if the schema is another model's, as all calls here.
    @discardableResult
    public func save<M: Model>(
        _ model: M, modelSchema: ModelSchema, where condition: (any QueryPredicate)? = nil
    ) async throws -> M {
        try check(modelSchema, M.self)
        return try await save(model, where: condition)
    }

    /// Creates or replaces a record, with a callback.
    @preconcurrency public func save<M: Model>(
        _ model: M, modelSchema: ModelSchema, where condition: (any QueryPredicate)? = nil,
        completion: @escaping DataStoreCallback<M>
    ) {
        callbacks.run(completion) { try await self.save(model, modelSchema: modelSchema, where: condition) }
    }

    /// The record of an identifier, or `nil`.
    public func query<M: Model>(
        _ modelType: M.Type, modelSchema: ModelSchema, byIdentifier id: ModelIdentifier<M, M.IdentifierFormat>
    ) async throws -> M? where M: ModelIdentifiable {
        try check(modelSchema, M.self)
        return try await query(modelType, byIdentifier: id)
    }

    /// The record of an identifier, or `nil`, with a callback.
    @preconcurrency public func query<M: Model>(
        _ modelType: M.Type, modelSchema: ModelSchema, byIdentifier id: ModelIdentifier<M, M.IdentifierFormat>,
        completion: @escaping DataStoreCallback<M?>
    ) where M: ModelIdentifiable {
        callbacks.run(completion) { try await self.query(modelType, modelSchema: modelSchema, byIdentifier: id) }
    }

    /// The matching records; as `query(_:where:sort:paginate:)`.
    public func query<M: Model>(
        _ modelType: M.Type, modelSchema: ModelSchema, where predicate: (any QueryPredicate)? = nil,
        sort: [QuerySortDescriptor]? = nil, paginate: QueryPaginationInput? = nil
    ) async throws -> [M] {
        try check(modelSchema, M.self)
        let criteria = sort?.map { criterion -> QuerySortBy in
            criterion.order == .ascending ? .ascending(criterion.fieldName) : .descending(criterion.fieldName)
        }
        return try await query(
            modelType, where: predicate, sort: criteria.map { QuerySortInput($0) }, paginate: paginate)
    }

    /// The matching records, with a callback.
    @preconcurrency public func query<M: Model>(
        _ modelType: M.Type, modelSchema: ModelSchema, where predicate: (any QueryPredicate)? = nil,
        sort: [QuerySortDescriptor]? = nil, paginate: QueryPaginationInput? = nil,
        completion: @escaping DataStoreCallback<[M]>
    ) {
        callbacks.run(completion) {
            try await self.query(
                modelType, modelSchema: modelSchema, where: predicate, sort: sort, paginate: paginate)
        }
    }

    /// Deletes a record and the records that belong to it; as `delete(_:where:)`.
    public func delete<M: Model>(
        _ model: M, modelSchema: ModelSchema, where predicate: (any QueryPredicate)? = nil
    ) async throws {
        try check(modelSchema, M.self)
        try await delete(model, where: predicate)
    }

    /// Deletes a record and the records that belong to it, with a callback.
    @preconcurrency public func delete<M: Model>(
        _ model: M, modelSchema: ModelSchema, where predicate: (any QueryPredicate)? = nil,
        completion: @escaping DataStoreCallback<Void>
    ) {
        callbacks.run(completion) { try await self.delete(model, modelSchema: modelSchema, where: predicate) }
    }

    /// Deletes the record of an identifier and the records that belong to it.
    public func delete<M: Model>(
        _ modelType: M.Type, modelSchema: ModelSchema, withId id: String, where predicate: (any QueryPredicate)? = nil
    ) async throws {
        try check(modelSchema, M.self)
        try await delete(modelType, withId: id, where: predicate)
    }

    /// Deletes the record of an identifier and the records that belong to it, with a callback.
    @preconcurrency public func delete<M: Model>(
        _ modelType: M.Type, modelSchema: ModelSchema, withId id: String, where predicate: (any QueryPredicate)? = nil,
        completion: @escaping DataStoreCallback<Void>
    ) {
        callbacks.run(completion) {
            try await self.delete(modelType, modelSchema: modelSchema, withId: id, where: predicate)
        }
    }

    /// Deletes the record of an identifier and the records that belong to it.
    public func delete<M: Model>(
        _ modelType: M.Type, modelSchema: ModelSchema, withIdentifier id: ModelIdentifier<M, M.IdentifierFormat>,
        where predicate: (any QueryPredicate)? = nil
    ) async throws where M: ModelIdentifiable {
        try check(modelSchema, M.self)
        try await delete(modelType, withIdentifier: id, where: predicate)
    }

    /// Deletes the record of an identifier and the records that belong to it, with a callback.
    @preconcurrency public func delete<M: Model>(
        _ modelType: M.Type, modelSchema: ModelSchema, withIdentifier id: ModelIdentifier<M, M.IdentifierFormat>,
        where predicate: (any QueryPredicate)? = nil, completion: @escaping DataStoreCallback<Void>
    ) where M: ModelIdentifiable {
        callbacks.run(completion) {
            try await self.delete(modelType, modelSchema: modelSchema, withIdentifier: id, where: predicate)
        }
    }

    /// Deletes the matching records and the records that belong to them.
    public func delete<M: Model>(
        _ modelType: M.Type, modelSchema: ModelSchema, where predicate: any QueryPredicate
    ) async throws {
        try check(modelSchema, M.self)
        try await delete(modelType, where: predicate)
    }

    /// Deletes the matching records and the records that belong to them, with a callback.
    @preconcurrency public func delete<M: Model>(
        _ modelType: M.Type, modelSchema: ModelSchema, where predicate: any QueryPredicate,
        completion: @escaping DataStoreCallback<Void>
    ) {
        callbacks.run(completion) { try await self.delete(modelType, modelSchema: modelSchema, where: predicate) }
    }

    private func check<M: Model>(_ schema: ModelSchema, _ type: M.Type) throws {
        if schema.name != M.schema.name { throw DataStoreError.invalidModelName(schema.name) }
    }
}
