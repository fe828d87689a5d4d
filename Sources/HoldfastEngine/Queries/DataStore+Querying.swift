public import HoldfastModel
public import HoldfastStorage

extension DataStore {
    /// The record of an identifier, or `nil`.
    ///
    /// The identifier is the value of the field `id`, as in amplify-swift, or of the key if that is one text field and
    /// the model has no field `id`. Of several records with one `id` the first by key is returned. An `id` that is a
    /// number is given as its text.
    ///
    /// ```swift
    /// let post = try await store.query(Post.self, byId: "p1")  // the post
    /// let nothing = try await store.query(Post.self, byId: "p9")  // nil
    /// ```
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.schemaMismatch` if the model has neither such a key nor such a
    ///   field, `.unrepresentable` for a text that the field cannot hold.
    @concurrent public func query<M: Model>(_ type: M.Type, byId id: String) async throws -> M? {
        guard try catalog.model(type).entity.hasTextKey else {
            return try await withSnapshot { try await load(type, id: id, from: $0, loader: self) }
        }
        return try await load(type, key: RecordKey(id))
    }

    /// The record of a key of any shape, or `nil`: `RecordKey([.text("A"), .integer(3)])`, or the `recordKey` of a
    /// ``/HoldfastModel/ModelIdentifier``.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.schemaMismatch` or `.unrepresentable` for a key that the model
    ///   cannot have.
    @concurrent public func query<M: Model>(_ type: M.Type, byId key: RecordKey) async throws -> M? {
        try await load(type, key: key)
    }

