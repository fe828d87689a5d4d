import HoldfastServer
import HoldfastSync
import HoldfastWire

/// The way to a service in this process; `HTTPSyncTransport` of HoldfastSyncHTTP is the way to one on the network.
struct LocalTransport: SyncTransport {
    static let key = "demo"

    let server: SyncServer

    func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        let headers = Self.headers(request.authorization)
        let response = await server.respond(to: ServerRequest(headers: headers, body: request.body))
        return WireResponse(status: response.status, body: response.body)
    }

    func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        let credentials = Credentials(headers: Self.headers(request.authorization))
        return Socket(connection: await server.connect(with: credentials))
    }

    private static func headers(_ authorization: AuthHeaders) -> [String: String] {
        Dictionary(authorization.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
    }

    private struct Socket: RealtimeSocket {
        let connection: ServerConnection

        func send(_ text: [UInt8]) async throws(TransportError) { await connection.receive(text) }
        func next() async throws(TransportError) -> [UInt8]? { await connection.next() }
        func close() async { await connection.close() }
    }
}
