import HoldfastStorage

/// Hands the changes of finished commits to subscribers, in commit order.
///
/// Publishing appends to buffers under a lock, which costs the same however much waits there, and never waits for a
/// subscriber.
final class ChangePublisher: Sendable {
    private struct Published: Sendable {
        var changes: [ChangeSet]
        /// The sequences of the commits that the change feed reported, or has forgotten.
        var feedSequences: ClosedRange<UInt64>?
    }

    private struct Subscriber {
        weak var subscription: ChangeSubscription?
        let entities: Set<String>
    }

    private struct State {
        var order = CommitOrder<Published>()
        var subscribers: [Subscriber] = []
        var isFinished = false
        /// The commits of this handle that its change feed has not reported yet; `nil` without a feed.
        var own: Set<UInt64>?
        /// The last commit that the change feed reported or has forgotten; 0 if that is not known.
        var feedPosition: UInt64 = 0
        /// Those who wait until no commit is in progress.
        var finishers: [CheckedContinuation<Void, Never>] = []

        /// Whether the feed speaks of commits of this handle alone, which were published when they were made.
        mutating func isRepeated(_ commit: Published) -> Bool {
            guard let sequences = commit.feedSequences else { return false }
            if sequences.lowerBound == sequences.upperBound { return own?.remove(sequences.lowerBound) != nil }
            guard let known = own else { return false }
            let others = known.filter { !sequences.contains($0) }
            own = others
            return UInt64(known.count - others.count) == sequences.upperBound - sequences.lowerBound &+ 1
        }

        mutating func takeFinishers() -> [CheckedContinuation<Void, Never>] {
            guard order.isIdle else { return [] }
            defer { finishers = [] }
            return finishers
        }
    }

    private let state = Mutex(State())

    /// A commit begins; every ticket is ended once.
    ///
    /// - Throws: ``StorageError`` `.closed` after ``finish()``.
    func begin() throws(StorageError) -> UInt64 {
        let ticket = state.withLock { $0.isFinished ? nil : $0.order.begin() }
        guard let ticket else { throw StorageError(.closed, "The store is closed; open it again to change it.") }
        return ticket
    }

    /// A commit failed.
    func end(_ ticket: UInt64) { publish { $0.end(ticket) } }

    /// The outcome of a commit with these changes is unknown; what may be any change stays so.
    func end(_ ticket: UInt64, mayHaveHappened changes: [ChangeSet]) {
        let doubtful = changes.map { changes -> ChangeSet in
            // What is hidden is stored as before, so that the record does not show whether it happened. If only the
            // keys were read, the record as it was cannot be delivered.
            if changes.areHidden || changes.knowledge == .keysOnly {
                return .missed(changes.entity, through: changes.sequence)
            }
            var changes = changes
            if changes.knowledge != .missed { changes.knowledge = .mayHaveHappened }
            return changes
        }
        publish { $0.end(ticket) + [Published(changes: doubtful)] }
    }

    /// A commit of this sequence succeeded with these changes.
    func end(_ ticket: UInt64, sequence: UInt64, _ changes: [ChangeSet]) {
        // A commit that only checks conditions has the sequence of the one before it, perhaps another handle's.
        if !changes.isEmpty { state.withLock { _ = $0.own?.insert(sequence) } }
        publish { $0.end(ticket, sequence: sequence, event: Published(changes: changes)) }
    }

    /// From now on ``received(_:_:)`` gets every commit, also those of this handle.
    func expectFeed() { state.withLock { $0.own = [] } }

    /// Whether a commit is one of this handle whose changes are published, and which the feed has not reported yet.
    func isOwnCommit(_ sequence: UInt64) -> Bool { state.withLock { $0.own?.contains(sequence) ?? false } }

    /// The feed reported a commit, of this handle or another, by its keys.
    func received(_ sequence: UInt64, _ changes: [ChangeSet]) {
        state.withLock { $0.feedPosition = sequence }
        publish {
            $0.insert(sequence: sequence, event: Published(changes: changes, feedSequences: sequence...sequence))
        }
    }

    /// The feed has forgotten commits; those of a handle that writes much may all be its own.
    func missed(through sequence: UInt64, _ changes: [ChangeSet]) {
        let position = state.withLock { state in
            defer { state.feedPosition = sequence }
            return state.feedPosition
        }
        let forgotten = sequence > position ? position + 1...sequence : sequence...sequence
        publish { $0.insert(sequence: sequence, event: Published(changes: changes, feedSequences: forgotten)) }
    }

