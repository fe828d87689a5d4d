import HoldfastStorage

/// A queue between those who must not wait and one who waits.
final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var first = 0
        var waiter: CheckedContinuation<Element?, Never>?
        var isClosed = false
        var weight = 0
    }

    private let state = Mutex(State())
    private let weigh: @Sendable (Element) -> Int

    /// Creates an empty queue.
    ///
    /// - Parameter weigh: What an element adds to the weight of those that wait.
    init(weigh: @escaping @Sendable (Element) -> Int = { _ in 1 }) { self.weigh = weigh }

    /// Appends an element; after ``close()`` it is dropped.
    ///
    /// - Returns: The weight of all elements that wait.
    @discardableResult func put(_ element: Element) -> Int {
        let (waiter, weight) = state.withLock { state -> (CheckedContinuation<Element?, Never>?, Int) in
            guard !state.isClosed else { return (nil, 0) }
            if let waiter = state.waiter {
                state.waiter = nil
                return (waiter, 0)
            }
            state.elements.append(element)
            state.weight += weigh(element)
            return (nil, state.weight)
        }
        waiter?.resume(returning: element)
        return weight
    }

    /// Takes the first element, as soon as there is one; `nil` when the queue is closed and empty.
    ///
    /// Only one task may wait.
    func take() async -> Element? {
        await withCheckedContinuation { continuation in
            let (element, isReady) = state.withLock { state -> (Element?, Bool) in
                if state.first < state.elements.count {
                    let element = state.elements[state.first]
                    state.first += 1
                    state.weight -= weigh(element)
                    if state.first == state.elements.count || state.first > 256 {
                        state.elements.removeFirst(state.first)
                        state.first = 0
                    }
                    return (element, true)
                }
                if !state.isClosed { state.waiter = continuation }
                return (nil, state.isClosed)
            }
            if isReady { continuation.resume(returning: element) }
        }
    }

    /// Ends the queue; what is in it can still be taken.
    func close() {
        state.withLock { state -> CheckedContinuation<Element?, Never>? in
            state.isClosed = true
            defer { state.waiter = nil }
            return state.waiter
        }?.resume(returning: nil)
    }
}
