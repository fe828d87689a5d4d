#if Server
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Serves metrics on a port of their own.
struct MetricsService: Service {
    let metrics: Metrics
    let host: String
    let port: Int
    let idleTimeout: Duration
    let requestTimeout: Duration
    let logger: Logger
    /// Called with the port as soon as connections are accepted.
    let onListening: @Sendable (Int) async -> Void

    /// Programs that read metrics are few.
    private static let connectionLimit = 100

    func run() async throws {
        let application = Application(
            responder: MetricsResponder(metrics: metrics),
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [RequestDeadlineHandler(timeout: TimeAmount(requestTimeout))],
                    idleTimeout: TimeAmount(idleTimeout))),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: .maximum(Self.connectionLimit, logger: logger)),
            onServerRunning: { [onListening] channel in await onListening(channel.localAddress?.port ?? 0) },
            logger: logger)
        do {
            try await application.run()
        } catch {
            throw MetricsServiceError(host: host, port: port, underlyingError: error)
        }
    }
}

/// Metrics cannot be served on the port that they were to have.
public struct MetricsServiceError: Error, CustomStringConvertible {
    /// The name or address to listen on.
    public let host: String
    /// The port; 0 for any that is free.
    public let port: Int
    /// What the system says.
    public let underlyingError: any Error

    /// What cannot be done, and why.
    public var description: String { "Metrics cannot be served on \(host):\(port): \(underlyingError)" }
}
#endif
