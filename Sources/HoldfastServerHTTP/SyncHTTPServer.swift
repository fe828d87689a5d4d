#if Server
public import HoldfastServer
public import HoldfastStorage
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
import NIOSSL
public import ServiceLifecycle
public import Tracing
import UnixSignals

/// Serves a ``SyncServer`` over HTTP and WebSockets, both on one port.
///
/// - `POST` and `GET /graphql`: requests.
/// - WebSockets at `/graphql/realtime` and `/graphql`: subscriptions.
/// - `GET /health`: whether the process runs. `GET /ready`: whether the store answers, and no shutdown has begun.
/// - `GET /metrics`: counts and durations, as Prometheus reads them, where ``Configuration/metrics`` says.
///
/// ```swift
/// let http = SyncHTTPServer(server, surroundings: surroundings, logger: Logger(label: "service"))
/// try await http.runUntilTerminated()
/// try await server.close()
/// ```
///
/// A shutdown accepts no more connections, lets requests in progress end, and closes WebSockets in order. It does so
/// after ``Configuration/handoverTime``.
public struct SyncHTTPServer: Service {
    private let server: SyncServer
    private let configuration: Configuration
    private let surroundings: Surroundings
    private let logger: Logger
    private let tracer: (any Tracer)?
    private let onListening: @Sendable (Int) async -> Void
    private let onMetricsListening: @Sendable (Int) async -> Void

    /// Creates a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - server: What answers requests; it stays open when this server ends.
    ///   - configuration: Where it listens, and its limits.
    ///   - surroundings: Time and randomness; those of `server` as a rule.
    ///   - logger: Receives names, sizes, and statuses, and never the content of requests or headers.
    ///   - tracer: Receives a span of each request for GraphQL, with names and a status; `nil`, the default, for none.
    ///   - onListening: Called with the port as soon as connections are accepted.
    ///   - onMetricsListening: Called with the port of metrics, if they have their own.
    public init(
        _ server: SyncServer, configuration: Configuration = Configuration(), surroundings: Surroundings,
        logger: Logger, tracer: (any Tracer)? = nil, onListening: @escaping @Sendable (Int) async -> Void = { _ in },
        onMetricsListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.server = server
        self.configuration = configuration
        self.surroundings = surroundings
        self.logger = logger
        self.tracer = tracer
        self.onListening = onListening
        self.onMetricsListening = onMetricsListening
    }

    /// Serves until the task is cancelled or the service group that runs it shuts down.
    ///
    /// - Throws: An error of the system if it cannot listen or if the certificate cannot be read;
    ///   ``MetricsServiceError`` if it cannot listen on the port of metrics.
    public func run() async throws {
        let metrics = Metrics()
        let count = SocketCount(connectionLimit: configuration.connectionLimit)
        let sockets = SocketHandler(
            server: server, configuration: configuration, surroundings: surroundings, metrics: metrics)
        let isSecure = configuration.tls != nil
        var builder = HTTPServerBuilder { [configuration, server] responder in
            UpgradableChannel(
                responder: responder, isSecure: isSecure, idleTimeout: configuration.idleTimeout,
                requestTimeout: configuration.requestTimeout, maximumFrame: 2 * server.limits.frameByteCount,
                sockets: count, onSocket: sockets.handle)
        }
        if let tls = configuration.tls { builder = try .tls(builder, tlsConfiguration: tls.nioConfiguration()) }
        let handover = Handover()
        let responder = Responder(
            server: server, configuration: configuration, surroundings: surroundings, metrics: metrics, logger: logger,
            tracing: tracer.map(RequestTracing.init), handover: handover)
        var services: [any Service] = []
        if let interval = configuration.purgeInterval {
            services.append(PurgeTimer(server: server, interval: interval, surroundings: surroundings, logger: logger))
        }
        if case .port(let port, let host) = configuration.metricsPlace {
            services.append(
                MetricsService(
                    metrics: metrics, host: host, port: port, idleTimeout: configuration.idleTimeout,
                    requestTimeout: configuration.requestTimeout, logger: logger, onListening: onMetricsListening))
        }
        let application = Application(
            responder: responder, server: builder,
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                availableConnectionsDelegate: .maximum(configuration.connectionLimit, logger: logger)),
            services: services,
            onServerRunning: { [onListening] channel in await onListening(channel.localAddress?.port ?? 0) },
            logger: logger)
        try await run(application, handover)
    }

    /// Runs an application, which shuts down some time after this service is asked to.
    private func run(_ application: some Service, _ handover: Handover) async throws {
        guard configuration.handoverTime > .zero else { return try await application.run() }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [application], logger: logger))
        // A child of this task would be asked at the same time.
        let running = Task.detached { try await group.run() }
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await running.value
            } onGracefulShutdown: { [surroundings, configuration] in
                handover.begin()
                Task {
                    try? await surroundings.sleep(configuration.handoverTime)
                    await group.triggerGracefulShutdown()
                }
            }
        } onCancel: {
            running.cancel()
        }
    }

    /// Serves until the process receives SIGTERM or SIGINT.
    ///
    /// Connections that have not ended ``Configuration/drainTimeout`` after the shutdown began are closed.
    ///
    /// - Throws: As ``run()``.
    public func runUntilTerminated() async throws {
        var group = ServiceGroupConfiguration(
            services: [self], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = configuration.handoverTime + configuration.drainTimeout
        try await ServiceGroup(configuration: group).run()
    }
}
#endif
