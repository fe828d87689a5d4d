#if Sync
internal import AsyncHTTPClient
internal import HoldfastSync
internal import HoldfastWire
internal import NIOCore
internal import NIOExtras
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NIOWebSocket

/// Opens sockets: connection, proxy, TLS, upgrade.
struct SocketConnector: Sendable {
    private let configuration: HTTPSyncConfiguration
    private let endpoint: Endpoint
    private let tls: NIOSSLContext?

    /// Creates a connector for the sockets of an API.
    init(
        _ configuration: HTTPSyncConfiguration, endpoint api: Endpoint, tls: TLSConfiguration
    ) throws(HTTPSyncConfigurationError) {
        self.configuration = configuration
        endpoint = try configuration.socketEndpoint(of: api)
        do {
            self.tls = endpoint.isSecure ? try NIOSSLContext(configuration: tls) : nil
        } catch {
            throw HTTPSyncConfigurationError("TLS cannot be set up with the trusted certificates")
        }
    }

    /// What became of the request for an upgrade.
    private enum Upgrade: Sendable {
        case open(FrameInbox)
        case refused(EventLoopFuture<HTTPResponseHead>)
    }

    private typealias Connection = (channel: any Channel, upgrade: EventLoopFuture<Upgrade>)

    /// Opens a socket.
    func open(_ authorization: AuthHeaders) async throws(TransportError) -> NIORealtimeSocket {
        let head = try requestHead(authorization)
        let connection = try await connect(head)
        let deadline = connection.channel.eventLoop.scheduleTask(in: TimeAmount(configuration.timeouts.handshake)) {
            connection.channel.close(promise: nil)
        }
        // Where the answer is read, since a busy process may take long until this task continues:
        //
        //     event loop             this task
        //     upgrade succeeds
        //     deadline: close        (waits for a thread)
        //                            returns a socket that is closed
        connection.upgrade
            .flatMap { upgrade in
                switch upgrade {
                case .open: connection.channel.eventLoop.makeSucceededVoidFuture()
                case .refused(let head): head.map { _ in }
                }
            }
            .whenComplete { _ in deadline.cancel() }
        do {
            switch try await connection.upgrade.get() {
            case .open(let inbox):
                return NIORealtimeSocket(connection.channel, inbox, closeTimeout: configuration.timeouts.close)
            case .refused(let head):
                throw TransportError(refused: try await head.get())
            }
        } catch {
            connection.channel.close(promise: nil)
            throw error as? TransportError ?? TransportError(upgrade: error)
        }
    }

