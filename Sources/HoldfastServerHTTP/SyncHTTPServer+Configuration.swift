#if Server
import NIOSSL

extension SyncHTTPServer {
    /// Where a server listens, and its limits.
    ///
    /// The sizes of requests and frames are in `ServerLimits`.
    public struct Configuration: Sendable {
        /// The name or address to listen on; `127.0.0.1` by default, which only this machine reaches.
        public var host: String
        /// The port; 8080 by default, 0 for any that is free.
        public var port: Int
        /// The files for TLS; `nil` by default, for HTTP without it.
        public var tls: TLSFiles?
        /// How many connections are open at most; 10,000 by default.
        ///
        /// More wait to be accepted. A tenth is for requests: WebSockets above nine tenths are refused with status 503.
        public var connectionLimit: Int
        /// How long a connection may be idle before, within, or between requests; 60 seconds by default.
        ///
        /// Also how long a client may read nothing of a response, and how long a WebSocket may take to send its first
        /// frame. After it, WebSockets may be idle.
        public var idleTimeout: Duration
        /// How long the body of a request may take to arrive; 2 minutes by default.
        public var requestTimeout: Duration
        /// How long a WebSocket that ends may take to read its last frames; 5 seconds by default.
        public var closeTimeout: Duration
        /// How long connections may take to end after a signal; 30 seconds by default.
        public var drainTimeout: Duration
        /// How long everything is still accepted after a signal, while `/ready` answers 503; zero by default.
        ///
        /// For load balancers, which notice only after some seconds that a process ends.
        public var handoverTime: Duration
        /// The time between two purges of tombstones; an hour by default, `nil` for a process that leaves it to
        /// another.
        public var purgeInterval: Duration?
        /// Where metrics are served; by default on the port of the service if only this machine reaches it, and else
        /// nowhere.
        public var metrics: MetricsPlace?

        /// Creates a configuration with the defaults that the properties name.
        public init(
            host: String = "127.0.0.1", port: Int = 8080, tls: TLSFiles? = nil, connectionLimit: Int = 10_000,
            idleTimeout: Duration = .seconds(60), requestTimeout: Duration = .seconds(120),
            closeTimeout: Duration = .seconds(5), drainTimeout: Duration = .seconds(30),
            handoverTime: Duration = .zero, purgeInterval: Duration? = .seconds(3_600), metrics: MetricsPlace? = nil
        ) {
            self.host = host
            self.port = port
            self.tls = tls
            self.connectionLimit = connectionLimit
            self.idleTimeout = idleTimeout
            self.requestTimeout = requestTimeout
            self.closeTimeout = closeTimeout
            self.drainTimeout = drainTimeout
            self.handoverTime = handoverTime
            self.purgeInterval = purgeInterval
            self.metrics = metrics
        }

        /// Where metrics are served, by the host if nothing is said.
        var metricsPlace: MetricsPlace {
            let isLocal = host == "localhost" || host == "::1" || host.hasPrefix("127.")
            return metrics ?? (isLocal ? .service : .none)
        }
    }

    /// Where `GET /metrics` is answered.
    ///
    /// Metrics have counts and durations, and nothing of what clients send. They say how much a service is used, so
    /// others should not reach them.
    public enum MetricsPlace: Sendable, Hashable {
        /// Nowhere.
        case none
        /// On the port of the service.
        case service
        /// On a port and an address of their own, without TLS; 0 for any port that is free. At most 100 connections are
        /// open there.
        case port(Int, host: String)
    }

    /// The files that a server needs for TLS, in PEM.
    public struct TLSFiles: Sendable, Hashable {
        /// The path of the certificate, followed by those that lead to its root.
        public var certificateChain: String
        /// The path of the private key.
        public var privateKey: String

        /// Creates a value.
        public init(certificateChain: String, privateKey: String) {
            self.certificateChain = certificateChain
            self.privateKey = privateKey
        }

        func nioConfiguration() throws -> TLSConfiguration {
            let chain = try NIOSSLCertificate.fromPEMFile(certificateChain)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map(NIOSSLCertificateSource.certificate),
                privateKey: .privateKey(try NIOSSLPrivateKey(file: privateKey, format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            return configuration
        }
    }
}
#endif
