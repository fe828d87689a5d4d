#if Sync
/// Says whether a service can be reached.
public protocol ReachabilityMonitor: Sendable {
    /// Whether it can be reached: now, and whenever that changes, until the reading task ends.
    func changes() -> AsyncStream<Bool>
}
#endif
