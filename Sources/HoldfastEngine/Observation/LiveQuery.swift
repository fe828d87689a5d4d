public import HoldfastModel
import HoldfastStorage

/// The matching records at one moment.
public struct QuerySnapshot<M: Model>: Sendable {
    /// The records, in the query's order.
    public let items: [M]
    /// Whether the model's records are synchronized with the service; `false` without a sync engine.
    ///
    /// A change of it alone is its own snapshot.
    public let isSynced: Bool
}

/// A query that answers again after every commit that touches its result.
///
/// The first snapshot comes at once. The result is maintained from the changes, unless it depends on related records,
/// a parent that its models hold themselves has changed, changes were missed, the outcome of a commit is unknown, or a
/// later commit has changed what another handle changed: then it is queried again. What other handles and processes
/// commit is part of it where the adapter has a change feed; otherwise ``DataStore/refresh()`` brings it in. Commits
/// that happen while the consumer is busy yield one snapshot, the newest. Ends when the store is closed or the consuming
/// task is cancelled.
///
/// The first record that cannot be decoded, for instance since a service has a newer schema, is thrown as an error. An
/// application that then goes on with the same iterator gets the other records, without any that cannot be decoded.
///
/// ```swift
/// for try await snapshot in try store.observeQuery(Post.self, where: Post.keys.rating >= 4) {
///     show(snapshot.items)
/// }
/// ```
public struct LiveQuery<M: Model>: AsyncSequence, Sendable {
    let store: DataStore
    let query: ModelQuery
    let bound: BoundQuery
    /// How many records are asked for; `nil` for all.
    let limit: Int?

    /// Starts observing.
    public func makeAsyncIterator() -> Iterator { Iterator(live: self) }

    /// The number of the lease under which the model was synchronized; `nil` if it was not.
    private var syncEpoch: Int64? { store.synced.epoch(of: query.model.entity.name) }

    /// What a query across relations found.
    private struct Answer: Sendable {
        let rows: RowBuffer
        let items: [M]
        let parents: HeldParents
        let isSynced: Bool

        /// Whether the same records were found as they were, in the same order, with the same related records.
        func isSame(as other: Answer) -> Bool {
            rows.versions == other.rows.versions && rows.cells == other.rows.cells
                && other.parents.areSame(in: parents)
        }
    }

    /// The related records that the models of the first rows of a page hold, or lack.
    private func held(
        _ page: RowBuffer, _ count: Int, _ parents: ParentRows?, _ snapshot: StoreSnapshot
    ) -> HeldParents {
        var held = HeldParents(sequence: snapshot.sequence)
        held.insert(page, rows: 0..<count, of: query.model, parents, in: store.catalog)
        return held
    }

    /// Takes the snapshots one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let live: LiveQuery
        private let subscription: ChangeSubscription
        private var result: LiveResult<M>?
        private var answer: Answer?
        /// Whether the model was synchronized before the newest result was asked for, and the store not cleared since.
        ///
        /// What the service sent before that is in the result then. The changes that are taken in afterwards say
        /// nothing: those of the last page may still wait for an older commit when the model is marked.
        private var isSynced = false
        /// Whether an error has said that not all records can be decoded.
        private var hidesUnreadable = false

        init(live: LiveQuery) {
            self.live = live
            // The first snapshot may already have a record whose creation is still to be taken here.
            let query = live.query
            let isMaintained = !query.exceedsPlan
            subscription = live.store.publisher.subscribe(
                to: query.entities.union(live.store.catalog.heldEntities(of: query.model)), keepsCancelled: true,
                preparation: isMaintained
                    ? live.store.livePreparation(of: query.model, where: live.bound.predicate) : nil)
        }

        /// The next snapshot, waiting for a change if the newest was taken.
        ///
        /// - Returns: `nil` once the store is closed or the task cancelled.
        /// - Throws: As a query.
        public mutating func next() async throws -> QuerySnapshot<M>? {
            do {
                return try await live.query.exceedsPlan ? nextAnswer() : nextResult()
            } catch {
                // The changes that were taken are lost, so that the next call asks again.
                (result, answer) = (nil, nil)
                if (error as? ModelError)?.kind == .decodingFailed { hidesUnreadable = true }
                throw error
            }
        }

