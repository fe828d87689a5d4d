#if Server
import HoldfastServer
import HoldfastStorage
import HummingbirdCore
import NIOHTTP1

/// Connects WebSockets with the server.
struct SocketHandler: Sendable {
    let server: SyncServer
    let configuration: SyncHTTPServer.Configuration
    let surroundings: Surroundings
    let metrics: Metrics

    /// Serves a WebSocket until it ends.
    func handle(_ channel: SocketChannel, _ head: HTTPRequestHead) async {
        metrics.socketOpened()
        var parameters: [String: String] = [:]
        for (name, value) in URI(head.uri).queryParameters {
            // Some clients do not escape base64; a space is not one of its characters.
            parameters[String(name)] = String(value.map { $0 == " " ? "+" : $0 })
        }
        let connection = await server.connect(with: Credentials(headers: head.named, parameters: parameters))
        let session = SocketSession(
            channel: channel, connection: connection, configuration: configuration, surroundings: surroundings)
        await session.run()
        metrics.socketClosed(isCutOff: session.isCutOff)
    }
}
#endif