    /// Any record of some entities may have changed.
    func missed(_ entities: [EntitySchema]) {
        publish { _ in [Published(changes: entities.map { .missed($0, through: 0) })] }
    }

    /// Makes the live queries of some entities ask again; other observers learn nothing.
    func askAgain(_ entities: [EntitySchema]) {
        let changes = entities.map { entity in
            var changes = ChangeSet.missed(entity, through: 0)
            changes.isForLiveQueriesOnly = true
            return changes
        }
        publish { _ in [Published(changes: changes)] }
    }

    /// Subscribes to the changes of one entity; as for several.
    func subscribe(to entity: String) -> ChangeSubscription { subscribe(to: [entity]) }

    /// Subscribes to the changes of entities from now on; ends when the subscription is dropped.
    ///
    /// The parameters are those of
    /// ``ChangeSubscription/init(keepsCancelled:isFinished:readsRelatedRecords:preparation:)``.
    func subscribe(
        to entities: Set<String>, keepsCancelled: Bool = false, readsRelatedRecords: Bool = false,
        preparation: ChangeSubscription.Preparation? = nil
    ) -> ChangeSubscription {
        state.withLock { state in
            let subscription = ChangeSubscription(
                keepsCancelled: keepsCancelled, isFinished: state.isFinished, readsRelatedRecords: readsRelatedRecords,
                preparation: preparation)
            state.subscribers.removeAll { $0.subscription == nil }
            state.subscribers.append(Subscriber(subscription: subscription, entities: entities))
            return subscription
        }
    }

    /// Whether a subscriber needs the records of an entity that are deleted, and not their keys alone.
    func needsRows(of entity: String) -> Bool {
        state.withLock { state in
            state.subscribers.contains { subscriber in
                guard let subscription = subscriber.subscription else { return false }
                return subscription.readsRelatedRecords
                    || subscriber.entities.contains(entity) && !subscription.keepsCancelled
            }
        }
    }

    /// Whether a subscriber looks at related records, as ``ChangeSubscription/readsRelatedRecords`` says.
    var readsRelatedRecords: Bool {
        state.withLock { state in state.subscribers.contains { $0.subscription?.readsRelatedRecords ?? false } }
    }

    /// Whether ``finish()`` was called.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Ends all subscriptions, once the commits in progress have ended and their changes are handed out.
    ///
    /// No new commits start. When this returns, subscribers no longer need the store.
    func finish() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                state.isFinished = true
                if !state.order.isIdle { state.finishers.append(continuation) }
                return state.order.isIdle
            }
            if isIdle { continuation.resume() }
        }
        let subscribers = state.withLock { state in
            defer { state.subscribers = [] }
            return state.subscribers
        }
        for subscriber in subscribers { await subscriber.subscription?.finish() }
    }

    private func publish(_ advance: (inout CommitOrder<Published>) -> [Published]) {
        let (wakes, finishers) = state.withLock { state in
            var wakes: [(ChangeSubscription, ChangeSubscription.Wake)] = []
            for commit in advance(&state.order) where !state.isRepeated(commit) {
                var deleted: DeletedRecords?
                for subscriber in state.subscribers {
                    guard let subscription = subscriber.subscription else { continue }
                    var changes = commit.changes.filter {
                        subscriber.entities.contains($0.entity.name)
                            && (!$0.isForLiveQueriesOnly || subscription.keepsCancelled)
                    }
                    if changes.isEmpty { continue }
                    if subscription.readsRelatedRecords, changes.contains(where: \.isDeletion) {
                        let together = deleted ?? DeletedRecords(by: commit.changes)
                        deleted = together
                        for index in changes.indices where changes[index].isDeletion {
                            changes[index].deletedTogether = together
                        }
                        changes.countDeletedTogether()
                    }
                    wakes.append((subscription, subscription.append(changes)))
                }
            }
            return (wakes, state.takeFinishers())
        }
        for (subscription, wake) in wakes {
            if let folding = wake.folding { subscription.fold(folding) }
            wake.waiter?.resume()
        }
        for finisher in finishers { finisher.resume() }
    }
}
