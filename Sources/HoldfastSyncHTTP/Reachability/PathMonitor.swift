#if Sync && canImport(Network)
private import Dispatch
private import HoldfastStorage
private import Network

/// Whether the device has a network, as Apple's systems say.
public struct PathMonitor: ReachabilityMonitor {
    /// Creates a monitor of all networks of the device.
    public init() {}

    /// Whether the device has a network: now, and whenever that changes, until the reading task ends.
    ///
    /// When another interface is preferred, such as cellular after Wi-Fi, the network is missing for a moment.
    public func changes() -> AsyncStream<Bool> {
        // Two, so that such a moment is not left out.
        AsyncStream(bufferingPolicy: .bufferingNewest(2)) { reader in
            let monitor = NWPathMonitor()
            let news = Mutex(PathNews())
            monitor.pathUpdateHandler = { path in
                // A path that requires a connection, as with a VPN on demand, can be used once one is attempted.
                let isUsable = path.status != .unsatisfied
                // The system lists them in the order in which it prefers them.
                let interface = path.availableInterfaces.first?.name
                for isUp in news.withLock({ $0.take(isUp: isUsable, interface: interface) }) { reader.yield(isUp) }
            }
            reader.onTermination = { _ in monitor.cancel() }
            monitor.start(queue: DispatchQueue(label: "holdfast.reachability"))
        }
    }
}
#endif
