import HoldfastStorage

/// Counts the unsent changes that a migration gives up.
final class LostChanges: Sendable {
    private let state = Mutex<[String: Int]>([:])

    /// Counts from zero again.
    func reset() { state.withLock { $0 = [:] } }

    /// Counts one of a model, by its stored name.
    func note(_ model: String) { state.withLock { $0[model, default: 0] += 1 } }

    /// How many of each model; empty if there are none.
    var counts: [String: Int] { state.withLock { $0 } }
}
