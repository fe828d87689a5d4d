import HoldfastStorage
import Synchronization

/// A record that a commit of this process wrote.
struct Event: Sendable {
    var model: ServerModel
    var operation: MutationOperation
    /// All cells of the record.
    var row: [Value]
    /// The sequence of the commit.
    var sequence: UInt64
}

/// Tells listeners of the events of this process, in the order of their commits.
///
/// Commits that go on at the same time may return in another order. A commit that began after another one had returned
/// has a later sequence, so an event waits only for commits that had begun before its own returned.
final class EventHub: Sendable {
    private struct Waiting {
        var event: Event
        /// Commits with tickets below this may still have an earlier sequence.
        var barrier: UInt64
    }

    private struct State {
        var nextTicket: UInt64 = 1
        var open: Set<UInt64> = []
        var waiting: [Waiting] = []
        var nextListener: UInt64 = 1
        var listeners: [Topic: [UInt64: @Sendable (Event) -> Void]] = [:]
        var topics: [UInt64: Topic] = [:]
    }

    /// What a listener is told of.
    fileprivate struct Topic: Hashable {
        var model: String
        var operation: MutationOperation
    }

    private let state = Mutex(State())

    /// Announces a commit.
    ///
    /// - Returns: What ``end(_:_:)`` needs.
    func begin() -> UInt64 {
        state.withLock { state in
            let ticket = state.nextTicket
            state.nextTicket += 1
            state.open.insert(ticket)
            return ticket
        }
    }

    /// Ends a commit, and tells of all events that wait for no other one.
    ///
    /// - Parameters:
    ///   - ticket: What ``begin()`` returned.
    ///   - event: What was written; `nil` if nothing was.
    func end(_ ticket: UInt64, _ event: Event?) {
        // Listeners are called within the lock, so that two calls cannot swap their events; they only take notes.
        state.withLock { state in
            state.open.remove(ticket)
            if let event, state.listeners[Topic(event)] != nil {
                let index = state.waiting.firstIndex { $0.event.sequence > event.sequence } ?? state.waiting.count
                state.waiting.insert(Waiting(event: event, barrier: state.nextTicket), at: index)
            }
            guard !state.waiting.isEmpty else { return }
            let oldest = state.open.min() ?? .max
            while let first = state.waiting.first, first.barrier <= oldest {
                state.waiting.removeFirst()
                for listener in state.listeners[Topic(first.event)]?.values ?? [:].values { listener(first.event) }
            }
        }
    }

    /// Adds a listener, which is told of the events of commits that end from now on.
    ///
    /// - Parameters:
    ///   - model: The model of the records.
    ///   - operation: What was done with them.
    ///   - listener: Must return at once and not call the hub.
    /// - Returns: What ``remove(_:)`` needs.
    func listen(
        to model: ServerModel, _ operation: MutationOperation, _ listener: @escaping @Sendable (Event) -> Void
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
