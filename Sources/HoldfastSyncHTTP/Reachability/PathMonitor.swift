#if Sync && canImport(Network)
private import Dispatch
private import Network

/// Whether the device has a network, as Apple's systems say.
public struct PathMonitor: ReachabilityMonitor {
    /// Creates a monitor of all networks of the device.
    public init() {}

    /// Whether the device has a network: now, and whenever that changes, until the reading task ends.
    public func changes() -> AsyncStream<Bool> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { reader in
            let monitor = NWPathMonitor()
            monitor.pathUpdateHandler = { path in reader.yield(path.status == .satisfied) }
            reader.onTermination = { _ in monitor.cancel() }
            monitor.start(queue: DispatchQueue(label: "holdfast.reachability"))
        }
    }
}
#endif
