public import HoldfastWire

/// What carries requests to a service, as bytes.
///
/// ```swift
/// struct ServerTransport: SyncTransport {
///     let server: SyncServer
///
///     func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
///         let headers = request.authorization.headers.map { ($0.name.lowercased(), $0.value) }
///         let response = await server.respond(
///             to: ServerRequest(headers: Dictionary(headers) { $1 }, body: request.body))
///         return WireResponse(status: response.status, body: response.body)
///     }
///
///     func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
///         throw TransportError(.unsent, "This transport has no sockets.")
///     }
/// }
/// ```
public protocol SyncTransport: Sendable {
    /// Sends one GraphQL request.
    ///
    /// - Returns: The response, with any status.
    /// - Throws: ``TransportError`` if there is none.
    func send(_ request: WireRequest) async throws(TransportError) -> WireResponse

    /// Opens a socket of the service's real-time protocol.
    ///
    /// - Throws: ``TransportError`` if it cannot be opened.
    func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket
}

/// One socket to a service.
public protocol RealtimeSocket: Sendable {
    /// Sends the text of one frame. Calls come one after the other.
    ///
    /// - Throws: ``TransportError`` if the socket failed.
    func send(_ text: [UInt8]) async throws(TransportError)

    /// The text of the next frame; `nil` once the socket is closed. Calls come one after the other.
    ///
    /// - Throws: ``TransportError`` if the socket failed.
    func next() async throws(TransportError) -> [UInt8]?

    /// Closes the socket. A call of ``next()`` that waits returns `nil`.
    func close() async
}

/// A GraphQL request over HTTP.
public struct WireRequest: Sendable, Hashable {
    /// Who makes it.
    public var authorization: AuthHeaders
    /// The body: JSON with a document and its variables.
    public var body: [UInt8]

    /// Creates a request.
    public init(authorization: AuthHeaders, body: [UInt8]) {
        self.authorization = authorization
        self.body = body
    }
}

/// A response over HTTP.
public struct WireResponse: Sendable, Hashable {
    /// The status of HTTP.
    public var status: Int
    /// The body.
    public var body: [UInt8]
    /// The time of `Retry-After`; `nil` without one.
    public var retryAfter: Duration?

    /// Creates a response.
    public init(status: Int, body: [UInt8], retryAfter: Duration? = nil) {
        self.status = status
        self.body = body
        self.retryAfter = retryAfter
    }
}

/// A request for a socket.
public struct RealtimeRequest: Sendable, Hashable {
    /// Who makes it.
    public var authorization: AuthHeaders

    /// Creates a request.
    public init(authorization: AuthHeaders) { self.authorization = authorization }
}
