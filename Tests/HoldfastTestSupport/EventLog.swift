import HoldfastStorage

/// What was reported so far, and a way to wait for more.
package final class EventLog<Event: Sendable>: Sendable {
    private struct State {
        var events: [Event] = []
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var events: [Event] { state.withLock { $0.events } }

    package func add(_ event: Event) {
        let waiters = state.withLock { state in
            state.events.append(event)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until something holds; it is looked at again after each event.
    package func wait(until holds: () async throws -> Bool) async throws {
        while true {
            let count = events.count
            if try await holds() { return }
            await more(than: count)
        }
    }

    private func more(than count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.events.count <= count { state.waiters.append(continuation) }
                return state.events.count > count
            }
            if isThere { continuation.resume() }
        }
    }
}
