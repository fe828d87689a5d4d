public import HoldfastModel
public import HoldfastStorage

/// A consistent view of the store: all reads agree with each other, also while others write.
///
/// Valid within the closure it was handed to. Relations, lists, and pages of the models that it reads are read from it,
/// too, as long as the closure runs; after that they are read from the store.
///
/// Immutable: it has a subclass, but neither has a variable, and all constants are `Sendable`.
public class ReadTransaction: @unchecked Sendable {
    let store: DataStore
    let source: any RecordSource
    let loader: SourceLoader

    init(store: DataStore, source: any RecordSource) {
        self.store = store
        self.source = source
        loader = SourceLoader(store: store, source: source)
    }

    /// Answers queries as the transaction sees the store.
    var reader: QueryReader { store.reader(source) }

    /// The record of an identifier, or `nil`; as ``DataStore/query(_:byId:)-(_,String)``.
    @concurrent public func query<M: Model>(_ type: M.Type, byId id: String) async throws -> M? {
        try await store.load(type, id: id, from: source, loader: loader)
    }

    /// The record of a key of any shape, or `nil`; as ``DataStore/query(_:byId:)-(_,RecordKey)``.
    @concurrent public func query<M: Model>(_ type: M.Type, byId key: RecordKey) async throws -> M? {
        try await store.load(type, key: key, from: source, loader: loader)
    }

    /// Records of a model; as ``DataStore/query(_:where:sort:paginate:)``.
    @concurrent public func query<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil, sort: QuerySortInput? = nil,
        paginate: QueryPaginationInput? = nil
    ) async throws -> [M] {
        let query = try store.catalog.query(
            store.catalog.model(type), where: predicate, sort: sort, paginate: paginate)
        return try await store.models(type, query, from: source, loader: loader)
    }

    /// The records that follow one in the order of a query; as ``DataStore/query(_:where:sort:after:limit:)``.
    @concurrent public func query<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil, sort: QuerySortInput? = nil, after last: M?,
        limit: Int
    ) async throws -> [M] {
        let row = try await store.row(of: last, sort: sort, in: source)
        let query = try store.catalog.query(type, where: predicate, sort: sort, after: row, limit: limit)
        return try await store.models(type, query, from: source, loader: loader)
    }
}
