#if Sync
internal import Foundation
internal import HoldfastStorage
public import HoldfastSync
internal import HoldfastWire

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Carries requests to a service over HTTP, and frames over WebSockets, through `URLSession`.
///
/// For Apple platforms, where it goes through the networks, the proxies, and the trusted certificates of the system. On
/// Linux it is for tests only: the `URLSession` of Foundation there has no sockets, since the libcurl of Swift's
/// releases knows no WebSockets, and it ends the process when a response is not HTTP.
/// ``HTTPSyncConfiguration/makeTransport()`` chooses.
///
/// Redirects are not followed, since they would carry credentials elsewhere, and neither answers, nor cookies, nor
/// credentials are kept. There is no limit for a connection by itself: `timeouts.connect` counts with
/// `timeouts.handshake`, and `limits.waitingBytes` is up to the system.
///
/// ``shutdown()`` ends it. A transport that is released without it closes its connections then.
public final class URLSessionSyncTransport: SyncTransport {
    /// How the service is reached.
    public let configuration: HTTPSyncConfiguration
    private let address: URL
    private let socketEndpoint: Endpoint
    private let events = SessionEvents()
    /// `nil` once the transport has ended: a session that has ended must not be asked for tasks.
    private let session: Mutex<URLSession?>

    /// Creates a transport; nothing is connected before the first request.
    ///
    /// - Throws: ``HTTPSyncConfigurationError`` for an address that cannot be read, and for a configuration with a
    ///   proxy or with certificates of its own: only ``HTTPSyncTransport`` has them.
    public init(_ configuration: HTTPSyncConfiguration) throws(HTTPSyncConfigurationError) {
        let endpoint = try Endpoint(configuration.endpoint)
        guard configuration.proxy == nil, configuration.trustRoots == .system else {
            throw HTTPSyncConfigurationError(
                "URLSession takes proxies and certificates from the system; use HTTPSyncTransport for others")
        }
        guard let address = URL(string: endpoint.url) else {
            throw HTTPSyncConfigurationError("the address of the service cannot be read; write https://host/path")
        }
        self.configuration = configuration
        self.address = address
        socketEndpoint = try configuration.socketEndpoint(of: endpoint)
        let settings = URLSessionConfiguration.ephemeral
        settings.httpShouldSetCookies = false
        settings.httpCookieStorage = nil
        settings.urlCache = nil
        settings.urlCredentialStorage = nil
        settings.requestCachePolicy = .reloadIgnoringLocalCacheData
        settings.httpMaximumConnectionsPerHost = max(1, configuration.limits.connections)
        session = Mutex(URLSession(configuration: settings, delegate: events, delegateQueue: nil))
    }

    deinit { session.load()?.invalidateAndCancel() }

    /// Sends one GraphQL request.
    ///
    /// - Returns: The response, with any status.
    /// - Throws: `TransportError` `.unsent` if no connection could be made, `.tooLong` if the response has more bytes
    ///   than the configuration allows, `.lost` if it is missing or not there in time.
    public func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        var call = URLRequest(url: address)
        call.httpMethod = "POST"
        call.httpBody = Data(request.body)
        call.setValue("application/json; charset=UTF-8", forHTTPHeaderField: "Content-Type")
        for header in try request.authorization.sendable() {
            call.setValue(header.value, forHTTPHeaderField: header.name)
        }
        call.setValue(configuration.userAgent, forHTTPHeaderField: "User-Agent")
        call.setValue("no-store", forHTTPHeaderField: "Cache-Control")
        // The limit below is the one that counts; the session's own must not be shorter.
        call.timeoutInterval = configuration.timeouts.request.inSeconds + 60
        let prepared = call
        guard let task = session.withLock({ $0?.dataTask(with: prepared) }) else { throw .hasEnded }
        let (events, limit) = (events, configuration.limits.responseBytes)
        let answer = try await within(configuration.timeouts.request, "no complete response") {
            await events.answer(to: task, limit: limit)
        }.get()
        let retryAfter = answer.response.value(forHTTPHeaderField: "Retry-After").flatMap {
            RetryAfter.duration($0, date: answer.response.value(forHTTPHeaderField: "Date"))
        }
        return WireResponse(status: answer.response.statusCode, body: answer.body, retryAfter: retryAfter)
    }

    /// Opens a socket.
    ///
    /// - Throws: `TransportError` `.unauthorized` if the service answers with status 401, with an error type that says
    ///   so, or with status 403 and an error type, `.unsent` if no connection could be made, `.lost` if the service answers with another status or
    ///   not in time.
    public func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        let head = try SocketRequest(configuration, path: socketEndpoint.path, request.authorization)
        let scheme = socketEndpoint.isSecure ? "wss" : "ws"
        guard let address = URL(string: "\(scheme)://\(socketEndpoint.authority)\(head.path)") else {
            throw TransportError(.unsent, "the address of the socket cannot be read")
        }
        var call = URLRequest(url: address)
        for header in head.headers { call.setValue(header.value, forHTTPHeaderField: header.name) }
        let limit = configuration.timeouts.connect + configuration.timeouts.handshake
        call.timeoutInterval = limit.inSeconds + 60
        let prepared = call
        guard let task = session.withLock({ $0?.webSocketTask(with: prepared) }) else { throw .hasEnded }
        task.maximumMessageSize = configuration.limits.frameBytes
        let events = events
        try await within(limit, "the service did not accept the socket") { await events.opening(of: task) }.get()
        return URLSessionSocket(task, silence: configuration.timeouts.silence)
    }

    /// Closes all sockets and connections.
    ///
    /// Returns when they are closed. Requests that wait fail with `TransportError` `.lost`, later ones with `.unsent`.
    /// Does nothing the second time.
    public func shutdown() async {
        let open = session.withLock { session in
            defer { session = nil }
            return session
        }
        guard let open else { return }
        await events.end(of: open)
    }
}
#endif
