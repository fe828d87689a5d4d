import HoldfastStorage

/// A record that a commit of this process wrote.
struct Event: Sendable {
    var model: ServerModel
    var operation: MutationOperation
    /// All cells of the record.
    var row: [Value]
    /// The sequence of the commit.
    var sequence: UInt64
    /// The number of the first listener that came after all queries find what was written; no such listener receives it.
    ///
    /// The event may come later than the listener. Without a change feed that is the end of the commit: sequences would
    /// not tell, since of commits that run at the same time, the one with the lower sequence may end last. With one it is
    /// when the feed reaches the commit. Until then delta queries may lack it, because they end before the oldest commit
    /// that still runs:
    ///
    ///     commit 100 runs      commit 105 ends
    ///                          a client listens, and asks for changes: up to 99
    ///     commit 100 ends      the feed reaches 100 and 105
    var nextListener = UInt64.max
    /// What its frames have in common.
    let payloads = EventPayloads()
}

/// Notifies listeners of events in the order of their commits: those from a change feed, or those of this process.
///
/// Commits that run at the same time may return in another order. A commit that began after another one had returned
/// has a later sequence, so an event waits only for commits that had begun before its own returned.
final class EventHub: Sendable {
    /// Takes an event; `nil` if some may have been missed, so that the client must resync.
    typealias Listener = @Sendable (Event?) -> Void

    private struct State {
        var order = CommitOrder<[Event]>()
        /// Events of this process that the feed has not reached, by the sequence of their commit; those that are not here
        /// are read from the store.
        private(set) var ownEvents: [UInt64: [Event]] = [:]
        /// The sequence that the feed has reached.
        var feedSequence: UInt64 = 0
        var nextListener: UInt64 = 1
        var listeners: [Topic: [UInt64: Listener]] = [:]
        var topics: [UInt64: Topic] = [:]

        /// An event for those who listen now.
        func addressed(_ event: Event) -> Event {
            var event = event
            event.nextListener = nextListener
            return event
        }

        /// Keeps the events of a commit for the feed, unless it is too far behind.
        mutating func keep(_ events: [Event], of sequence: UInt64) {
            // The feed may have passed some of them in a gap.
            if ownEvents.count >= EventHub.ownCapacity { ownEvents = ownEvents.filter { $0.key > feedSequence } }
            if ownEvents.count < EventHub.ownCapacity { ownEvents[sequence] = events }
        }

        /// The events of a commit that the feed has reached.
        mutating func takeOwn(_ sequence: UInt64) -> [Event]? {
            feedSequence = max(feedSequence, sequence)
            return ownEvents.removeValue(forKey: sequence)
        }

        mutating func forgetOwn() { ownEvents = [:] }

        func hasListeners(for model: ServerModel) -> Bool {
            MutationOperation.allCases.contains { listeners[Topic(model: model.name, operation: $0)] != nil }
        }
    }

    /// The events that a listener receives.
    fileprivate struct Topic: Hashable {
        var model: String
        var operation: MutationOperation
    }

    /// The events of how many commits wait at most for the feed.
    fileprivate static let ownCapacity = 1_000

    private let state = Mutex(State())
    /// Whether events come from a change feed, which has those of this process, too.
    private let followsFeed: Bool

    /// Creates a hub without listeners.
    ///
    /// - Parameter followsFeed: Whether a ``ChangeFanout`` notifies it of events.
    init(followsFeed: Bool) { self.followsFeed = followsFeed }

    // MARK: - Commits of this process

    /// Announces a commit.
    ///
    /// - Returns: What ``end(_:_:)`` needs.
    func begin() -> UInt64 {
        state.withLock { $0.order.begin() }
    }

    /// Ends a commit, and reports all events that do not wait for another one.
    ///
    /// - Parameters:
    ///   - ticket: What ``begin()`` returned.
    ///   - events: What was written, in one commit; empty if nothing was.
    func end(_ ticket: UInt64, _ events: [Event]) {
        // Listeners are called within the lock, so that two calls cannot swap their events; they wait for nothing.
        state.withLock { state in
            if followsFeed {
                _ = state.order.end(ticket)
                // All of a commit or none: what is missing here is not looked for in the store. An update may go out as
                // the creation that was left to it, so all that is listened to of its model counts.
                if let sequence = events.first?.sequence, sequence > state.feedSequence,
                    events.contains(where: { state.hasListeners(for: $0.model) })
                {
                    state.keep(events, of: sequence)
                }
                return
            }
            let matching = events.filter { state.listeners[Topic($0)] != nil }.map(state.addressed)
            let ready =
                if let sequence = matching.first?.sequence {
                    state.order.end(ticket, sequence: sequence, event: matching)
                } else {
                    state.order.end(ticket)
                }
            for event in ready.joined() { event.deliver(to: state.listeners[Topic(event)]) }
        }
    }

    // MARK: - Commits of every process

    /// Takes the events of a commit of this process that the feed has come to; `nil` if they are not known, or nothing of
    /// their models was listened to when the commit ended.
    func takeOwn(_ sequence: UInt64) -> [Event]? {
        state.withLock { state in
            state.takeOwn(sequence)?.map(state.addressed)
        }
    }

    /// Notifies listeners of an event.
    ///
    /// Call it from one task. Listeners are called outside of the lock, so that commits need not wait for them; one
    /// that was removed meanwhile may be called once more.
    func publish(_ event: Event) {
        event.deliver(to: state.withLock { $0.listeners[Topic(event)] })
    }

    /// Whether anything about a model is listened to.
    func hasListeners(for model: ServerModel) -> Bool {
        state.withLock { $0.hasListeners(for: model) }
    }

    /// The number that the next listener gets.
    var nextListener: UInt64 { state.withLock { $0.nextListener } }

    // MARK: - Listeners

    /// Notifies all listeners that events may have been missed.
    func reportGap() {
        state.withLock { state in
            // The feed may not come to their commits.
            state.forgetOwn()
            for listener in state.listeners.values.joined() { listener.value(nil) }
        }
    }

    /// Adds a listener, which receives the events of commits that end from now on.
    ///
    /// With a change feed, it may also receive some that ended shortly before.
    ///
    /// - Parameters:
    ///   - model: The model of the records.
    ///   - operation: What was done with them.
    ///   - listener: Must not wait for anything, and not call the hub.
    /// - Returns: What ``remove(_:)`` needs.
    func listen(
        to model: ServerModel, _ operation: MutationOperation, _ listener: @escaping Listener
    ) -> UInt64 {
        state.withLock { state in
            let id = state.nextListener
            state.nextListener += 1
            let topic = Topic(model: model.name, operation: operation)
            state.listeners[topic, default: [:]][id] = listener
            state.topics[id] = topic
            return id
        }
    }

    /// Removes a listener.
    func remove(_ listener: UInt64) {
        state.withLock { state in
            guard let topic = state.topics.removeValue(forKey: listener) else { return }
            state.listeners[topic]?[listener] = nil
            if state.listeners[topic]?.isEmpty ?? false { state.listeners[topic] = nil }
        }
    }
}

extension EventHub.Topic {
    fileprivate init(_ event: Event) { self.init(model: event.model.name, operation: event.operation) }
}

extension Event {
    fileprivate func deliver(to listeners: [UInt64: EventHub.Listener]?) {
        for (id, listener) in listeners ?? [:] where id < nextListener { listener(self) }
    }
}