    /// Returns the records of a model that match a predicate.
    ///
    /// A field may be a path through relations: `field("blog.name")`, `"blog.name"` in a sort, or typed
    /// `Post.path.blog.name`. Over an empty relation to at most one record the value is null. A relation to several
    /// records asks whether some of them match, and cannot be sorted by.
    ///
    /// ```swift
    /// let best = try await store.query(
    ///     Post.self, where: Post.keys.rating >= 4, sort: .descending(Post.keys.rating),
    ///     paginate: .page(0, limit: 10))
    /// let titles = best.map(\.title)  // ["Hold fast", "Hold on"]
    /// ```
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - predicate: Which records; `nil` for all.
    ///   - sort: In which order; ties, and everything without a sort, are in key order.
    ///   - paginate: Which page; `nil` for all. Where models hold parents that they must have, or records cannot be
    ///     decoded, those of the pages before it are read, too, since a hidden record counts for no page.
    /// - Returns: The matching records; empty if there are none.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.schemaMismatch` for an unknown field, `.unrepresentable` for an
    ///   operand that the field cannot hold; ``/HoldfastModel/ModelError`` `.decodingFailed`, unless
    ///   ``DataStoreOptions/unreadableRecord`` has such records left out; `CancellationError` if the task is cancelled.
    @concurrent public func query<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil, sort: QuerySortInput? = nil,
        paginate: QueryPaginationInput? = nil
    ) async throws -> [M] {
        let model = try catalog.model(type)
        return try await models(type, catalog.query(model, where: predicate, sort: sort, paginate: paginate))
    }

    /// The records that follow one in the order of a query: pages that neither overlap nor skip, even if records are
    /// written in between.
    ///
    /// ```swift
    /// var titles: [String] = []
    /// var last: Post?
    /// repeat {
    ///     let page = try await store.query(Post.self, sort: .ascending(Post.keys.title), after: last, limit: 2)
    ///     titles += page.map(\.title)
    ///     last = page.last
    /// } while last != nil
    /// ```
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - predicate: Which records; `nil` for all.
    ///   - sort: In which order; as in ``query(_:where:sort:paginate:)``.
    ///   - last: The last record of the page before, as it was read; `nil` for the first page. In a sort across
    ///     relations, its position is the one that the related records give it now.
    ///   - limit: The maximum number of records.
    /// - Returns: The page; empty after the last record.
    /// - Throws: As ``query(_:where:sort:paginate:)``.
    @concurrent public func query<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil, sort: QuerySortInput? = nil, after last: M?,
        limit: Int
    ) async throws -> [M] {
        let row = try await row(of: last, sort: sort)
        return try await models(type, catalog.query(type, where: predicate, sort: sort, after: row, limit: limit))
    }

    /// The matching records one by one, read in batches from one snapshot.
    ///
    /// ```swift
    /// var characters = 0
    /// for try await post in try store.stream(Post.self) { characters += post.title.count }
    /// ```
    ///
    /// - Throws: ``/HoldfastModel/ModelError`` for a model or path that does not exist; reading throws as
    ///   ``query(_:where:sort:paginate:)``.
    public func stream<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil, sort: QuerySortInput? = nil
    ) throws -> ModelStream<M> {
        ModelStream(store: self, query: try catalog.query(catalog.model(type), where: predicate, sort: sort))
    }

    /// The number of matching records, with those that ``query(_:where:sort:paginate:)`` hides, because a parent that
    /// they must have is not there or they cannot be decoded.
    ///
    /// ```swift
    /// let good = try await store.count(Post.self, where: Post.keys.rating >= 4)
    /// ```
    ///
    /// - Throws: As ``query(_:where:sort:paginate:)``.
    @concurrent public func count<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil
    ) async throws -> Int {
        let query = try catalog.query(catalog.model(type), where: predicate)
        return try await withSnapshot { try await reader($0).count(query) }
    }

    /// The row of a record that was read, after which a page begins.
    ///
    /// With the keys that the model could not show: by its `nil`, a page in the order of a relation would begin elsewhere.
    ///
    /// - Parameters:
    ///   - last: The record; `nil` for the first page.
    ///   - sort: The order; `nil` for that of keys.
    ///   - source: Where the stored record is looked up; `nil` for the store as it is.
    /// - Returns: The row; `nil` for the first page.
    /// - Throws: ``/HoldfastModel/ModelError`` `.unregistered`, `.encodingFailed` if the record cannot be written as a
    ///   row; what reading throws.
    func row<M: Model>(
        of last: M?, sort: QuerySortInput?, in source: (any RecordSource)? = nil
    ) async throws -> RowBuffer? {
        guard let last else { return nil }
        let (row, model) = (try last.row(), try catalog.model(M.self))
        if sort == nil || !model.needsParents { return row }
        let keys = [model.entity.key(of: row[0])]
        var stored = RowBuffer()
        if let source {
            stored = try await source.get(keys, of: model.entity)
        } else {
            try await cancellable { try await store.get(keys, of: model.entity.name, into: &stored) }
        }
        if stored.versions[0] == 0 { return row }
        var cells = Array(row[0])
        for foreignKey in catalog.unshownKeys(of: model) where foreignKey.isCleared(by: row, 0, over: stored) {
            for column in foreignKey.columns { cells[column] = stored[0, column] }
        }
        return RowBuffer(row: cells)
    }

    private func models<M: Model>(_ type: M.Type, _ query: ModelQuery) async throws -> [M] {
        try await unreadable.leavingOut(of: M.modelName, offset: query.plan.offset) { hidesUnreadable in
            guard query.isPage && !hidesUnreadable else {
                return try await withSnapshot {
                    try await models(type, query, from: $0, loader: self, hidesUnreadable: hidesUnreadable)
                }
            }
            var rows = RowBuffer()
            try await cancellable { try await store.page(query.plan, into: &rows) }
            var result: [M] = []
            try read(rows, with: nil, loader: self, into: &result)
            return result
        }
    }

    /// The models of a query, read from a snapshot or transaction.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - query: The query.
    ///   - source: The snapshot or transaction.
    ///   - loader: Where the models' relations and lists are loaded from.
    ///   - hidesUnreadable: Whether models that cannot be decoded are hidden, too.
    /// - Returns: The models that are not hidden; only these count for the query's offset and limit.
    /// - Throws: What reading the source throws; ``ModelError`` if a row cannot be decoded.
    func models<M: Model>(
        _ type: M.Type, _ query: ModelQuery, from source: some RecordSource, loader: any ModelLoader,
        hidesUnreadable: Bool = false
    ) async throws -> [M] {
        let offset = query.plan.offset
        if query.model.canBeHidden || hidesUnreadable, let limit = query.plan.limit, limit > 0, offset >= 0 {
            var query = query
            let (count, overflows) = offset.addingReportingOverflow(limit)
            (query.plan.offset, query.plan.limit) = (0, overflows ? nil : count)
            return Array(
                try await firstModels(
                    type, query, from: source, loader: loader, hidesUnreadable: hidesUnreadable
                ).models.dropFirst(offset))
        }
        var scan = try await reader(source).scan(query)
        var models: [M] = []
        var rows = RowBuffer()
        var count = 0
        repeat {
            try await scan.next(into: &rows)
            count += rows.rowCount
            try await read(
                rows, of: query.model, from: source, loader: loader, hidesUnreadable: hidesUnreadable, into: &models)
        } while !rows.isEmpty && count != query.plan.limit
        await scan.close()
        return models
    }

    /// Appends the models of all rows to an array, with the records that eager models hold.
    ///
    /// A model is hidden while a record that it requires is not there, which happens to a record that a service sent
    /// before it sent the required one.
    ///
    /// - Parameters:
    ///   - rows: The records of the models.
    ///   - model: The model.
    ///   - source: Where the records that eager models hold are read.
    ///   - loader: Where the models' relations and lists are loaded from.
    ///   - hidesUnreadable: Whether models that cannot be decoded are hidden, too.
    ///   - models: The array.
    /// - Returns: The rows of the models that were appended.
    /// - Throws: What reading the source throws; ``ModelError`` if a row cannot be decoded.
    @discardableResult
    func read<M: Model>(
        _ rows: RowBuffer, of model: ModelCatalog.RegisteredModel, from source: any RecordSource,
        loader: any ModelLoader, hidesUnreadable: Bool = false, into models: inout [M]
    ) async throws -> RowBuffer {
        try read(
            rows, with: await parents(of: rows, of: model, from: source), loader: loader,
            hidesUnreadable: hidesUnreadable, into: &models)
    }

    /// The same with what the models hold, looked up beforehand: ``parents(of:of:from:)``.
    @discardableResult
    func read<M: Model>(
        _ rows: RowBuffer, with parents: ParentRows?, loader: any ModelLoader, hidesUnreadable: Bool = false,
        into models: inout [M]
    ) throws(ModelError) -> RowBuffer {
        let count = models.count
        let areShown = try Self.isShown(hidesUnreadable) { () throws(ModelError) in
            try M.read(rows, loader: loader, parents: parents, into: &models)
        }
        if areShown { return rows }
        models.removeSubrange(count...)
        var shown = RowBuffer(columnCount: rows.columnCount)
        for row in 0..<rows.rowCount {
            let isShown = try Self.isShown(hidesUnreadable) { () throws(ModelError) in
                models.append(try M(row: RowReader(rows, row: row, loader: loader, parents: parents)))
            }
            if isShown { shown.append(rows[row], version: rows.versions[row]) }
        }
        return shown
    }

    /// Reads models.
    ///
    /// - Returns: Whether none of them is hidden.
    private static func isShown(
        _ hidesUnreadable: Bool, _ read: () throws(ModelError) -> Void
    ) throws(ModelError) -> Bool {
        do {
            try read()
            return true
        } catch {
            if error.hides(unreadable: hidesUnreadable) { return false }
            throw error
        }
    }

    /// The records that those of a page relate to, if their model holds them itself.
    func parents(
        of rows: RowBuffer, of model: ModelCatalog.RegisteredModel, from source: any RecordSource
    ) async throws -> ParentRows? {
        guard model.needsParents && !rows.isEmpty else { return nil }
        let loader = ParentLoader(catalog: catalog, source: source, limits: store.capabilities.limits)
        return try await loader.parents(of: rows, of: model)
    }
}

