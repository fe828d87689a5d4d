#if Sync
internal import AsyncHTTPClient
public import HoldfastSync
internal import HoldfastWire
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression
internal import NIOPosix
internal import NIOSSL

/// Carries requests to a service over HTTP, and frames over WebSockets.
///
/// It is the same on Linux and on Apple platforms: async-http-client and SwiftNIO, with TLS of their own. Connections
/// are reused, HTTP/2 is used where the service offers it, responses may be packed, and redirects are not followed,
/// since they would carry credentials elsewhere. After a request without a complete response in time, later requests
/// use new connections, since those that were open may be dead. Nothing is sent twice: what to do about a failure is
/// the sync engine's decision. ``HTTPSyncConfiguration/makeTransport()`` chooses between it and
/// ``URLSessionSyncTransport``.
///
/// ``shutdown()`` ends it. A transport that is released without it closes its connections then.
///
/// ```swift
/// var configuration = HTTPSyncConfiguration(endpoint: endpoint)
/// configuration.timeouts.connect = .seconds(5)
/// let transport = try HTTPSyncTransport(configuration)
/// ```
public final class HTTPSyncTransport: SyncTransport {
    /// How the service is reached.
    public let configuration: HTTPSyncConfiguration
    private let endpoint: Endpoint
    private let clients: ClientRegistry
    private let connector: SocketConnector
    private let sockets = SocketRegistry()

    /// Creates a transport; nothing is connected before the first request.
    ///
    /// - Throws: ``HTTPSyncConfigurationError`` for an address that cannot be read, or certificates that cannot.
    public init(_ configuration: HTTPSyncConfiguration) throws(HTTPSyncConfigurationError) {
        let endpoint = try Endpoint(configuration.endpoint)
        let tls = try TLSConfiguration(configuration.trustRoots)
        self.configuration = configuration
        self.endpoint = endpoint
        connector = try SocketConnector(configuration, endpoint: endpoint, tls: tls)

        var settings = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: HTTPClient.Configuration.Timeout(connect: TimeAmount(configuration.timeouts.connect)),
            proxy: configuration.proxy.map(HTTPClient.Configuration.Proxy.init),
            decompression: .enabled(limit: .size(configuration.limits.responseBytes)))
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, configuration.limits.connections)
        // The sync engine waits between attempts, and must know that there is no network.
        settings.connectionPool.retryConnectionEstablishment = false
        clients = ClientRegistry(settings)
    }

    /// Sends one GraphQL request.
    ///
    /// - Returns: The response, with any status.
    /// - Throws: `TransportError` `.unsent` if no connection could be made, `.tooLong` if the response has more bytes
    ///   than the configuration allows, `.lost` if it is missing or not there in time.
    public func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        guard let client = clients.current else { throw .hasEnded }
        var call = HTTPClientRequest(url: endpoint.url)
        call.method = .POST
        call.headers = try HTTPHeaders(request.authorization)
        if call.headers["content-type"].isEmpty {
            call.headers.add(name: "content-type", value: "application/json; charset=UTF-8")
        }
        call.headers.replaceOrAdd(name: "user-agent", value: configuration.userAgent)
        call.headers.replaceOrAdd(name: "cache-control", value: "no-store")
        call.body = .bytes(ByteBuffer(bytes: request.body))

        let prepared = call
        return try await within(
            configuration.timeouts.request, "no complete response", onTimeout: { self.clients.replace(client) }
        ) {
            await self.exchange(prepared, over: client)
        }.get()
    }

    /// Sends a request, and reads the response to its end.
    private func exchange(
        _ call: HTTPClientRequest, over client: ClientRegistry.Client
    ) async -> Result<WireResponse, TransportError> {
        // Otherwise it may be released, and so be shut down, while the response is read.
        defer { withExtendedLifetime(client) {} }
        do {
            let response = try await client.http.execute(call, deadline: .distantFuture)
            let body = try await response.body.collect(upTo: configuration.limits.responseBytes)
            let retryAfter = response.headers.first(name: "retry-after").flatMap {
                RetryAfter.duration($0, date: response.headers.first(name: "date"))
            }
            return .success(
                WireResponse(
                    status: Int(response.status.code), body: Array(buffer: body), retryAfter: retryAfter))
        } catch {
            return .failure(TransportError(http: error))
        }
    }

    /// Opens a socket.
    ///
    /// - Throws: `TransportError` `.unauthorized` if the service answers with status 401, with an error type that says
    ///   so, or with status 403 and an error type, `.unsent` if no connection could be made, `.lost` if the service answers with another status or
    ///   not in time.
    public func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        guard !sockets.hasEnded else { throw .hasEnded }
        let socket = try await connector.open(request.authorization)
        guard sockets.add(socket) else {
            await socket.close()
            throw .hasEnded
        }
        return socket
    }

    /// Whether a connection to the service, or to the proxy before it, can be made now.
    public func canConnect() async -> Bool {
        guard !sockets.hasEnded else { return false }
        let (host, port) = configuration.proxy.map { ($0.host, $0.port) } ?? (endpoint.host, endpoint.port)
        let connection = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(TimeAmount(configuration.timeouts.connect)).connect(host: host, port: port).get()
        connection?.close(promise: nil)
        return connection != nil
    }

    /// Closes all sockets and connections.
    ///
    /// Returns when they are closed. Requests that wait fail with `TransportError` `.lost`, later ones with `.unsent`.
    /// Does nothing the second time.
    public func shutdown() async {
        guard let open = sockets.end() else { return }
        await withTaskGroup(of: Void.self) { group in
            for socket in open { group.addTask { await socket.close() } }
            for client in clients.end() { group.addTask { await client.shutdown() } }
        }
    }
}

extension TLSConfiguration {
    /// The settings of TLS for a service.
    fileprivate init(_ roots: HTTPSyncConfiguration.TrustRoots) throws(HTTPSyncConfigurationError) {
        self = .makeClientConfiguration()
        minimumTLSVersion = .tlsv12
        do {
            switch roots {
            case .system: trustRoots = .default
            case .file(let path):
                trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(path))
            case .pem(let bytes):
                trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(bytes))
            }
        } catch {
            throw HTTPSyncConfigurationError("the trusted certificates cannot be read; they must be in PEM form")
        }
    }
}

extension HTTPClient.Configuration.Proxy {
    fileprivate init(_ proxy: HTTPSyncConfiguration.Proxy) {
        let authorization = proxy.user.map {
            HTTPClient.Authorization.basic(username: $0, password: proxy.password ?? "")
        }
        self = .server(host: proxy.host, port: proxy.port, authorization: authorization)
    }
}

extension TimeAmount {
    /// A duration in NIO's form, at least a millisecond.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        // NIO counts nanoseconds; a century is long enough.
        let whole = min(max(seconds, 0), 3_000_000_000)
        self = .nanoseconds(max(whole * 1_000_000_000 + attoseconds / 1_000_000_000, 1_000_000))
    }
}
#endif
