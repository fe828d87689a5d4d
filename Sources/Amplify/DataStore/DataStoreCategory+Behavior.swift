extension DataStoreCategory: DataStoreBaseBehavior {
    /// Creates or replaces a record.
    ///
    /// ```swift
    /// var post = try await Amplify.DataStore.save(Post(title: "Hold fast", rating: 5, status: "draft"))
    /// post.status = "active"
    /// try await Amplify.DataStore.save(post, where: Post.keys.status == "draft")
    /// ```
    ///
    /// - Parameters:
    ///   - model: The record; its key decides whether it is created. The records it belongs to must have been saved.
    ///   - condition: What the stored record must satisfy; it must exist then. `nil` for anything.
    /// - Returns: The record as stored.
    /// - Throws: ``DataStoreError`` `.invalidCondition`, `.invalidOperation`. Nothing was changed.
    @discardableResult
    public func save<M: Model>(_ model: M, where condition: (any QueryPredicate)? = nil) async throws -> M {
        try await plugin().save(model, where: condition)
    }

    /// The record of an identifier, or `nil`.
    ///
    /// - Throws: ``DataStoreError``.
    public func query<M: Model>(_ modelType: M.Type, byId id: String) async throws -> M? {
        try await plugin().query(modelType, byId: id)
    }

    /// The record of an identifier, or `nil`.
    ///
    /// - Throws: ``DataStoreError``.
    public func query<M: Model>(_ modelType: M.Type, byIdentifier id: String) async throws -> M?
    where M: ModelIdentifiable, M.IdentifierFormat == ModelIdentifierFormat.Default {
        try await plugin().query(modelType, byIdentifier: id)
    }

    /// The record of an identifier, or `nil`.
    ///
    /// - Throws: ``DataStoreError``.
    public func query<M: Model>(
        _ modelType: M.Type, byIdentifier id: ModelIdentifier<M, M.IdentifierFormat>
    ) async throws -> M? where M: ModelIdentifiable {
        try await plugin().query(modelType, byIdentifier: id)
    }

    /// The matching records.
    ///
    /// Those that cannot be read as the model are left out; `errorHandler` gets an error for one of them.
    ///
    /// ```swift
    /// let active = try await Amplify.DataStore.query(
    ///     Post.self, where: Post.keys.status == "active", sort: .descending(Post.keys.rating),
    ///     paginate: .page(0, limit: 10))
    /// ```
    ///
    /// - Parameters:
    ///   - modelType: The model.
    ///   - predicate: Which records; `nil` for all.
    ///   - sortInput: In which order; ties, and everything without a sort, are in key order.
    ///   - paginationInput: Which page; `nil` for all.
    /// - Returns: The records; empty if there are none.
    /// - Throws: ``DataStoreError``.
    public func query<M: Model>(
        _ modelType: M.Type, where predicate: (any QueryPredicate)? = nil, sort sortInput: QuerySortInput? = nil,
        paginate paginationInput: QueryPaginationInput? = nil
    ) async throws -> [M] {
        try await plugin().query(modelType, where: predicate, sort: sortInput, paginate: paginationInput)
    }

    /// Deletes a record and the records that belong to it; it is not an error if the record does not exist.
    ///
    /// - Parameters:
    ///   - model: The record, by its key.
    ///   - predicate: What the stored record must satisfy; `nil` for anything.
    /// - Throws: ``DataStoreError`` `.invalidCondition`. Nothing was changed.
    public func delete<M: Model>(_ model: M, where predicate: (any QueryPredicate)? = nil) async throws {
        try await plugin().delete(model, where: predicate)
    }

    /// Deletes the record of an identifier; otherwise as ``delete(_:where:)``.
    public func delete<M: Model>(
        _ modelType: M.Type, withId id: String, where predicate: (any QueryPredicate)? = nil
    ) async throws {
        try await plugin().delete(modelType, withId: id, where: predicate)
    }

    /// Deletes the record of an identifier; otherwise as ``delete(_:where:)``.
    public func delete<M: Model>(
        _ modelType: M.Type, withIdentifier id: String, where predicate: (any QueryPredicate)? = nil
    ) async throws where M: ModelIdentifiable, M.IdentifierFormat == ModelIdentifierFormat.Default {
        try await plugin().delete(modelType, withIdentifier: id, where: predicate)
    }

    /// Deletes the record of an identifier; otherwise as ``delete(_:where:)``.
    public func delete<M: Model>(
        _ modelType: M.Type, withIdentifier id: ModelIdentifier<M, M.IdentifierFormat>,
        where predicate: (any QueryPredicate)? = nil
    ) async throws where M: ModelIdentifiable {
        try await plugin().delete(modelType, withIdentifier: id, where: predicate)
    }

    /// Deletes all matching records, and the records that belong to them.
    ///
    /// In one commit, unless no model belongs to this one and the records are more than the adapter takes in a commit.
    ///
    /// ```swift
    /// try await Amplify.DataStore.delete(Post.self, where: Post.keys.rating < 6)
    /// ```
    ///
    /// - Throws: ``DataStoreError``. If one of several commits fails, what earlier ones deleted stays deleted.
    public func delete<M: Model>(_ modelType: M.Type, where predicate: any QueryPredicate) async throws {
        try await plugin().delete(modelType, where: predicate)
    }

    /// Opens the store, and starts synchronizing it with the service if there is one.
    ///
    /// Every other call does so too.
    ///
    /// - Throws: ``DataStoreError``.
    public func start() async throws { try await plugin().start() }

    /// Stops synchronizing the store with the service; records and unsent changes stay.
    ///
    /// - Throws: ``DataStoreError``.
    public func stop() async throws { try await plugin().stop() }

    /// Deletes all records and everything that awaits the service.
    ///
    /// - Throws: ``DataStoreError``.
    public func clear() async throws { try await plugin().clear() }
}

extension DataStoreCategory: DataStoreSubscribeBehavior {
    /// The changes of a model's records from now on, in the order in which they were made.
    ///
    /// Ends when the DataStore is reset or the sequence cancelled; fails if the store cannot be opened.
    ///
    /// ```swift
    /// let changes = Amplify.DataStore.observe(Post.self)
    /// try await Amplify.DataStore.save(post)
    /// for try await change in changes {
    ///     titles.append(try change.decodeModel(as: Post.self).title)
    ///     break
    /// }
    /// ```
    public func observe<M: Model>(_ modelType: M.Type) -> AmplifyAsyncThrowingSequence<MutationEvent> {
        do {
            return try plugin().observe(modelType)
        } catch {
            return .failed(error)
        }
    }

    /// The matching records now and after every change of them.
    ///
    /// Ends when the DataStore is reset or the sequence cancelled; fails if the store cannot be opened.
    ///
    /// ```swift
    /// for try await snapshot in Amplify.DataStore.observeQuery(for: Post.self) {
    ///     counts.append(snapshot.items.count)
    ///     break  // an app continues, and shows each snapshot
    /// }
    /// ```
    public func observeQuery<M: Model>(
        for modelType: M.Type, where predicate: (any QueryPredicate)? = nil, sort sortInput: QuerySortInput? = nil
    ) -> AmplifyAsyncThrowingSequence<DataStoreQuerySnapshot<M>> {
        do {
            return try plugin().observeQuery(for: modelType, where: predicate, sort: sortInput)
        } catch {
            return .failed(error)
        }
    }
}