        /// The next result of a query that is maintained from the changes.
        private mutating func nextResult() async throws -> QuerySnapshot<M>? {
            if result == nil { return try await queried() != nil ? snapshot() : nil }
            var isChanged = false
            while !isChanged {
                guard let commits = try await subscription.next() else { return nil }
                var tellEnough = commits.allSatisfy { $0.tellsEnoughForLiveQuery || !isOwn($0) }
                if tellEnough {
                    for changes in commits {
                        if try apply(changes) { isChanged = true }
                        tellEnough = result?.mayHoldOthers(after: changes) == false
                        if !tellEnough { break }
                    }
                    if tellEnough && result?.isShort == false && result?.isOutdated == false { continue }
                }
                // What was not applied is in the new result, too.
                let (before, wasSynced) = (result, isSynced)
                guard let held = try await queried(), let after = result else { return nil }
                isChanged =
                    isChanged || isSynced != wasSynced || before.map { !$0.isSame(as: after, holding: held) } ?? true
            }
            return snapshot()
        }

        /// Whether changes are of the model's records; others are of related ones.
        private func isOwn(_ changes: ChangeSet) -> Bool { changes.entity.name == live.query.model.entity.name }

        private mutating func apply(_ changes: ChangeSet) throws -> Bool {
            guard isOwn(changes) else { return false }
            let (live, hidesUnreadable) = (live, hidesUnreadable)
            return try result?.apply(changes) { row in
                do {
                    return try M(row: RowReader(changes.rows, row: row, loader: live.store, parents: changes.parents))
                } catch let error as ModelError where error.hides(unreadable: hidesUnreadable) {
                    return nil  // If the record it belonged to is gone by now, its own deletion follows.
                }
            } ?? false
        }

        /// Asks for the whole result.
        ///
        /// - Returns: The related records that the models shown hold; `nil` if the store is closed or the task
        ///   cancelled. The result is cleared in that case, since changes may be lost, and the next call asks again.
        private mutating func queried() async throws -> HeldParents? {
            let (live, hidesUnreadable, epoch) = (live, hidesUnreadable, live.syncEpoch)
            do {
                let (newest, held, isSynced) = try await live.store.store.withSnapshot { snapshot in
                    var query = live.query
                    query.plan.limit = live.limit.map(LiveResult<M>.heldCount)
                    let page = try await live.store.firstModels(
                        M.self, query, enough: live.limit, from: snapshot, loader: live.store,
                        hidesUnreadable: hidesUnreadable)
                    let all = live.held(page.found, page.found.rowCount, page.parents, snapshot)
                    let shownCount = Swift.min(page.rows.rowCount, live.limit ?? .max)
                    return (
                        LiveResult(
                            page.rows, items: page.models, sequence: snapshot.sequence, query: live.bound,
                            limit: live.limit, isCut: page.isCut, parents: all),
                        shownCount == page.found.rowCount
                            ? all : live.held(page.rows, shownCount, page.parents, snapshot),
                        try await live.store.isSynced(under: epoch, in: snapshot)
                    )
                }
                (result, self.isSynced) = (newest, isSynced)
                return held
            } catch let error as StorageError where error.kind == .closed || error.kind == .cancelled {
                result = nil
                return nil
            }
        }

        /// The next answer of a query across relations: asked again after every commit that could change it.
        private mutating func nextAnswer() async throws -> QuerySnapshot<M>? {
            while true {
                if let answer {
                    guard let commits = try await subscription.next() else { return nil }
                    let mayDiffer = commits.contains {
                        live.query.entities.contains($0.entity.name) || answer.parents.mayDiffer(after: $0)
                    }
                    if !mayDiffer { continue }
                }
                let wasSynced = isSynced
                guard let newest = try await ask() else {
                    answer = nil
                    return nil
                }
                isSynced = newest.isSynced
                let isChanged = answer.map { !$0.isSame(as: newest) } ?? true
                answer = newest
                if isChanged || isSynced != wasSynced { return QuerySnapshot(items: newest.items, isSynced: isSynced) }
            }
        }

        private func ask() async throws -> Answer? {
            let epoch = live.syncEpoch
            do {
                return try await live.store.store.withSnapshot { snapshot in
                    let page = try await live.store.firstModels(
                        M.self, live.query, from: snapshot, loader: live.store, hidesUnreadable: hidesUnreadable)
                    return Answer(
                        rows: page.rows, items: page.models,
                        parents: live.held(page.found, page.found.rowCount, page.parents, snapshot),
                        isSynced: try await live.store.isSynced(under: epoch, in: snapshot))
                }
            } catch let error as StorageError where error.kind == .closed || error.kind == .cancelled {
                return nil
            }
        }

        private func snapshot() -> QuerySnapshot<M>? {
            result.map { QuerySnapshot(items: $0.items, isSynced: isSynced) }
        }
    }
}
