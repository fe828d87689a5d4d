import HoldfastStorage

/// A number that is kept from call to call.
package final class Counter: Sendable {
    private let value = Mutex(0)

    /// Begins at 0.
    package init() {}

    /// Adds one; returns the number before.
    package func next() -> Int { value.increment() - 1 }

    /// The number.
    package var current: Int { value.load() }

    /// Sets the number.
    package func set(_ number: Int) { value.store(number) }
}
