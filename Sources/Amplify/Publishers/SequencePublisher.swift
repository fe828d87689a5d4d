#if canImport(Combine)
import Combine
#elseif OpenCombine
import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
import HoldfastStorage

/// The elements of a sequence for all subscribers, each handed over when the subscriber asks for it.
///
/// One task reads the sequence, since many sequences allow only one. It begins with the first demand, and reads no faster
/// than the fastest subscriber asks; for the others elements wait here.
final class SequencePublisher<Elements: AsyncSequence & Sendable>: Publisher, Sendable
where Elements.Element: Sendable {
    typealias Output = Elements.Element
    typealias Failure = any Error

    private typealias Receiver = Unchecked<AnySubscriber<Output, Failure>>
    private typealias Waiter = CheckedContinuation<Bool, Never>

    private enum Delivery {
        case element(Output, Receiver)
        case end(Result<Void, Failure>, Receiver)
    }

    private struct Taker {
        let subscriber: Receiver
        var demand = Subscribers.Demand.none
        var waiting: ArraySlice<Output> = []
        /// Whether the subscriber is being called; the first call gives it its subscription.
        var isBusy = true

        /// What is handed over next; if there is nothing, the call is over.
        mutating func next(_ end: Result<Void, Failure>?) -> Delivery? {
            if demand > .none, let element = waiting.popFirst() {
                demand -= 1
                return .element(element, subscriber)
            }
            if let end, waiting.isEmpty { return .end(end, subscriber) }
            isBusy = false
            return nil
        }
    }

    private struct State {
        var takers: [Int: Taker] = [:]
        var lastTaker = 0
        var task: Task<Void, Never>?
        /// The task, while no subscriber wants its element.
        var waiter: Waiter?
        /// How the sequence has ended.
        var end: Result<Void, Failure>?

        /// Whether a subscriber wants an element, and none waits for it.
        var isElementWanted: Bool { takers.values.contains { $0.demand > .none && $0.waiting.isEmpty } }

        mutating func next(for id: Int) -> Delivery? {
            let end = end
            let delivery = takers[id]?.next(end)
            if case .end = delivery { takers[id] = nil }
            return delivery
        }

        /// Ends the sequence if no subscriber is left.
        ///
        /// - Returns: What remains to be ended; `nil` if the sequence goes on or has ended before.
        mutating func endIfUnused() -> (Waiter?, Task<Void, Never>?)? {
            guard takers.isEmpty, end == nil else { return nil }
            end = .success(())
            defer { (waiter, task) = (nil, nil) }
            return (waiter, task)
        }
    }

    private let elements: Elements
    private let state = Mutex(State())

    init(_ elements: Elements) { self.elements = elements }

    func receive<Downstream: Subscriber>(
        subscriber: Downstream
    ) where Downstream.Input == Output, Downstream.Failure == Failure {
        let taker = Taker(subscriber: Unchecked(AnySubscriber(subscriber)))
        let id = state.withLock { state in
            state.lastTaker += 1
            state.takers[state.lastTaker] = taker
            return state.lastTaker
        }
        subscriber.receive(subscription: SequenceSubscription(publisher: self, id: id))
        state.withLock { $0.takers[id]?.isBusy = false }
        serveLater(id)
    }

    fileprivate func request(_ demand: Subscribers.Demand, by id: Int) {
        guard demand > .none else { return }
        state.withLock { state in
            guard state.takers[id] != nil else { return }
            state.takers[id]?.demand += demand
            if state.task == nil, state.end == nil { state.task = Task { await self.run() } }
        }
        wake()
        serveLater(id)
    }

    /// Ends a subscription, and the sequence with the last one.
    fileprivate func cancel(_ id: Int) {
        // Kept until the lock is released: what the subscriber holds may call this publisher when it is released.
        let taker = state.withLock { $0.takers.removeValue(forKey: id) }
        guard taker != nil, let (waiter, task) = state.withLock({ $0.endIfUnused() }) else { return }
        waiter?.resume(returning: false)
        task?.cancel()
        (elements as? any SequenceCancelling)?.cancel()
    }

    // MARK: - The task

    private func run() async {
        do {
            for try await element in elements {
                guard await isWanted() else { return }
                let ids = state.withLock { state in
                    let ids = Array(state.takers.keys)
                    for id in ids { state.takers[id]?.waiting.append(element) }
                    return ids
                }
                for id in ids { serve(id) }
            }
            finish(.success(()))
        } catch {
            finish(.failure(error))
        }
    }

    /// Waits until a subscriber wants an element; `false` once all have cancelled.
    private func isWanted() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLock { state in
                if state.end != nil { return false }
                if state.isElementWanted { return true }
                state.waiter = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Lets the task continue if a subscriber wants its element.
    private func wake() {
        let waiter = state.withLock { state -> Waiter? in
            guard state.isElementWanted else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: true)
    }

    private func finish(_ end: Result<Void, Failure>) {
        let ids = state.withLock { state in
            if state.end == nil { state.end = end }
            return Array(state.takers.keys)
        }
        for id in ids { serve(id) }
    }

    // MARK: - Subscribers

    /// Hands over what a subscriber has asked for, unless it is being called already.
    private func serve(_ id: Int) {
        let isFree = state.withLock { state in
            guard state.takers[id]?.isBusy == false else { return false }
            state.takers[id]?.isBusy = true
            return true
        }
        guard isFree else { return }
        while let delivery = state.withLock({ $0.next(for: id) }) {
            switch delivery {
            case .element(let element, let subscriber): request(subscriber.value.receive(element), by: id)
            case .end(.success, let subscriber): subscriber.value.receive(completion: .finished)
            case .end(.failure(let error), let subscriber): subscriber.value.receive(completion: .failure(error))
            }
        }
        wake()
    }

    /// The same in a task of its own, so that the caller does not wait for the subscriber.
    private func serveLater(_ id: Int) {
        let isDue = state.withLock { state in
            guard let taker = state.takers[id], !taker.isBusy else { return false }
            return taker.waiting.isEmpty ? state.end != nil : taker.demand > .none
        }
        if isDue { Task { serve(id) } }
    }
}

private final class SequenceSubscription<Elements: AsyncSequence & Sendable>: Subscription, Sendable
where Elements.Element: Sendable {
    private let publisher: SequencePublisher<Elements>
    private let id: Int

    init(publisher: SequencePublisher<Elements>, id: Int) {
        self.publisher = publisher
        self.id = id
    }

    func request(_ demand: Subscribers.Demand) { publisher.request(demand, by: id) }

    func cancel() { publisher.cancel(id) }
}
#endif
