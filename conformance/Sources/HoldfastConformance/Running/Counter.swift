import Synchronization

/// A number that is kept from call to call.
package final class Counter: Sendable {
    private let value = Atomic(0)

    /// Begins at 0.
    package init() {}

    /// Adds one; returns the number before.
    package func next() -> Int { value.add(1, ordering: .relaxed).oldValue }

    /// The number.
    package var current: Int { value.load(ordering: .relaxed) }

    /// Sets the number.
    package func set(_ number: Int) { value.store(number, ordering: .relaxed) }
}
