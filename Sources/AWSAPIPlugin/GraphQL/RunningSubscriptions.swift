import Amplify
import HoldfastStorage

/// The subscriptions of an application, so that they can all be ended.
final class RunningSubscriptions: Sendable {
    private struct State {
        var nextNumber = 0
        var cancellations: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// Runs a subscription until it ends, or the application cancels or drops its events.
    ///
    /// - Parameters:
    ///   - events: Where the events go.
    ///   - last: The event that is added if it is cancelled.
    ///   - body: Delivers the events.
    func run<Event: Sendable>(
        _ events: AsyncThrowingStream<Event, any Error>.Continuation, last: Event,
        _ body: @escaping @Sendable () async throws -> Void
    ) {
        let number = state.withLock { state in
            state.nextNumber += 1
            state.cancellations[state.nextNumber] = {
                events.yield(last)
                events.finish()
            }
            return state.nextNumber
        }
        let task = Task {
            do {
                try await body()
                events.finish()
            } catch {
                events.finish(throwing: APIError(error: error))
            }
            self.state.withLock { $0.cancellations[number] = nil }
        }
        events.onTermination = { _ in task.cancel() }
        // A handler that is set after the end is not called:
        //
        //     this call: notes how to cancel
        //     cancel():                        ends the events
        //     this call: sets the handler
        if state.withLock({ $0.cancellations[number] == nil }) { task.cancel() }
    }

    /// Ends all subscriptions.
    func cancel() {
        let cancellations = state.withLock { state in
            defer { state.cancellations = [:] }
            return state.cancellations.values
        }
        for cancel in cancellations { cancel() }
    }
}
