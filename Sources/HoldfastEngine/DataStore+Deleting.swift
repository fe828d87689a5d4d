public import HoldfastModel
import HoldfastStorage

extension DataStore {
    /// Deletes a record; one that does not exist is no error.
    ///
    /// - Returns: Whether the record existed.
    /// - Throws: ``StorageError`` `.conflict` if other writers kept changing the record, `.io`; nothing was changed.
    @discardableResult
    @concurrent public func delete<M: Model>(_ model: M) async throws -> Bool {
        try await engine.delete([model.recordKey()], of: catalog.entity(of: M.self)) > 0
    }

    /// Deletes the record of an identifier; one that does not exist is no error.
    ///
    /// - Returns: Whether the record existed.
    @discardableResult
    @concurrent public func delete<M: Model>(_ type: M.Type, withId id: String) async throws -> Bool {
        try await engine.delete([RecordKey(id)], of: catalog.entity(of: type)) > 0
    }

    /// Deletes all matching records in one commit.
    ///
    /// A record that another task changes meanwhile is deleted only if it still matches.
    ///
    /// - Returns: The number of records deleted.
    /// - Throws: As ``query(_:where:sort:paginate:)`` and ``delete(_:)``.
    @discardableResult
    @concurrent public func delete<M: Model>(
        _ type: M.Type, where predicate: any QueryPredicate
    ) async throws -> Int {
        let entity = try catalog.entity(of: type)
        var plan = try catalog.model(type).schema.plan(where: predicate)
        plan.projection = entity.primaryKey
        let keys = try await store.withSnapshot { [plan] snapshot in
            var scan = try await snapshot.query(plan)
            var keys: [RecordKey] = []
            var rows = RowBuffer()
            repeat {
                try await scan.next(into: &rows)
                for row in 0..<rows.rowCount { keys.append(RecordKey(Array(rows[row]))) }
            } while !rows.isEmpty
            return keys
        }
        let bound = try store.schema.bind(plan, limits: store.capabilities.limits)
        return try await engine.delete(keys, of: entity, where: bound.predicate)
    }
}
