/// Brings finished commits into the order of their sequences.
///
/// Commits run at once and finish in any order. One that begins after another was acknowledged has the greater
/// sequence, so an event may go out once every commit that was in progress when it finished has finished too.
///
/// Invariant: an event is released only after every event of a smaller sequence.
package struct CommitOrder<Event: Sendable>: Sendable {
    private struct Waiting {
        var sequence: UInt64
        var barrier: UInt64
        var event: Event
    }

    private var nextTicket: UInt64 = 0
    private var inProgress: Set<UInt64> = []
    private var waiting: [Waiting] = []

    /// Creates an order without commits.
    package init() {}

    /// Whether no commit is in progress and no event waits.
    package var isIdle: Bool { inProgress.isEmpty && waiting.isEmpty }

    /// A commit begins.
    package mutating func begin() -> UInt64 {
        defer { nextTicket += 1 }
        inProgress.insert(nextTicket)
        return nextTicket
    }

    /// A commit failed, or changed nothing that is published.
    ///
    /// - Returns: The events that may go out now, in order.
    package mutating func end(_ ticket: UInt64) -> [Event] {
        inProgress.remove(ticket)
        return release()
    }

    /// A commit succeeded.
    ///
    /// - Returns: The events that may go out now, in order.
    package mutating func end(_ ticket: UInt64, sequence: UInt64, event: Event) -> [Event] {
        inProgress.remove(ticket)
        return insert(sequence: sequence, event: event)
    }

    /// A commit of another handle succeeded.
    ///
    /// - Returns: The events that may go out now, in order.
    package mutating func insert(sequence: UInt64, event: Event) -> [Event] {
        let index = waiting.lastIndex { $0.sequence <= sequence }.map { $0 + 1 } ?? 0
        waiting.insert(Waiting(sequence: sequence, barrier: nextTicket, event: event), at: index)
        return release()
    }

    private mutating func release() -> [Event] {
        guard !waiting.isEmpty else { return [] }
        let oldest = inProgress.min() ?? nextTicket
        let count = waiting.prefix { $0.barrier <= oldest }.count
        // A key path of a generic type would be looked up at each commit.
        let events = waiting.prefix(count).map { $0.event }
        waiting.removeFirst(count)
        return events
    }
}
