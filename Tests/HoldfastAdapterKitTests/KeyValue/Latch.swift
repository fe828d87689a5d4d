import HoldfastStorage

/// Set once.
final class Latch: Sendable {
    private let flag = Mutex(false)

    var isSet: Bool { flag.load() }

    func set() { flag.store(true) }
}
