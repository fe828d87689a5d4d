import HoldfastStorage

/// A queue between those who must not wait and one who waits, or who takes what is there when it is announced.
package final class Mailbox<Element: Sendable>: Sendable {
    /// What is there.
    package enum Content {
        case element(Element)
        /// Nothing yet.
        case nothing
        /// Nothing, and nothing will come.
        case end
    }

    private typealias Waiter = CheckedContinuation<Element?, Never>
    package typealias Announcement = @Sendable () -> Void

    private struct State {
        var elements: [Element] = []
        var first = 0
        var waiter: Waiter?
        var announce: Announcement?
        var isClosed = false
        var weight = 0

        mutating func take(_ weigh: (Element) -> Int) -> Element? {
            guard first < elements.count else { return nil }
            let element = elements[first]
            first += 1
            weight -= weigh(element)
            if first == elements.count || first > 256 {
                elements.removeFirst(first)
                first = 0
            }
            return element
        }
    }

    private let state = Mutex(State())
    private let weigh: @Sendable (Element) -> Int

    /// Creates an empty queue.
    ///
    /// - Parameter weigh: What an element adds to the weight of those that wait.
    init(weigh: @escaping @Sendable (Element) -> Int = { _ in 1 }) { self.weigh = weigh }

    /// Appends an element; after ``close()`` it is dropped.
    ///
    /// - Returns: The weight of the elements that waited before it.
    @discardableResult func put(_ element: Element) -> Int {
        let outcome = state.withLock { state -> (waiter: Waiter?, announce: Announcement?, weight: Int) in
            guard !state.isClosed else { return (nil, nil, 0) }
            if let waiter = state.waiter {
                state.waiter = nil
                return (waiter, nil, 0)
            }
            let weight = state.weight
            state.elements.append(element)
            state.weight += weigh(element)
            return (nil, state.announce, weight)
        }
        outcome.waiter?.resume(returning: element)
        outcome.announce?()
        return outcome.weight
    }

    /// Takes the first element, as soon as there is one; `nil` when the queue is closed and empty.
    ///
    /// Only one task may wait.
    func take() async -> Element? {
        await withCheckedContinuation { continuation in
            let (element, isReady) = state.withLock { state -> (Element?, Bool) in
                if let element = state.take(weigh) { return (element, true) }
                if !state.isClosed { state.waiter = continuation }
                return (nil, state.isClosed)
            }
            if isReady { continuation.resume(returning: element) }
        }
    }

    /// Takes the first element if there is one.
    func takeAtOnce() -> Content {
        state.withLock { state in
            if let element = state.take(weigh) { return .element(element) }
            return state.isClosed ? .end : .nothing
        }
    }

    /// Has each element announced, those that are there, and the end.
    ///
    /// - Parameter announce: Must return at once.
    func whenFilled(_ announce: @escaping Announcement) {
        state.withLock { state in
            if !state.isClosed { state.announce = announce }
        }
        announce()
    }

    /// Ends the queue; what is in it can still be taken.
    func close() {
        let (waiter, announce) = state.withLock {
            state -> (waiter: Waiter?, announce: Announcement?) in
            state.isClosed = true
            defer {
                state.waiter = nil
                state.announce = nil
            }
            return (state.waiter, state.announce)
        }
        waiter?.resume(returning: nil)
        announce?()
    }
}
