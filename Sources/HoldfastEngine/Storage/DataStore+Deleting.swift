public import HoldfastModel
public import HoldfastStorage

extension DataStore {
    /// Deletes a record and the records that belong to it; it is not an error if the record does not exist.
    ///
    /// Records of other models whose foreign key refers to a deleted record are deleted before it in the same commit,
    /// each observed and recorded for the service like any deletion. If the service refuses to delete the record, they
    /// are taken back with it.
    ///
    /// ```swift
    /// try await store.save(Comment(text: "Thank you", post: post))
    /// let existed = try await store.delete(post)  // true; the comment is gone, too
    /// ```
    ///
    /// - Parameters:
    ///   - model: The record, by its key.
    ///   - condition: What the stored record must satisfy, also along paths; `nil` for no condition. The service checks
    ///     the same condition if it is about the record's own fields alone.
    /// - Returns: Whether the record existed.
    /// - Throws: ``/HoldfastModel/ModelError`` `.conditionFailed` if the stored record does not satisfy the condition;
    ///   ``/HoldfastStorage/StorageError`` `.conflict` if other writers kept changing the records, `.io`. Nothing was
    ///   changed.
    @discardableResult
    @concurrent public func delete<M: Model>(
        _ model: M, where condition: (any QueryPredicate)? = nil
    ) async throws -> Bool {
        try await delete(M.self, withId: model.recordKey(), where: condition)
    }

    /// Deletes the record of an identifier, found as by ``query(_:byId:)-(_,String)``; otherwise as
    /// ``delete(_:where:)->Bool``.
    ///
    /// ```swift
    /// let existed = try await store.delete(Post.self, withId: "p1")  // true
    /// let again = try await store.delete(Post.self, withId: "p1")  // false, and no error
    /// ```
    ///
    /// - Throws: ``/HoldfastModel/ModelError`` `.notUnique` if the identifier is not the key, and several records have
    ///   it; as ``query(_:byId:)-(_,String)`` and ``delete(_:where:)->Bool``.
    @discardableResult
    @concurrent public func delete<M: Model>(
        _ type: M.Type, withId id: String, where condition: (any QueryPredicate)? = nil
    ) async throws -> Bool {
        let entity = try catalog.entity(of: type)
        if entity.hasTextKey { return try await delete(type, withId: RecordKey(id), where: condition) }
        let found = try await withSnapshot { try await self.key(of: id, entity, in: $0, isUnique: true) }
        guard let key = found else { return false }
        return try await delete(type, withId: key, where: condition)
    }

    /// Deletes all matching records, and the records that belong to them.
    ///
    /// Everything is one commit, as long as the adapter's limit allows: `commitRowCount` counts each record once, and
    /// once more where mutations are recorded. Beyond that limit, records of a model to which no other model belongs are
    /// deleted in several commits, each as large as allowed; if one fails, what earlier ones deleted stays deleted. If
    /// other models belong to it, the call throws `.limitExceeded` and deletes nothing.
    ///
    /// The predicate selects stored records, also those that queries hide. The service is asked to delete them without a
    /// condition, whatever their fields are there by then.
    ///
    /// Reads the keys of the records only, unless mutations are recorded, the records are observed, or the predicate
    /// asks for more than stored fields.
    ///
    /// ```swift
    /// let count = try await store.delete(Post.self, where: Post.keys.rating < 3)
    /// ```
    ///
    /// - Returns: The number of records of this model deleted.
    /// - Throws: As ``query(_:where:sort:paginate:)`` and ``delete(_:where:)->Bool``;
    ///   ``/HoldfastStorage/StorageError`` `.limitExceeded` if records belong to those deleted and all together are
    ///   too many for a commit.
    @discardableResult
    @concurrent public func delete<M: Model>(
        _ type: M.Type, where predicate: any QueryPredicate
    ) async throws -> Int {
        var query = try catalog.query(catalog.model(type), where: predicate)
        guard try catalog.foreignKeys(to: catalog.entity(of: type)).isEmpty else {
            return try await delete(query)
        }
        // A record whose change cannot be folded has two entries in the outbox then.
        let limit = max(1, store.capabilities.limits.commitRowCount / (engine.recordsMutations ? 3 : 1))
        query.plan.limit = limit
        var count = try await delete(query)
        var deleted = count
        while count == limit {
            count = try await delete(query)
            deleted += count
        }
        return deleted
    }

    private func delete(_ query: ModelQuery) async throws -> Int {
        try await perform { records in try await records.delete(query, reader(records)) }
    }

    /// Deletes the record of a key of any shape; otherwise as ``delete(_:where:)->Bool``.
    @discardableResult
    @concurrent public func delete<M: Model>(
        _ type: M.Type, withId key: RecordKey, where condition: (any QueryPredicate)? = nil
    ) async throws -> Bool {
        let entity = try catalog.entity(of: type)
        let serviceCondition = M.schema.serviceCondition(condition, of: entity)
        let condition = try bound(type, condition)
        return try await perform { records in
            if let condition {
                let rows = try await records.get([key], of: entity)
                if rows.versions[0] == 0 { return false }
                try await records.check(condition, rows, of: entity)
            }
            return try await records.delete([key], of: entity, atService: serviceCondition) > 0
        }
    }
}
