#if Sync
import HoldfastSync
import HoldfastSyncHTTP

/// The transports, which behave alike.
enum TransportKind: CaseIterable, Sendable {
    case swiftNIO, urlSession

    /// Those that distinguish all failures.
    ///
    /// Foundation on Linux ends the process when a response is not HTTP, and does not say that TLS failed.
    static var exact: [TransportKind] {
        #if canImport(Darwin)
        return allCases
        #else
        return [.swiftNIO]
        #endif
    }

    func make(_ configuration: HTTPSyncConfiguration) throws -> any ClosableTransport {
        switch self {
        case .swiftNIO: try HTTPSyncTransport(configuration)
        case .urlSession: try URLSessionSyncTransport(configuration)
        }
    }
}

/// A transport that can be shut down.
protocol ClosableTransport: SyncTransport {
    func shutdown() async
}

extension HTTPSyncTransport: ClosableTransport {}
extension URLSessionSyncTransport: ClosableTransport {}
#endif
