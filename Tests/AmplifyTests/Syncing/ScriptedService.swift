import AWSAPIPlugin
import HoldfastSync
import HoldfastSyncTestSupport
import HoldfastTestSupport
import HoldfastWire

/// A service of subscriptions, of which the test writes each frame.
struct ScriptedService: SyncTransport, APISessionFactory {
    /// The clock of the client.
    let time: ManualSurroundings
    /// How many connections are still to fail.
    let connectionsToLose = Countdown()
    /// How often there is another token in the place of one that was refused.
    let tokens = Countdown()
    /// The requests for which headers were asked.
    let authorized = EventLog<AuthorizedRequest>()
    private let sockets = EventLog<ScriptedSocket>()
    private let networks = EventLog<AsyncStream<Bool>.Continuation>()

    /// Creates a service; shorter pauses of the client end at once.
    init(shortestPause: Duration = .seconds(1)) { time = ManualSurroundings(shortestPause: shortestPause) }

    /// A socket as soon as it is open; the first one is number 0.
    func socket(_ number: Int) async throws -> ScriptedSocket {
        try await sockets.wait { sockets.events.count > number }
        return sockets.events[number]
    }

    /// What says whether there is a network, as soon as the client listens to it; the first one is number 0.
    func network(_ number: Int) async throws -> AsyncStream<Bool>.Continuation {
        try await networks.wait { networks.events.count > number }
        return networks.events[number]
    }

    func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        throw TransportError(.unsent, "only sockets")
    }

    func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        if connectionsToLose.takeOne() { throw TransportError(.unsent, "no network") }
        let socket = ScriptedSocket()
        sockets.add(socket)
        return socket
    }

    func makeSession(_ request: APISessionRequest) throws -> APISession {
        let headers = AuthHeaders.apiKey("key", host: "localhost", date: "20240229T120000Z")
        var session = APISession(
            transport: self,
            authorization: SyncAuthorization(
                authorize: { [authorized] _, request in
                    authorized.add(request)
                    return .headers(headers)
                },
                renew: { [tokens] _, _, _ in tokens.takeOne() ? headers : nil }),
            networkChanges: { [networks] in
                let (changes, network) = AsyncStream.makeStream(of: Bool.self)
                networks.add(network)
                return changes
            })
        session.surroundings = time.surroundings
        return session
    }
}

final class ScriptedSocket: RealtimeSocket {
    private let frames = AsyncStream.makeStream(of: [UInt8].self)
    /// What the client sent.
    let sent = EventLog<[UInt8]>()

    /// Sends frames to the client.
    func put(_ frames: String...) {
        for frame in frames { self.frames.continuation.yield(Array(frame.utf8)) }
    }

    func send(_ text: [UInt8]) async throws(TransportError) { sent.add(text) }

    func next() async throws(TransportError) -> [UInt8]? { await frames.stream.first { _ in true } }

    func close() async { frames.continuation.finish() }
}
