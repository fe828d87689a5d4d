import HoldfastStorage
import Synchronization

/// Hands the changes of finished commits to subscribers, in commit order.
///
/// Publishing appends to buffers under a lock and never waits for a subscriber.
final class ChangePublisher: Sendable {
    private struct Subscriber {
        weak var subscription: ChangeSubscription?
        let entity: String
    }

    private struct State {
        var order = CommitOrder<[ChangeSet]>()
        var subscribers: [Subscriber] = []
        var isFinished = false

        /// The subscribers to end now.
        mutating func takeFinished() -> [Subscriber] {
            guard isFinished && order.isIdle else { return [] }
            defer { subscribers = [] }
            return subscribers
        }
    }

    private let state = Mutex(State())

    /// A commit begins; every ticket is ended once.
    func begin() -> UInt64 { state.withLock { $0.order.begin() } }

    /// A commit failed.
    func end(_ ticket: UInt64) { publish { $0.end(ticket) } }

    /// A commit of this sequence succeeded with these changes.
    func end(_ ticket: UInt64, sequence: UInt64, _ changes: [ChangeSet]) {
        publish { $0.end(ticket, sequence: sequence, event: changes) }
    }

    /// Subscribes to the changes of an entity from now on; ends when the subscription is dropped.
    func subscribe(to entity: String) -> ChangeSubscription {
        let subscription = ChangeSubscription()
        let isFinished = state.withLock { state in
            state.subscribers.removeAll { $0.subscription == nil }
            state.subscribers.append(Subscriber(subscription: subscription, entity: entity))
            return state.isFinished
        }
        if isFinished { subscription.finish() }
        return subscription
    }

    /// Whether ``finish()`` was called.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Ends all subscriptions, once the commits under way have ended and their changes are handed out.
    func finish() {
        let subscribers = state.withLock { state in
            state.isFinished = true
            return state.takeFinished()
        }
        for subscriber in subscribers { subscriber.subscription?.finish() }
    }

    private func publish(_ advance: (inout CommitOrder<[ChangeSet]>) -> [[ChangeSet]]) {
        let (waiters, finished) = state.withLock { state in
            var waiters: [CheckedContinuation<Void, Never>] = []
            for commit in advance(&state.order) {
                for subscriber in state.subscribers {
                    let changes = commit.filter { $0.entity.name == subscriber.entity }
                    if changes.isEmpty { continue }
                    if let waiter = subscriber.subscription?.append(changes) { waiters.append(waiter) }
                }
            }
            return (waiters, state.takeFinished())
        }
        for waiter in waiters { waiter.resume() }
        for subscriber in finished { subscriber.subscription?.finish() }
    }
}