extension DataStore: ModelLoader {
    /// The record of a key, or `nil`.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.schemaMismatch` or `.unrepresentable` for a key the model cannot
    ///   have.
    @concurrent public func load<M: Model>(_ type: M.Type, key: RecordKey) async throws -> M? {
        let model = try catalog.model(type)
        if model.needsParents {
            return try await withSnapshot { try await load(type, key: key, from: $0, loader: self) }
        }
        var rows = RowBuffer()
        try await cancellable { try await store.get([key], of: model.entity.name, into: &rows) }
        return rows.versions[0] == 0 ? nil : try M(row: RowReader(rows, row: 0, loader: self))
    }

    /// The record of a key, read from a snapshot or transaction.
    func load<M: Model>(
        _ type: M.Type, key: RecordKey, from source: any RecordSource, loader: any ModelLoader
    ) async throws -> M? {
        try await load(type, catalog.model(type), key: key, from: source, loader: loader)
    }

    private func load<M: Model>(
        _ type: M.Type, _ model: ModelCatalog.RegisteredModel, key: RecordKey, from source: any RecordSource,
        loader: any ModelLoader
    ) async throws -> M? {
        let rows = try await source.get([key], of: model.entity)
        if rows.versions[0] == 0 { return nil }
        if !model.needsParents { return try M(row: RowReader(rows, row: 0, loader: loader)) }
        var models: [M] = []
        try await read(rows, of: model, from: source, loader: loader, into: &models)
        return models.first
    }

