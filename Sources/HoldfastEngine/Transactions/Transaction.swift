public import HoldfastModel
import HoldfastStorage

/// Several reads and writes that happen as one.
///
/// Reads come from one snapshot and see the transaction's own writes. Valid within the closure it was handed to.
public final class Transaction: Sendable {
    private let records: RecordTransaction
    let store: DataStore

    init(store: DataStore, records: RecordTransaction) {
        self.store = store
        self.records = records
    }

    /// Answers queries as the transaction sees the store.
    var reader: QueryReader { store.reader(records) }

    /// Creates or replaces a record.
    ///
    /// - Parameters:
    ///   - model: The record.
    ///   - condition: What the stored record must satisfy; it must exist then.
    /// - Throws: ``ModelError`` `.conditionFailed`; as a query.
    @concurrent public func save<M: Model>(_ model: M, where condition: (any QueryPredicate)? = nil) async throws {
        try await records.save(
            model.row(), of: store.catalog.entity(of: M.self), where: store.bound(M.self, condition))
    }

    /// Creates or replaces records; of several with one key the last is saved.
    @concurrent public func save<M: Model>(_ models: [M]) async throws {
        try await records.save(M.rows(models), of: store.catalog.entity(of: M.self))
    }

    /// Deletes a record and the records that belong to it; one that does not exist is no error.
    ///
    /// - Returns: Whether the record existed.
    @discardableResult
    @concurrent public func delete<M: Model>(_ model: M) async throws -> Bool {
        try await records.delete([model.recordKey()], of: store.catalog.entity(of: M.self)) > 0
    }

    /// Deletes all matching records and the records that belong to them.
    ///
    /// - Returns: The number of records of this model deleted.
    @discardableResult
    @concurrent public func delete<M: Model>(_ type: M.Type, where predicate: any QueryPredicate) async throws -> Int {
        let entity = try store.catalog.entity(of: type)
        let query = try store.catalog.query(store.catalog.model(type), where: predicate)
        let rows = try await reader.rows(query)
        return try await records.delete((0..<rows.rowCount).map { entity.key(of: rows[$0]) }, of: entity)
    }

    /// The record of an identifier, or `nil`.
    @concurrent public func query<M: Model>(_ type: M.Type, byId id: String) async throws -> M? {
        let model = try store.catalog.model(type)
        let rows = try await records.get([RecordKey(id)], of: model.entity)
        if rows.versions[0] == 0 { return nil }
        var models: [M] = []
        try await store.read(rows, of: model, from: records, into: &models)
        return models.first
    }

    /// Records of a model; as ``DataStore/query(_:where:sort:paginate:)``.
    @concurrent public func query<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil, sort: QuerySortInput? = nil,
        paginate: QueryPaginationInput? = nil
    ) async throws -> [M] {
        let model = try store.catalog.model(type)
        let rows = try await reader.rows(
            store.catalog.query(model, where: predicate, sort: sort, paginate: paginate))
        var models: [M] = []
        try await store.read(rows, of: model, from: records, into: &models)
        return models
    }
}
