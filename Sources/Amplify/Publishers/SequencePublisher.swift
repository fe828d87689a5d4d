#if canImport(Combine)
import Combine
#elseif OpenCombine
import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
import HoldfastStorage

/// The elements of a sequence, each handed over when it is asked for.
struct SequencePublisher<Elements: AsyncSequence & Sendable>: Publisher where Elements.Element: Sendable {
    typealias Output = Elements.Element
    typealias Failure = any Error

    let elements: Elements

    func receive<Downstream: Subscriber>(
        subscriber: Downstream
    ) where Downstream.Input == Output, Downstream.Failure == Failure {
        subscriber.receive(subscription: SequenceSubscription(elements, AnySubscriber(subscriber)))
    }
}

/// Takes the elements of a sequence one by one, each after there is a demand for it.
// The subscriber is called by one task at a time, as its protocol asks; the rest is protected by the mutex.
private final class SequenceSubscription<Elements: AsyncSequence & Sendable>: Subscription, @unchecked Sendable
where Elements.Element: Sendable {
    private typealias Downstream = Unchecked<AnySubscriber<Elements.Element, any Error>>
    private typealias Waiter = CheckedContinuation<Downstream?, Never>

    private struct State {
        var subscriber: Downstream?
        var demand = Subscribers.Demand.none
        var task: Task<Void, Never>?
        /// The task, while it waits for a demand.
        var waiter: Waiter?

        /// The subscriber, if it wants an element; counts the element as delivered.
        mutating func takeDemand() -> Downstream? {
            guard let subscriber, demand > .none else { return nil }
            demand -= 1
            return subscriber
        }
    }

    private let elements: Elements
    private let state: Mutex<State>

    init(_ elements: Elements, _ subscriber: AnySubscriber<Elements.Element, any Error>) {
        self.elements = elements
        state = Mutex(State(subscriber: Unchecked(subscriber)))
    }

    func request(_ demand: Subscribers.Demand) {
        let resumed = state.withLock { state -> (Waiter, Downstream)? in
            guard state.subscriber != nil, demand > .none else { return nil }
            state.demand += demand
            // Not before the first demand, so that a sequence without demand does nothing.
            if state.task == nil { state.task = Task { await self.run() } }
            guard let waiter = state.waiter, let subscriber = state.takeDemand() else { return nil }
            state.waiter = nil
            return (waiter, subscriber)
        }
        if let (waiter, subscriber) = resumed { waiter.resume(returning: subscriber) }
    }

    func cancel() {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        guard ended.subscriber != nil else { return }
        ended.waiter?.resume(returning: nil)
        ended.task?.cancel()
        (elements as? any SequenceCancelling)?.cancel()
    }

    private func run() async {
        do {
            for try await element in elements {
                guard let subscriber = await wanted() else { return }
                request(subscriber.value.receive(element))
            }
            finish()?.value.receive(completion: .finished)
        } catch {
            finish()?.value.receive(completion: .failure(error))
        }
    }

    /// The subscriber, as soon as it wants an element; `nil` once it wants no more elements.
    private func wanted() async -> Downstream? {
        await withCheckedContinuation { continuation in
            let answer: Downstream?? = state.withLock { state in
                if state.subscriber == nil { return .some(nil) }
                if let subscriber = state.takeDemand() { return subscriber }
                state.waiter = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Ends the subscription; returns the subscriber to notify, if it was not cancelled.
    private func finish() -> Downstream? {
        state.withLock { state in
            defer { state = State() }
            return state.subscriber
        }
    }
}
#endif
