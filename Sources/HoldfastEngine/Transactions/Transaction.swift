public import HoldfastModel
public import HoldfastStorage

/// Several reads and writes that happen as one.
///
/// Reads come from one snapshot and see the transaction's own writes, also those through relations, lists, and pages of
/// the models read. Valid within the closure it was handed to.
///
/// Immutable, as its superclass.
///
/// ```swift
/// try await store.transaction { transaction in
///     try await transaction.delete(Post.self, where: Post.keys.rating < 3)
///     try await transaction.save(Post(title: "Hold on", rating: 4))
/// }
/// ```
public final class Transaction: ReadTransaction, @unchecked Sendable {
    let records: RecordTransaction

    init(store: DataStore, records: RecordTransaction) {
        self.records = records
        super.init(store: store, source: records)
    }

    /// Creates or replaces a record.
    ///
    /// - Parameters:
    ///   - model: The record.
    ///   - condition: What the stored record must satisfy; it must exist then.
    /// - Throws: ``/HoldfastModel/ModelError`` `.conditionFailed`; ``/HoldfastStorage/StorageError``
    ///   `.unrepresentable` or `.limitExceeded` for a value that its field cannot hold; what reading throws. Nothing
    ///   was added to the transaction. That the record belongs to one that does not exist is found after the closure.
    @concurrent public func save<M: Model>(_ model: M, where condition: (any QueryPredicate)? = nil) async throws {
        let entity = try store.catalog.entity(of: M.self)
        try await records.save(
            model.row(), of: entity, where: store.bound(M.self, condition),
            atService: M.schema.serviceCondition(condition, of: entity))
    }

    /// Creates or replaces records; of several with one key the last is saved.
    ///
    /// - Throws: As ``save(_:where:)``.
    @concurrent public func save<M: Model>(_ models: [M]) async throws {
        try await records.save(M.rows(models), of: store.catalog.entity(of: M.self))
    }

    /// Deletes a record and the records that belong to it; it is not an error if the record does not exist.
    ///
    /// - Returns: Whether the record existed.
    /// - Throws: As ``DataStore/query(_:byId:)-(_,RecordKey)``. Nothing was added to the transaction.
    @discardableResult
    @concurrent public func delete<M: Model>(_ model: M) async throws -> Bool {
        try await delete(M.self, withId: model.recordKey())
    }

    /// Deletes the record of an identifier; otherwise as ``delete(_:)``.
    ///
    /// - Throws: ``/HoldfastModel/ModelError`` `.notUnique` if the identifier is not the key, and several records have
    ///   it; as ``DataStore/query(_:byId:)-(_,String)``.
    @discardableResult
    @concurrent public func delete<M: Model>(_ type: M.Type, withId id: String) async throws -> Bool {
        let entity = try store.catalog.entity(of: type)
        guard let key = try await store.key(of: id, entity, in: source, isUnique: true) else { return false }
        return try await delete(type, withId: key)
    }

    /// Deletes the record of a key of any shape; otherwise as ``delete(_:)``.
    ///
    /// - Throws: As ``delete(_:)``.
    @discardableResult
    @concurrent public func delete<M: Model>(_ type: M.Type, withId key: RecordKey) async throws -> Bool {
        try await records.delete([key], of: store.catalog.entity(of: type)) > 0
    }

    /// Deletes all matching records and the records that belong to them.
    ///
    /// - Returns: The number of records of this model deleted.
    /// - Throws: As ``DataStore/query(_:where:sort:paginate:)``. Nothing was added to the transaction.
    @discardableResult
    @concurrent public func delete<M: Model>(_ type: M.Type, where predicate: any QueryPredicate) async throws -> Int {
        let entity = try store.catalog.entity(of: type)
        let query = try store.catalog.query(store.catalog.model(type), where: predicate)
        let rows = try await reader.rows(query)
        return try await records.delete((0..<rows.rowCount).map { entity.key(of: rows[$0]) }, of: entity)
    }
}
