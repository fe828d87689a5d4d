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