    private func connect(_ head: HTTPRequestHead) async throws(TransportError) -> Connection {
        let (host, port) =
            configuration.proxy.map { ($0.host, $0.port) } ?? (endpoint.host, endpoint.port)
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(TimeAmount(configuration.timeouts.connect))
                .channelOption(.socketOption(.so_keepalive), value: 1)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture { () throws -> Connection in
                        guard let proxy = configuration.proxy else { return (channel, try upgrade(channel, head)) }
                        return (
                            channel,
                            try tunnel(channel, through: proxy).flatMapThrowing { try upgrade(channel, head) }
                                .flatMap { $0 }
                        )
                    }
                }
        } catch {
            throw TransportError(connecting: error) ?? .noConnection
        }
    }

    /// Asks a proxy for a connection to the service; the future succeeds when nothing of the proxy is in the way.
    private func tunnel(
        _ channel: any Channel, through proxy: HTTPSyncConfiguration.Proxy
    ) throws -> EventLoopFuture<Void> {
        var headers = HTTPHeaders()
        headers.add(name: "host", value: "\(endpoint.host):\(endpoint.port)")
        if let user = proxy.user {
            let authorization = HTTPClient.Authorization.basic(username: user, password: proxy.password ?? "")
            headers.add(name: "proxy-authorization", value: authorization.headerValue)
        }
        let promise = channel.eventLoop.makePromise(of: Void.self)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTPRequestEncoder(), name: Self.proxyEncoder)
        try pipeline.addHandler(
            ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes)), name: Self.proxyDecoder)
        try pipeline.addHandler(
            NIOHTTP1ProxyConnectHandler(
                targetHost: endpoint.host, targetPort: endpoint.port, headers: headers,
                deadline: .now() + TimeAmount(configuration.timeouts.handshake), promise: promise))
        return promise.futureResult.flatMap {
            channel.pipeline.removeHandler(name: Self.proxyEncoder)
        }.flatMap {
            channel.pipeline.removeHandler(name: Self.proxyDecoder)
        }
    }

    private static let proxyEncoder = "holdfast.proxy.encoder"
    private static let proxyDecoder = "holdfast.proxy.decoder"

    /// Sets up TLS and the upgrade, on the channel's event loop.
    private func upgrade(_ channel: any Channel, _ head: HTTPRequestHead) throws -> EventLoopFuture<Upgrade> {
        let pipeline = channel.pipeline.syncOperations
        if let tls {
            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: endpoint.serverName))
        }
        let limits = configuration.limits
        let upgrader = NIOTypedWebSocketClientUpgrader<Upgrade>(
            maxFrameSize: min(max(limits.frameBytes, 1), Int(UInt32.max)),
            // The handler of frames does it; NIO's own closes the connection before errors are seen.
            enableAutomaticErrorHandling: false,
            upgradePipelineHandler: { [silence = configuration.timeouts.silence] channel, head in
                channel.eventLoop.makeCompletedFuture {
                    if let chosen = head.headers.first(name: "sec-websocket-protocol"),
                        chosen != SocketRequest.subprotocol
                    {
                        throw TransportError(.unsent, "the service chose a protocol that was not offered")
                    }
                    let inbox = FrameInbox(waitingBytes: limits.waitingBytes)
                    // A handler may be added too late to see the end.
                    channel.closeFuture.whenComplete { _ in
                        inbox.end(.failure(TransportError(.lost, "the connection ended without a close frame")))
                    }
                    try channel.pipeline.syncOperations.addHandlers([
                        IdleStateHandler(readTimeout: TimeAmount(silence)),
                        NIOWebSocketFrameAggregator(
                            minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1_024,
                            maxAccumulatedFrameSize: limits.frameBytes),
                        FrameHandler(inbox),
                    ])
                    return .open(inbox)
                }
            })
        var configuration = NIOUpgradableHTTPClientPipelineConfiguration(
            upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
                upgradeRequestHead: head, upgraders: [upgrader],
                notUpgradingCompletionHandler: { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let promise = channel.eventLoop.makePromise(of: HTTPResponseHead.self)
                        try channel.pipeline.syncOperations.addHandler(RefusalHandler(promise))
                        return .refused(promise.futureResult)
                    }
                }))
        // A service may send its first frames together with its answer.
        configuration.leftOverBytesStrategy = .forwardBytes
        return try pipeline.configureUpgradableHTTPClientPipeline(configuration: configuration)
    }

    private func requestHead(_ authorization: AuthHeaders) throws(TransportError) -> HTTPRequestHead {
        let request = try SocketRequest(configuration, path: endpoint.path, authorization)
        var headers = HTTPHeaders(request.headers.map { ($0.name, $0.value) })
        headers.replaceOrAdd(name: "host", value: endpoint.authority)
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: request.path, headers: headers)
    }
}

extension TransportError {
    /// What the answer to a request for a socket means that was not accepted.
    fileprivate init(refused head: HTTPResponseHead) {
        self.init(refusedWith: Int(head.status.code), errorType: head.headers.first(name: "x-amzn-errortype"))
    }

    /// What an error between the connection and the service's answer means.
    fileprivate init(upgrade error: any Error) {
        switch error {
        case is NIOHTTPClientUpgradeError: self.init(.unsent, "the service does not speak WebSocket at this address")
        case is NIOHTTP1ProxyConnectHandler.Error: self.init(.unsent, "the proxy does not pass the connection on")
        default:
            self =
                Self(connecting: error)
                ?? TransportError(.lost, "the service did not accept the socket in time, or ended the connection")
        }
    }
}
#endif
