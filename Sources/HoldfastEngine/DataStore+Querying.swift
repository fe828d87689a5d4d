public import HoldfastModel
public import HoldfastStorage

extension DataStore {
    /// The record of an identifier, or `nil`.
    ///
    /// Of a model whose key has several fields, the record whose field `id` it is; of several, the first by key.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch` if the model's key is not one text field and has no field `id`.
    @concurrent public func query<M: Model>(_ type: M.Type, byId id: String) async throws -> M? {
        if try catalog.model(type).schema.findsRecordsById {
            return try await query(type, where: M.hasId(id), paginate: .firstResult).first
        }
        return try await load(type, key: RecordKey(id))
    }

    /// Records of a model.
    ///
    /// A field may be a path through relations: `field("blog.name")`, `"blog.name"` in a sort, or typed
    /// `Post.path.blog.name`. Over an empty relation to at most one record the value is null. A relation to several
    /// records asks whether some of them match, and cannot be sorted by.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - predicate: Which records; `nil` for all.
    ///   - sort: In which order; ties, and everything without a sort, stand in key order.
    ///   - paginate: Which page; `nil` for all.
    /// - Returns: The matching records; empty if there are none.
    /// - Throws: ``StorageError`` `.schemaMismatch` for an unknown field, `.unrepresentable` for an operand that the
    ///   field cannot hold, `.cancelled`; ``ModelError`` `.decodingFailed`.
    @concurrent public func query<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil, sort: QuerySortInput? = nil,
        paginate: QueryPaginationInput? = nil
    ) async throws -> [M] {
        let model = try catalog.model(type)
        return try await models(type, catalog.query(model, where: predicate, sort: sort, paginate: paginate))
    }

    /// The records that follow one in the order of a query: pages that neither overlap nor skip, whatever is written
    /// in between.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - predicate: Which records; `nil` for all.
    ///   - sort: In which order; as in ``query(_:where:sort:paginate:)``.
    ///   - last: The last record of the page before, as it was read; `nil` for the first page. In a sort across
    ///     relations it stands where the related records place it now.
    ///   - limit: At most so many records.
    /// - Returns: The page; empty behind the last record.
    /// - Throws: As ``query(_:where:sort:paginate:)``.
    @concurrent public func query<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil, sort: QuerySortInput? = nil, after last: M?,
        limit: Int
    ) async throws -> [M] {
        let model = try catalog.model(type)
        var query = try catalog.query(model, where: predicate, sort: sort)
        query.plan.limit = limit
        if query.order == nil {
            query.plan.after = try last.map {
                Cursor(after: try $0.row()[0], of: model.entity, sortedBy: query.plan.sort)
            }
        } else {
            query.last = try last?.row()
        }
        return try await models(type, query)
    }

    /// The matching records one by one, read in batches from one snapshot.
    ///
    /// - Throws: ``ModelError`` for a model or path that does not exist; reading throws as
    ///   ``query(_:where:sort:paginate:)``.
    public func stream<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil, sort: QuerySortInput? = nil
    ) throws -> ModelStream<M> {
        ModelStream(store: self, query: try catalog.query(catalog.model(type), where: predicate, sort: sort))
    }

    /// The number of matching records.
    ///
    /// - Throws: As ``query(_:where:sort:paginate:)``.
    @concurrent public func count<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil
    ) async throws -> Int {
        let query = try catalog.query(catalog.model(type), where: predicate)
        return try await store.withSnapshot { try await reader($0).count(query) }
    }

    private func models<M: Model>(_ type: M.Type, _ query: ModelQuery) async throws -> [M] {
        try await store.withSnapshot { snapshot in
            var scan = try await reader(snapshot).scan(query)
            var models: [M] = []
            var rows = RowBuffer()
            repeat {
                try await scan.next(into: &rows)
                try await read(rows, of: query.model, from: snapshot, into: &models)
            } while !rows.isEmpty
            return models
        }
    }

    /// Appends the models of all rows to an array, with the records that eager models hold.
    func read<M: Model>(
        _ rows: RowBuffer, of model: ModelCatalog.RegisteredModel, from source: any RecordSource, into models: inout [M]
    ) async throws {
        try M.read(
            rows, loader: self, parents: try await parents(of: rows, of: model, from: source), into: &models)
    }

    /// The records that those of a page relate to, if their model holds them itself.
    func parents(
        of rows: RowBuffer, of model: ModelCatalog.RegisteredModel, from source: any RecordSource
    ) async throws -> ParentRows? {
        guard model.needsParents && !rows.isEmpty else { return nil }
        return try await ParentLoader(catalog: catalog, source: source).parents(of: rows, of: model)
    }
}

extension DataStore: ModelLoader {
    /// The record of a key, or `nil`.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch` or `.unrepresentable` for a key the model cannot have.
    @concurrent public func load<M: Model>(_ type: M.Type, key: RecordKey) async throws -> M? {
        let model = try catalog.model(type)
        var rows = RowBuffer()
        if model.needsParents {
            return try await store.withSnapshot { snapshot in
                rows = try await snapshot.get([key], of: model.entity)
                if rows.versions[0] == 0 { return nil }
                var models: [M] = []
                try await read(rows, of: model, from: snapshot, into: &models)
                return models.first
            }
        }
        try await store.get([key], of: model.entity.name, into: &rows)
        return rows.versions[0] == 0 ? nil : try M(row: RowReader(rows, row: 0, loader: self))
    }

    /// The records that lead to a record, in key order.
    @concurrent public func loadChildren<M: Model>(
        _ type: M.Type, _ request: ChildrenRequest
    ) async throws -> ChildrenPage<M> {
        let model = try catalog.model(type)
        let schema = model.schema
        let columns = schema.columnPositions(of: request.fields).map { schema.columns[$0] }
        guard !columns.isEmpty && columns.count == request.parent.components.count else {
            throw ModelError(
                .invalidSchema,
                "'\(schema.name).\(request.fields.joined(separator: ", "))' does not belong to the model that asks.")
        }
        let comparisons = zip(columns, request.parent.components).map { Predicate.compare($0, .equal, $1) }
        var query = try catalog.query(model)
        query.plan.predicate = .and(comparisons)
        query.plan.after = request.after.map { Cursor($0.components) }
        // One more than asked for shows whether there is a next page.
        query.plan.limit = request.limit.map { $0 + 1 }
        var children = try await models(type, query)
        guard let limit = request.limit, children.count > limit else { return ChildrenPage(children) }
        children.removeLast()
        return ChildrenPage(children, next: try children.last?.recordKey())
    }
}
