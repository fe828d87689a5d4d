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
    /// `changeFeed`) and unless ``DataStoreOptions/observesOtherHandles`` is off. They may come after later commits of
    /// this `DataStore`, which are not kept waiting for the feed. A record that they put is reported as updated, since the
    /// feed does not say whether it is new. A record that they deleted is no longer known, so that the next element is the
    /// error `.changesMissed`. Otherwise only the commits of this `DataStore` are observed; see ``refresh()``.
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
                    preparation: Self.each(preparation(of: model, where: condition)))),
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
                    preparation: Self.each { try await preparations[$0.entity.name]?($0) ?? $0 })),
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
        let entity = model.entity
        return { [self] commits in
            let own = commits.filter { $0.entity.name == entity.name }
            // Then the query asks again, for one of several commits as well as for all of them.
            if own.contains(where: { $0.knowledge == .missed || $0.knowledge == .mayHaveHappened }) { return commits }
            // Deletions go by keys.
            let needsParents = model.needsParents && own.contains { !$0.kinds.allSatisfy { $0 == .deleted } }
            if !needsParents && own.allSatisfy({ $0.knowledge == .certain }) { return commits }
            return try await store.withSnapshot { snapshot in
                guard var known = try await newest(commits, of: entity, in: snapshot) else {
                    return [.missed(entity, through: commits.last?.sequence ?? 0)]
                }
                for index in known.indices where needsParents && known[index].entity.name == entity.name {
                    let entering = known[index].rows(where: predicate)
                    if entering.isEmpty { continue }
                    known[index].parents = try await parents(of: entering, of: model, from: snapshot)
                    var held = HeldParents(sequence: snapshot.sequence)
                    held.insert(entering, rows: 0..<entering.rowCount, of: model, known[index].parents, in: catalog)
                    known[index].held = held
                }
                return known
            }
        }
    }

    /// The changes of an entity by some commits, those by other handles as a snapshot shows them.
    ///
    /// - Parameters:
    ///   - commits: Changes that are certain, or of which only the keys are known; also of other entities.
    ///   - entity: The entity.
    ///   - snapshot: Where the records are looked up.
    /// - Returns: The changes; `nil` if the snapshot has a later commit that changed one of the records, and so may have
    ///   changed others.
    /// - Throws: What reading the snapshot throws.
    private func newest(
        _ commits: [ChangeSet], of entity: EntitySchema, in snapshot: StoreSnapshot
    ) async throws -> [ChangeSet]? {
        let sequences = Set(commits.map(\.sequence))
        let foreign = commits.indices.filter {
            commits[$0].entity.name == entity.name && commits[$0].knowledge == .keysOnly
        }
        var positions: [RecordKey: Int] = [:]
        for index in foreign {
            for row in commits[index].kinds.indices {
                let key = entity.key(of: commits[index].rows[row])
                if positions[key] == nil { positions[key] = positions.count }
            }
        }
        if positions.isEmpty { return commits }
        let stored = try await snapshot.get(positions.sorted { $0.value < $1.value }.map(\.key), of: entity)
        var areDeleted = Set<RecordKey>()
        for changes in commits where changes.entity.name == entity.name {
            for (row, kind) in changes.kinds.enumerated() {
                let key = entity.key(of: changes.rows[row])
                if kind == .deleted { areDeleted.insert(key) } else { areDeleted.remove(key) }
            }
        }
        for (key, position) in positions {
            let version = stored.versions[position]
            if version == 0 ? !areDeleted.contains(key) : !sequences.contains(version) { return nil }
        }
        var known = commits
        for index in foreign {
            (known[index].knowledge, known[index].kinds) = (.certain, [])
            known[index].rows = RowBuffer(columnCount: entity.fields.count)
            for (row, kind) in commits[index].kinds.enumerated() {
                guard let position = positions[entity.key(of: commits[index].rows[row])] else { continue }
                let isThere = stored.versions[position] != 0
                if isThere == (kind == .deleted) { continue }
                known[index].kinds.append(kind)
                if isThere {
                    known[index].rows.append(stored[position], version: stored.versions[position])
                } else {
                    known[index].rows.append(commits[index].rows[row])
                }
            }
        }
        return known
    }

    /// Prepares sets of changes one by one.
    private static func each(
        _ prepare: @escaping @Sendable (ChangeSet) async throws -> ChangeSet
    ) -> ChangeSubscription.Preparation {
        { changes in
            var prepared: [ChangeSet] = []
            for set in changes { prepared.append(try await prepare(set)) }
            return prepared
        }
    }

    /// How changes of a model are prepared for an observer.
    private func preparation(
        of model: ModelCatalog.RegisteredModel, where condition: BoundCondition? = nil
    ) -> @Sendable (ChangeSet) async throws -> ChangeSet {
        let remote = condition.flatMap { $0.asksForRelatedRecords ? $0 : nil }
        let needsStore = model.needsParents || remote != nil
        return { [self] changes in
            if changes.knowledge == .missed { return changes }
            if changes.knowledge == .certain && !needsStore { return changes }
            return try await store.withSnapshot { snapshot in
                try await prepared(read(changes, in: snapshot), of: model, where: remote, in: snapshot)
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
    /// - Returns: The changes that remain, which are certain.
    /// - Throws: What reading the snapshot throws.
    private func read(_ changes: ChangeSet, in snapshot: StoreSnapshot) async throws -> ChangeSet {
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
            case (.deleted, .keysOnly):
                known.hasUnknownDeletions = true
                continue
            case (.deleted, _): known.rows.append(changes.rows[row])
            case (_, .keysOnly):
                guard isThere, stored.versions[row] == changes.sequence else { continue }
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
