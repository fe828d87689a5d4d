import HoldfastStorage

/// A number that goes down to zero.
package final class Countdown: Sendable {
    private let number = Mutex(0)

    package init() {}

    package func set(_ number: Int) { self.number.withLock { $0 = number } }

    /// Whether it was above zero.
    package func takeOne() -> Bool {
        number.withLock { number in
            guard number > 0 else { return false }
            number -= 1
            return true
        }
    }
}
