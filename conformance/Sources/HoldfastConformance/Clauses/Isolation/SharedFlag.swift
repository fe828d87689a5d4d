import HoldfastStorage

/// A boolean that tasks share; false at first.
final class SharedFlag: Sendable {
    private let value = Mutex(false)

    /// Makes it true for good.
    func set() { value.store(true) }

    /// Whether it was made true.
    var isSet: Bool { value.load() }
}
