import HoldfastStorage
import Synchronization

/// Hands the changes of finished commits to subscribers, in commit order.
///
/// Publishing appends to buffers under a lock, which costs the same however much waits there, and never waits for a
/// subscriber.
final class ChangePublisher: Sendable {
    private struct Subscriber {
        weak var subscription: ChangeSubscription?
        let entities: Set<String>
    }

    private struct State {
        var order = CommitOrder<[ChangeSet]>()
        var subscribers: [Subscriber] = []
        var isFinished = false
        /// Those who wait until no commit is under way.
        var finishers: [CheckedContinuation<Void, Never>] = []

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

    /// The outcome of a commit with these changes is unknown.
    func end(_ ticket: UInt64, mayHaveHappened changes: [ChangeSet]) {
        let doubtful = changes.map { changes in
            var changes = changes
            changes.knowledge = .mayHaveHappened
            return changes
        }
        publish { $0.end(ticket) + [doubtful] }
    }

    /// A commit of this sequence succeeded with these changes.
    func end(_ ticket: UInt64, sequence: UInt64, _ changes: [ChangeSet]) {
        publish { $0.end(ticket, sequence: sequence, event: changes) }
    }

    /// Subscribes to the changes of one entity; as for several.
    func subscribe(to entity: String) -> ChangeSubscription { subscribe(to: [entity]) }

    /// Subscribes to the changes of entities from now on; ends when the subscription is dropped.
    ///
    /// The parameters are those of
    /// ``ChangeSubscription/init(keepsCancelled:isFinished:needsDeletions:preparation:)``.
    func subscribe(
        to entities: Set<String>, keepsCancelled: Bool = false, needsDeletions: Bool = false,
        preparation: ChangeSubscription.Preparation? = nil
    ) -> ChangeSubscription {
        state.withLock { state in
            let subscription = ChangeSubscription(
                keepsCancelled: keepsCancelled, isFinished: state.isFinished, needsDeletions: needsDeletions,
                preparation: preparation)
            state.subscribers.removeAll { $0.subscription == nil }
            state.subscribers.append(Subscriber(subscription: subscription, entities: entities))
            return subscription
        }
    }

    /// Whether ``finish()`` was called.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Ends all subscriptions, once the commits under way have ended and their changes are handed out.
    ///
    /// No commit begins any more. When this returns, subscribers need nothing of the store any more.
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

    private func publish(_ advance: (inout CommitOrder<[ChangeSet]>) -> [[ChangeSet]]) {
        let (wakes, finishers) = state.withLock { state in
            var wakes: [(ChangeSubscription, ChangeSubscription.Wake)] = []
            for commit in advance(&state.order) {
                var deleted: [String: DeletedRecords]?
                for subscriber in state.subscribers {
                    var changes = commit.filter { subscriber.entities.contains($0.entity.name) }
                    guard !changes.isEmpty, let subscription = subscriber.subscription else { continue }
                    if subscription.needsDeletions {
                        let together = deleted ?? commit.deletedRecords
                        deleted = together
                        for index in changes.indices { changes[index].deletedTogether = together }
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
