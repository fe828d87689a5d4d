#if Sync
import HoldfastSync
import HoldfastSyncHTTP

/// The transports, which behave alike.
enum TransportKind: CaseIterable, Sendable {
    case swiftNIO, urlSession

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
