import Synchronization

/// A truth value that tasks share; false at first.
final class SharedFlag: Sendable {
    private let value = Atomic(false)

    /// Makes it true for good.
    func set() { value.store(true, ordering: .relaxed) }

    /// Whether it was made true.
    var isSet: Bool { value.load(ordering: .relaxed) }
}
