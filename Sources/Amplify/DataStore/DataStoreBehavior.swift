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
    /// Opens the store, and begins to keep it in step with the service if there is one.
    func start() async throws
    /// Ends keeping the store in step with the service; the records stay.
    func stop() async throws
    /// Deletes all records and everything that awaits the service.
    func clear() async throws
}

/// Observing models.
public protocol DataStoreSubscribeBehavior {
    /// The changes of a model's records from now on.
    func observe<M: Model>(_ modelType: M.Type) -> AmplifyAsyncThrowingSequence<MutationEvent>
    /// The matching records now and after every change of them.
    func observeQuery<M: Model>(
        for modelType: M.Type, where predicate: (any QueryPredicate)?, sort sortInput: QuerySortInput?
    ) -> AmplifyAsyncThrowingSequence<DataStoreQuerySnapshot<M>>
}

/// All that a DataStore does.
public typealias DataStoreCategoryBehavior = DataStoreBaseBehavior & DataStoreSubscribeBehavior

/// What the DataStore category runs on.
public protocol DataStoreCategoryPlugin: Plugin, DataStoreBaseBehavior, DataStoreSubscribeBehavior {}

extension DataStoreCategoryPlugin {
    /// The DataStore.
    public var categoryType: CategoryType { .dataStore }
}

/// The matching records at one moment.
public struct DataStoreQuerySnapshot<M: Model>: Sendable {
    /// The records, in the query's order.
    public let items: [M]
    /// Whether the model's records are in step with the service.
    public let isSynced: Bool

    /// Creates a snapshot.
    public init(items: [M], isSynced: Bool) {
        self.items = items
        self.isSynced = isSynced
    }
}
