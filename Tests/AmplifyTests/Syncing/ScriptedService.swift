import AWSAPIPlugin
import HoldfastSync
import HoldfastTestSupport
import HoldfastWire

/// A service of subscriptions, of which the test writes each frame.
struct ScriptedService: SyncTransport, APISessionFactory {
    private let sockets = EventLog<ScriptedSocket>()

    /// A socket as soon as it is open; the first one is number 0.
    func socket(_ number: Int) async throws -> ScriptedSocket {
        try await sockets.wait { sockets.events.count > number }
        return sockets.events[number]
    }

    func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        throw TransportError(.unsent, "only sockets")
    }

    func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        let socket = ScriptedSocket()
        sockets.add(socket)
        return socket
    }

    func makeSession(_ request: APISessionRequest) throws -> APISession {
        APISession(
            transport: self,
            authorization: SyncAuthorization(headers: { _, _ in
                AuthHeaders.apiKey("key", host: "localhost", date: "20240229T120000Z")
            }))
    }
}

final class ScriptedSocket: RealtimeSocket {
    private let frames = AsyncStream.makeStream(of: [UInt8].self)

    /// Sends frames to the client.
    func put(_ frames: ServerFrame...) {
        for frame in frames { self.frames.continuation.yield(frame.bytes) }
    }

    func send(_ text: [UInt8]) async throws(TransportError) {}

    func next() async throws(TransportError) -> [UInt8]? { await frames.stream.first { _ in true } }

    func close() async { frames.continuation.finish() }
}
