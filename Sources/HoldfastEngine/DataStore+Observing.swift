public import HoldfastModel
import HoldfastStorage

extension DataStore {
    /// The changes of a model's records from now on, in the order of their commits.
    ///
    /// Observing begins with this call. A slow consumer blocks nobody; once very much has piled up, changes of one
    /// record are folded into its newest state.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - predicate: Only changes after (for deletions: before) which the record matches; `nil` for all. Related
    ///     records count as they are when the change is consumed; their own changes are not observed.
    /// - Throws: As ``query(_:where:sort:paginate:)``; ``StorageError`` `.closed`.
    public func observe<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil
    ) throws -> ModelChanges<M> {
        let model = try catalog.model(type)
        try checkIsOpen()
        let condition = try catalog.condition(predicate, on: model).bound(
            to: model.entity, in: store.schema, limits: store.capabilities.limits)
        return ModelChanges(
            subscription: publisher.subscribe(
                to: [model.entity.name], preparation: preparation(of: model, where: condition)),
            condition: condition, store: self)
    }

    /// The changes of all models' records from now on, in the order of their commits; otherwise as
    /// ``observe(_:where:)``.
    ///
    /// - Throws: ``StorageError`` `.closed`.
    public func observe() throws -> AnyModelChanges {
        try checkIsOpen()
        let preparations = catalog.entities.reduce(into: [String: ChangeSubscription.Preparation]()) { all, entity in
            all[entity.name] = catalog.model(named: entity.name).flatMap { preparation(of: $0) }
        }
        return AnyModelChanges(
            subscription: publisher.subscribe(
                to: Set(catalog.entities.map(\.name)),
                preparation: { try await preparations[$0.entity.name]?($0) ?? $0 }),
            store: self)
    }

    /// The matching records now and again after every commit that touches them.
    ///
    /// A query across relations also answers again when a related record changes its result.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - predicate: Which records; `nil` for all.
    ///   - sort: In which order; as in ``query(_:where:sort:paginate:)``.
    /// - Throws: As ``query(_:where:sort:paginate:)``; ``StorageError`` `.closed`.
    public func observeQuery<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil, sort: QuerySortInput? = nil
    ) throws -> LiveQuery<M> {
        let query = try catalog.query(catalog.model(type), where: predicate, sort: sort)
        try checkIsOpen()
        let limits = store.capabilities.limits
        _ = try query.condition.bound(to: query.model.entity, in: store.schema, limits: limits)
        return LiveQuery(store: self, query: query, bound: try store.schema.bind(query.plan, limits: limits))
    }

    private func checkIsOpen() throws(StorageError) {
        if publisher.isFinished { throw StorageError(.closed, "The store is closed; open it again to observe it.") }
    }

    /// How changes of a model are prepared for an observer; `nil` if they need nothing of the store.
    func preparation(
        of model: ModelCatalog.RegisteredModel, where condition: BoundCondition? = nil
    ) -> ChangeSubscription.Preparation? {
        let remote = condition.flatMap { $0.asksForRelatedRecords ? $0 : nil }
        if !model.needsParents && remote == nil { return nil }
        return { [store, catalog] changes in
            try await store.withSnapshot { snapshot in
                var changes = changes
                if model.needsParents {
                    let loader = ParentLoader(catalog: catalog, source: snapshot, deleted: changes.deletedTogether)
                    changes.parents = try await loader.parents(of: changes.rows, of: model)
                }
                if let remote {
                    var evaluator = ConditionEvaluator(source: snapshot, limits: store.capabilities.limits)
                    evaluator.deleted = changes.deletedTogether
                    changes.matches = try await evaluator.matches(changes.rows, remote)
                }
                return changes
            }
        }
    }
}
