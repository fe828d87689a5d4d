public import HoldfastModel
public import HoldfastStorage

extension DataStore {
    /// Creates or replaces a record.
    ///
    /// ```swift
    /// var post = try await store.save(Post(title: "Hold fast", rating: 5))
    /// post.rating = 4
    /// try await store.save(post)
    /// // Only if the stored record still has this rating; otherwise throws `.conditionFailed`.
    /// try await store.save(post, where: Post.keys.rating == 4)
    /// ```
    ///
    /// A model that holds its related records itself has `nil` where one is not stored. The stored key of that record
    /// stays.
    ///
    /// - Parameters:
    ///   - model: The record; its key decides whether it is created.
    ///   - condition: What the stored record must satisfy, also along paths; it must exist then. `nil` for anything.
    ///     The related records that it asks for are still as they were found when the save is committed. The service
    ///     checks the same condition if it is about the record's own fields alone.
    /// - Returns: The model as saved.
    /// - Throws: ``/HoldfastModel/ModelError`` `.conditionFailed`, `.brokenRelation` if it belongs to a record that
    ///   does not exist; ``/HoldfastStorage/StorageError`` `.unrepresentable` for a value that its field cannot hold,
    ///   `.uniqueViolation`, `.conflict` if other writers kept changing the record, `.full`, `.io`. Nothing was
    ///   changed.
    @discardableResult
    @concurrent public func save<M: Model>(_ model: M, where condition: (any QueryPredicate)? = nil) async throws -> M {
        let (row, entity) = (try model.row(), try catalog.entity(of: M.self))
        let serviceCondition = M.schema.serviceCondition(condition, of: entity)
        switch try bound(M.self, condition) {
        case nil: _ = try await cancellable { try await engine.save(row, of: entity) }
        case .local(let predicate)?:
            _ = try await cancellable {
                try await engine.save(row, of: entity, where: predicate, atService: serviceCondition)
            }
        case let condition?:
            try await perform {
                try await $0.save(row, of: entity, where: condition, atService: serviceCondition)
            }
        }
        return model
    }

    /// Changes the newest state of a record.
    ///
    /// Only what the closure changes counts as edited, so that what others have changed since the application read the
    /// record stays. It runs again if another writer commits first, so it should have no other effects.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - key: The record's key.
    ///   - change: Changes everything but the key.
    /// - Returns: The model as saved; `nil` if there is no record.
    /// - Throws: What the closure throws; ``/HoldfastModel/ModelError`` `.conditionFailed` if it changes the key;
    ///   otherwise as ``save(_:where:)``. Nothing was changed.
    @discardableResult
    @concurrent public func update<M: Model>(
        _ type: M.Type, _ key: RecordKey, _ change: @Sendable (inout M) throws -> Void
    ) async throws -> M? {
        try await transaction { try await $0.saveChanged($0.query(type, byId: key), change) }
    }

    /// Changes the newest state of the record of an identifier, found as by ``query(_:byId:)-(_,String)``; otherwise as
    /// for a key.
    ///
    /// ```swift
    /// let post = try await store.update(Post.self, "p1") { $0.rating = ($0.rating ?? 0) + 1 }
    /// ```
    @discardableResult
    @concurrent public func update<M: Model>(
        _ type: M.Type, _ id: String, _ change: @Sendable (inout M) throws -> Void
    ) async throws -> M? {
        try await transaction { try await $0.saveChanged($0.query(type, byId: id), change) }
    }

    /// Saves what was changed of a record since it was read.
    ///
    /// Only the fields in which the model differs from the original count as edited. All others stay as they are stored
    /// now, so that an old copy does not take back what others have changed since. The fields that hold the key of one
    /// related record are edited together.
    ///
    /// ```swift
    /// var edited = post
    /// edited.title = "Hold on"
    /// try await store.update(Post.self, post.id) { $0.rating = 5 }  // meanwhile, elsewhere in the app
    /// let saved = try await store.save(edited, from: post)  // "Hold on", rated 5
    /// ```
    ///
    /// - Parameters:
    ///   - model: The record as it should become, apart from what others have changed.
    ///   - original: The record as it was read; of the same key.
    /// - Returns: The model as saved; `nil` if the record no longer exists, and nothing was changed. If it cannot be read
    ///   once it is saved, for instance since a required related record is not stored, `model`.
    /// - Throws: ``/HoldfastModel/ModelError`` `.conditionFailed` if the keys differ; otherwise as ``save(_:where:)``.
    @discardableResult
    @concurrent public func save<M: Model>(_ model: M, from original: M) async throws -> M? {
        let registered = try catalog.model(M.self)
        let (new, old) = (try model.row(), try original.row())
        guard let saved = try await perform({ try await $0.save(new, from: old, of: registered.entity) }) else {
            return nil
        }
        // It is saved, also if it cannot be shown, since a related record is not stored, or the task is cancelled by now.
        return (try? await withSnapshot { try await self.model(M.self, saved, of: registered, in: $0) }) ?? model
    }

    /// Creates or replaces records in one commit.
    ///
    /// Of several models with one key the last is saved.
    ///
    /// ```swift
    /// let posts = (1...500).map { Post(title: "Post \($0)", rating: $0 % 5) }
    /// let result = try await store.save(posts)  // createdCount: 500, updatedCount: 0
    /// ```
    ///
    /// - Parameter models: Any number; in batches of about a thousand, the store works fastest.
    /// - Returns: How many records were created and how many replaced.
    /// - Throws: As ``save(_:where:)``; nothing was changed then.
    @discardableResult
    @concurrent public func save<M: Model>(_ models: [M]) async throws -> SaveResult {
        if models.isEmpty { return SaveResult(createdCount: 0, updatedCount: 0) }
        let (rows, entity) = (try M.rows(models), try catalog.entity(of: M.self))
        return try await cancellable { try await engine.save(rows, of: entity) }
    }
}

/// What a batch save did.
public struct SaveResult: Sendable, Hashable {
    /// Records that did not exist before.
    public var createdCount: Int
    /// Records that were replaced.
    public var updatedCount: Int
}

extension Transaction {
    /// Changes a record that was found and saves it; nothing if there was none.
    fileprivate func saveChanged<M: Model>(_ found: M?, _ change: (inout M) throws -> Void) async throws -> M? {
        guard let found else { return nil }
        var model = found
        try change(&model)
        _ = try await records.save(model.row(), from: found.row(), of: store.catalog.entity(of: M.self))
        return model
    }
}