    /// The record of an identifier, read from a snapshot or transaction; as ``query(_:byId:)-(_,String)``.
    func load<M: Model>(
        _ type: M.Type, id: String, from source: any RecordSource, loader: any ModelLoader
    ) async throws -> M? {
        let model = try catalog.model(type)
        guard let key = try await key(of: id, model.entity, in: source) else { return nil }
        return try await load(type, model, key: key, from: source, loader: loader)
    }

    /// The key of the record that an identifier names.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - entity: The model's entity.
    ///   - source: Where the record is looked up, unless the identifier is the key itself.
    ///   - isUnique: Whether several records of that `id` are an error; otherwise the first by key counts.
    /// - Returns: The key; `nil` if no record is found. If the identifier is the key itself, the record may not exist.
    /// - Throws: ``ModelError`` `.notUnique` if several records are an error; what reading the source throws.
    func key(
        of id: String, _ entity: EntitySchema, in source: any RecordSource, isUnique: Bool = false
    ) async throws -> RecordKey? {
        if entity.hasTextKey { return RecordKey(id) }
        // The field may be a number.
        let isNamed = Predicate.compare(ModelIdentifierFormat.Default.name, .equal, .text(id))
            .convertingOperands(for: entity)
        let rows = try await source.rows(QueryPlan(entity.name, where: isNamed, limit: 2))
        if isUnique, rows.rowCount > 1 {
            throw ModelError(.notUnique, "Several records of '\(entity.name)' have this id; delete them by their keys.")
        }
        return rows.isEmpty ? nil : entity.key(of: rows[0])
    }

    /// The records that lead to a record, in key order.
    ///
    /// - Throws: ``/HoldfastModel/ModelError`` `.invalidSchema` for fields that do not lead to the parent;
    ///   ``/HoldfastStorage/StorageError`` `.misuse` for a limit below 1; otherwise as
    ///   ``query(_:where:sort:paginate:)``.
    @concurrent public func loadChildren<M: Model>(
        _ type: M.Type, _ request: ChildrenRequest
    ) async throws -> ChildrenPage<M> {
        try await unreadable.leavingOut(of: M.modelName) { hidesUnreadable in
            try await withSnapshot {
                try await children(type, request, from: $0, loader: self, hidesUnreadable: hidesUnreadable)
            }
        }
    }

    /// The records that lead to a record, read from a snapshot or transaction.
    func children<M: Model>(
        _ type: M.Type, _ request: ChildrenRequest, from source: some RecordSource, loader: any ModelLoader,
        hidesUnreadable: Bool = false
    ) async throws -> ChildrenPage<M> {
        if let limit = request.limit, limit < 1 {
            throw StorageError(.misuse, "The limit of a list is below 1; fetch it without a limit for all records.")
        }
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
        query.plan.limit = request.limit.flatMap { limit in
            let (more, isTooMuch) = limit.addingReportingOverflow(1)
            return isTooMuch ? nil : more
        }
        var children: [M] = try await models(
            type, query, from: source, loader: loader, hidesUnreadable: hidesUnreadable)
        guard let limit = request.limit, children.count > limit else { return ChildrenPage(children) }
        children.removeLast()
        return ChildrenPage(children, next: try children.last?.recordKey())
    }
}

extension EntitySchema {
    /// Whether the identifier of a record is its key: one text field, which is `id` if the model has such a field.
    var hasTextKey: Bool {
        guard primaryKeyPositions.count == 1 else { return false }
        let (key, id) = (fields[primaryKeyPositions[0]], ModelIdentifierFormat.Default.name)
        return key.type.storageType == .text && (key.name == id || field(named: id) == nil)
    }
}

extension ModelError {
    /// Whether the model that it is about is hidden: what it requires is not there, or it cannot be decoded.
    func hides(unreadable: Bool) -> Bool { kind == .missingRelation || unreadable && kind == .decodingFailed }
}
