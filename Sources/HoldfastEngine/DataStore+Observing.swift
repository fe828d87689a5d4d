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
    ///   - predicate: Only changes after (for deletions: before) which the record matches; `nil` for all.
    /// - Throws: As ``query(_:where:sort:paginate:)``; ``StorageError`` `.closed`.
    public func observe<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil
    ) throws -> ModelChanges<M> {
        let plan = try catalog.model(type).schema.plan(where: predicate)
        let bound = try bind(plan)
        return ModelChanges(
            subscription: publisher.subscribe(to: plan.entity), predicate: bound.predicate, loader: self)
    }

    /// The matching records now and again after every commit that touches them.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - predicate: Which records; `nil` for all.
    ///   - sort: In which order; as in ``query(_:where:sort:paginate:)``.
    /// - Throws: As ``query(_:where:sort:paginate:)``; ``StorageError`` `.closed`.
    public func observeQuery<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil, sort: QuerySortInput? = nil
    ) throws -> LiveQuery<M> {
        let plan = try catalog.model(type).schema.plan(where: predicate, sort: sort)
        let bound = try bind(plan)
        return LiveQuery(store: self, plan: plan, query: bound)
    }

    private func bind(_ plan: QueryPlan) throws(StorageError) -> BoundQuery {
        if publisher.isFinished { throw StorageError(.closed, "The store is closed; open it again to observe it.") }
        return try store.schema.bind(plan, limits: store.capabilities.limits)
    }
}
