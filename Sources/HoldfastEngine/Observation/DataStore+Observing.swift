public import HoldfastModel
import HoldfastStorage

extension DataStore {
    /// The changes of a model's records from now on, in the order of their commits.
    ///
    /// Observing begins with this call. A slow consumer never delays a writer. When 10,000 changes wait for it, those
    /// of one record are folded into its newest state. Beyond 50,000 that cannot be folded, all waiting changes are
    /// dropped, and the next one is the error `.changesMissed` (see ``ModelChanges``).
    ///
    /// Commits of other handles and processes are observed where the adapter has a change feed (its capability
    /// `changeFeed`) and unless ``DataStoreOptions/observesOtherHandles`` is off. A record that they put is reported as
    /// updated, since the feed does not say whether it is new. After a deletion, of which the record is no longer
    /// known, the next element is the error `.changesMissed`. Otherwise only the commits of this `DataStore` are
    /// observed; see ``refresh()``.
    ///
    /// If the outcome of a commit is unknown, the records that it should have changed are read when the consumer gets
    /// there. Those that are as the commit would have left them are reported; for those that it would have hidden comes
    /// the error `.changesMissed`.
    ///
    /// A model that holds its parents is hidden while one that it must have is not there. What a service sends or
    /// deletes may show or hide it, which counts as its creation or deletion; what the service does to it while it is
    /// hidden is not reported. If more than 1,000 records may be shown or hidden at once, the error `.changesMissed`
    /// comes in their place. This is so for observers of the handle that synchronizes the store. Those of other handles
    /// learn of the records that a service sends or deletes, and not of what these show or hide; live queries show it.
    ///
    /// The parents are read when the consumer gets there. If one is gone by another commit, the change is skipped,
    /// since its deletion follows, and in place of a deletion that was not reported before comes the error
    /// `.changesMissed`.
    ///
    /// ```swift
    /// var titles: [String] = []
    /// let changes = try store.observe(Post.self, where: Post.keys.rating >= 4)
    /// try await store.save(Post(title: "Let go", rating: 2))
    /// try await store.save(Post(title: "Hold fast", rating: 5))
    /// for try await change in changes {
    ///     titles.append(change.model.title)  // "Hold fast", whose `kind` is `.created` and `origin` is `.local`
    ///     break
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - predicate: Only changes after (for deletions: before) which the record matches; `nil` for all. Related
    ///     records count as they are when the change is consumed; their own changes are not observed.
    /// - Returns: A sequence of the changes that are committed after this call.
    /// - Throws: As ``query(_:where:sort:paginate:)``; ``/HoldfastStorage/StorageError`` `.closed`.
    public func observe<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil
    ) throws -> ModelChanges<M> {
        let model = try catalog.model(type)
        try checkIsOpen()
        let condition = try catalog.condition(predicate, on: model).bound(
            to: model.entity, in: store.schema, limits: store.capabilities.limits)
        return ModelChanges(
            rows: ChangedRows(
                subscription: publisher.subscribe(
                    to: [model.entity.name],
                    readsRelatedRecords: model.needsParents || condition.asksForRelatedRecords,
                    preparation: preparation(of: model, where: condition))),
            condition: condition, store: self)
    }

    /// The changes of all models' records from now on, in the order of their commits; otherwise as
    /// ``observe(_:where:)``.
    ///
    /// ```swift
    /// var texts: [String] = []
    /// let changes = try store.observe()
    /// try await store.save(Comment(text: "Thank you"))
    /// for try await change in changes {
    ///     if let comment = change.model as? Comment { texts.append(comment.text) }
    ///     break
    /// }
    /// ```
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`.
    public func observe() throws -> AnyModelChanges {
        try checkIsOpen()
        let models = catalog.entities.compactMap { catalog.model(named: $0.name) }
        let preparations = Dictionary(uniqueKeysWithValues: models.map { ($0.entity.name, preparation(of: $0)) })
        return AnyModelChanges(
            rows: ChangedRows(
                subscription: publisher.subscribe(
                    to: Set(preparations.keys), readsRelatedRecords: models.contains(where: \.needsParents),
                    preparation: { try await preparations[$0.entity.name]?($0) ?? $0 })),
            store: self)
    }

    /// Yields the matching records now, and again after every commit that changes them.
    ///
    /// A query across relations also yields again when a related record changes its result, and a query of models that
    /// hold their parents themselves when one of these changes.
    ///
    /// ```swift
    /// var counts: [Int] = []
    /// for try await snapshot in try store.observeQuery(Post.self, where: Post.keys.rating >= 4) {
    ///     counts.append(snapshot.items.count)
    ///     if snapshot.items.isEmpty { break }
    ///     try await store.delete(snapshot.items[0])  // the next snapshot does not have it
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - predicate: Which records; `nil` for all.
    ///   - sort: In which order; as in ``query(_:where:sort:paginate:)``.
    ///   - limit: The maximum number of records, the first in the order; at most twice as many are held in memory.
    ///     `nil` for all.
    /// - Returns: A sequence of the query's results.
    /// - Throws: As ``query(_:where:sort:paginate:)``; ``/HoldfastStorage/StorageError`` `.closed`.
    public func observeQuery<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)? = nil, sort: QuerySortInput? = nil, limit: Int? = nil
    ) throws -> LiveQuery<M> {
        var query = try catalog.query(catalog.model(type), where: predicate, sort: sort)
        try checkIsOpen()
        let limits = store.capabilities.limits
        _ = try query.condition.bound(to: query.model.entity, in: store.schema, limits: limits)
        query.plan.limit = limit
        return LiveQuery(
            store: self, query: query, bound: try store.schema.bind(query.plan, limits: limits), limit: limit)
    }

    /// Makes live queries ask again, and observers learn by the error `.changesMissed` that any record may have
    /// changed.
    ///
    /// For adapters without a change feed, where nothing reports commits of other handles and processes: call it when
    /// the application has reason to believe so, for instance when it becomes active.
    public func refresh() { publisher.missed(catalog.entities) }

    private func checkIsOpen() throws(StorageError) {
        if publisher.isFinished { throw StorageError(.closed, "The store is closed; open it again to observe it.") }
    }

    /// How changes of a model are prepared for a live query; those of other entities stay as they are.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - predicate: Which records the query asks for.
    /// - Returns: The preparation; `nil` if changes need nothing of the store.
    func livePreparation(
        of model: ModelCatalog.RegisteredModel, where predicate: BoundPredicate
    ) -> ChangeSubscription.Preparation? {
        if !model.needsParents && externalCommits == nil { return nil }
        return { [self] changes in
            if changes.entity.name != model.entity.name { return changes }
            switch changes.knowledge {
            case .missed, .mayHaveHappened: return changes
            // Deletions go by keys.
            case .certain where !model.needsParents || changes.kinds.allSatisfy { $0 == .deleted }: return changes
            case .certain, .keysOnly:
                return try await store.withSnapshot { snapshot in
                    var known = try await read(changes, in: snapshot, keepsDeletedKeys: true)
                    let entering = known.rows(where: predicate)
                    known.parents = try await parents(of: entering, of: model, from: snapshot)
                    var held = HeldParents(sequence: snapshot.sequence)
                    held.insert(entering, rows: 0..<entering.rowCount, of: model, known.parents, in: catalog)
                    known.held = held
                    return known
                }
            }
        }
    }

    /// How changes of a model are prepared for an observer.
    private func preparation(
        of model: ModelCatalog.RegisteredModel, where condition: BoundCondition? = nil
    ) -> ChangeSubscription.Preparation {
        let remote = condition.flatMap { $0.asksForRelatedRecords ? $0 : nil }
        let needsStore = model.needsParents || remote != nil
        return { [self] changes in
            if changes.knowledge == .missed { return changes }
            if changes.knowledge == .certain && !needsStore { return changes }
            return try await store.withSnapshot { snapshot in
                try await prepared(
                    read(changes, in: snapshot, keepsDeletedKeys: false), of: model, where: remote, in: snapshot)
            }
        }
    }

    private func prepared(
        _ changes: ChangeSet, of model: ModelCatalog.RegisteredModel, where remote: BoundCondition? = nil,
        in snapshot: StoreSnapshot
    ) async throws -> ChangeSet {
        var changes = changes
        if model.needsParents {
            let loader = ParentLoader(
                catalog: catalog, source: snapshot, limits: store.capabilities.limits,
                deleted: changes.deletedTogether)
            changes.parents = try await loader.parents(of: changes.rows, of: model)
        }
        if let remote {
            var evaluator = ConditionEvaluator(source: snapshot, limits: store.capabilities.limits)
            evaluator.deleted = changes.deletedTogether
            changes.matches = try await evaluator.matches(changes.rows, remote)
        }
        return changes
    }

    /// What a snapshot shows of changes that are not certain.
    ///
    /// Of a commit with an unknown outcome, the changes remain whose records are as the commit would have left them, or
    /// are gone. Of another handle's commit, the changes remain that no later commit has undone; the later commit's
    /// changes follow.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - snapshot: Where their records are looked up.
    ///   - keepsDeletedKeys: Whether deletions remain of which only the key is known.
    /// - Returns: The changes that remain, which are certain.
    /// - Throws: What reading the snapshot throws.
    private func read(
        _ changes: ChangeSet, in snapshot: StoreSnapshot, keepsDeletedKeys: Bool
    ) async throws -> ChangeSet {
        if changes.knowledge == .certain { return changes }
        let entity = changes.entity
        let stored = try await snapshot.get(
            changes.kinds.indices.map { entity.key(of: changes.rows[$0]) }, of: entity)
        var known = changes
        (known.knowledge, known.kinds, known.serviceVersions) = (.certain, [], nil)
        known.rows = RowBuffer(columnCount: changes.rows.columnCount)
        for (row, kind) in changes.kinds.enumerated() {
            let isThere = stored.versions[row] != 0
            switch (kind, changes.knowledge) {
            case (.deleted, _) where isThere: continue
            case (.deleted, .keysOnly) where !keepsDeletedKeys:
                known.hasUnknownDeletions = true
                continue
            case (.deleted, _): known.rows.append(changes.rows[row])
            case (_, .keysOnly):
                guard isThere, keepsDeletedKeys || stored.versions[row] == changes.sequence else { continue }
                known.rows.append(stored[row], version: stored.versions[row])
            default:
                guard isThere, stored[row] == changes.rows[row] else { continue }
                known.rows.append(changes.rows[row])
            }
            known.kinds.append(kind)
        }
        return known
    }
}
