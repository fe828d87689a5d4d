public import HoldfastModel

/// Saving, querying and deleting models.
public protocol DataStoreBaseBehavior {
    /// Creates or replaces a record; see ``DataStoreCategory/save(_:where:)``.
    @discardableResult
    func save<M: Model>(_ model: M, where condition: (any QueryPredicate)?) async throws -> M
    /// The record of an identifier, or `nil`.
    func query<M: Model>(_ modelType: M.Type, byId id: String) async throws -> M?
    /// The record of an identifier, or `nil`.
    func query<M: Model>(_ modelType: M.Type, byIdentifier id: String) async throws -> M?
    where M: ModelIdentifiable, M.IdentifierFormat == ModelIdentifierFormat.Default
    /// The record of an identifier, or `nil`.
    func query<M: Model>(
        _ modelType: M.Type, byIdentifier id: ModelIdentifier<M, M.IdentifierFormat>
    ) async throws -> M? where M: ModelIdentifiable
    /// The matching records.
    func query<M: Model>(
        _ modelType: M.Type, where predicate: (any QueryPredicate)?, sort sortInput: QuerySortInput?,
        paginate paginationInput: QueryPaginationInput?
    ) async throws -> [M]
    /// Deletes a record and the records that belong to it.
    func delete<M: Model>(_ model: M, where predicate: (any QueryPredicate)?) async throws
    /// Deletes the record of an identifier and the records that belong to it.
    func delete<M: Model>(_ modelType: M.Type, withId id: String, where predicate: (any QueryPredicate)?) async throws
    /// Deletes the record of an identifier and the records that belong to it.
    func delete<M: Model>(
        _ modelType: M.Type, withIdentifier id: String, where predicate: (any QueryPredicate)?
    ) async throws where M: ModelIdentifiable, M.IdentifierFormat == ModelIdentifierFormat.Default
    /// Deletes the record of an identifier and the records that belong to it.
    func delete<M: Model>(
        _ modelType: M.Type, withIdentifier id: ModelIdentifier<M, M.IdentifierFormat>,
        where predicate: (any QueryPredicate)?
    ) async throws where M: ModelIdentifiable
    /// Deletes the matching records and the records that belong to them.
    func delete<M: Model>(_ modelType: M.Type, where predicate: any QueryPredicate) async throws
    /// Opens the store, and starts synchronizing it with the service if there is one.
    func start() async throws
    /// Stops synchronizing the store with the service; the records stay.
    func stop() async throws
    /// Deletes all records and everything that awaits the service.
    func clear() async throws
}
