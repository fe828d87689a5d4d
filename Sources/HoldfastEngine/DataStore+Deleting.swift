public import HoldfastModel
package import HoldfastStorage

extension DataStore {
    /// Deletes a record and the records that belong to it; one that does not exist is no error.
    ///
    /// The records of other models whose foreign key leads to a deleted record are deleted with it, before it, each
    /// observed and recorded for the service like any deletion.
    ///
    /// - Parameters:
    ///   - model: The record, by its key.
    ///   - condition: What the stored record must satisfy, also along paths; `nil` for anything.
    /// - Returns: Whether the record existed.
    /// - Throws: ``ModelError`` `.conditionFailed` if the stored record does not satisfy the condition;
    ///   ``StorageError`` `.conflict` if other writers kept changing the records, `.io`. Nothing was changed.
    @discardableResult
    @concurrent public func delete<M: Model>(
        _ model: M, where condition: (any QueryPredicate)? = nil
    ) async throws -> Bool {
        try await delete(model.recordKey(), of: M.self, where: condition)
    }

    /// Deletes the record of an identifier; otherwise as ``delete(_:where:)``.
    ///
    /// Of a model whose key has several fields, the record whose field `id` it is.
    ///
    /// - Throws: ``ModelError`` `.notUnique` if several records have that `id`; nothing was changed.
    @discardableResult
    @concurrent public func delete<M: Model>(
        _ type: M.Type, withId id: String, where condition: (any QueryPredicate)? = nil
    ) async throws -> Bool {
        let model = try catalog.model(type)
        guard model.schema.findsRecordsById else {
            return try await delete(RecordKey(id), of: type, where: condition)
        }
        let query = try catalog.query(model, where: M.hasId(id))
        let condition = try bound(type, condition)
        return try await perform { records in
            let rows = try await reader(records).rows(query)
            if rows.isEmpty { return false }
            if rows.rowCount > 1 {
                throw ModelError(
                    .notUnique, "Several records of '\(M.modelName)' have this id; delete them by their keys.")
            }
            if let condition { try await records.check(condition, rows, of: model.entity) }
            return try await records.delete([model.entity.key(of: rows[0])], of: model.entity) > 0
        }
    }

    /// Deletes all matching records, and the records that belong to them, in one commit.
    ///
    /// - Returns: The number of records of this model deleted.
    /// - Throws: As ``query(_:where:sort:paginate:)`` and ``delete(_:where:)``.
    @discardableResult
    @concurrent public func delete<M: Model>(
        _ type: M.Type, where predicate: any QueryPredicate
    ) async throws -> Int {
        let entity = try catalog.entity(of: type)
        let query = try catalog.query(catalog.model(type), where: predicate)
        return try await perform { records in
            let rows = try await reader(records).rows(query)
            return try await records.delete((0..<rows.rowCount).map { entity.key(of: rows[$0]) }, of: entity)
        }
    }

    /// Deletes the record of a key; otherwise as ``delete(_:where:)``.
    @discardableResult
    package func delete<M: Model>(
        _ key: RecordKey, of type: M.Type, where condition: (any QueryPredicate)? = nil
    ) async throws -> Bool {
        let entity = try catalog.entity(of: type)
        let condition = try bound(type, condition)
        return try await perform { records in
            if let condition {
                let rows = try await records.get([key], of: entity)
                if rows.versions[0] == 0 { return false }
                try await records.check(condition, rows, of: entity)
            }
            return try await records.delete([key], of: entity) > 0
        }
    }
}

extension ModelSchema {
    /// Whether the field `id` alone finds records, because it is not the whole key but one field beside others.
    var findsRecordsById: Bool {
        primaryKeyNames.count > 1 && field(withName: ModelIdentifierFormat.Default.name) != nil
    }
}

extension Model {
    /// Whether the field `id` has a value.
    static func hasId(_ id: String) -> QueryPredicateOperation { field(ModelIdentifierFormat.Default.name).eq(id) }
}
