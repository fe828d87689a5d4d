#if Server
import HoldfastStorage

/// Whether the process is about to end, so that a load balancer should choose another one.
final class Handover: Sendable {
    private let state = Mutex(false)

    /// Whether it has begun.
    var hasBegun: Bool { state.load() }

    func begin() { state.store(true) }
}
#endif
