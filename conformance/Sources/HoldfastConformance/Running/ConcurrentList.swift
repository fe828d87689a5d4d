import HoldfastStorage

/// What several tasks have collected.
final class ConcurrentList<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    /// Adds one more.
    func add(_ element: Element) { elements.withLock { $0.append(element) } }

    /// Everything so far.
    var all: [Element] { elements.withLock { $0 } }
}
