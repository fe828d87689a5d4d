import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastWire
import Synchronization

/// The way to a service in this process.
struct ServiceTransport: SyncTransport {
    let service: ErrandService
    /// What a request waits for before it reaches the service; nothing by default.
    var roundTrip = Duration.zero
    /// Whether mutations are lost on their way, so that the service stays as it is.
    var losesMutations = false
    /// Where answers to queries are kept, so that the service, which is another machine's work, makes them once; `nil`
    /// for a service that makes each.
    var answers: ServiceAnswers?

    func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        if losesMutations, request.body.starts(with: Self.mutation) { throw TransportError(.lost, "it is lost") }
        if roundTrip > .zero { try? await Task.sleep(for: roundTrip) }
        if let answer = answers?[request.body] { return answer }
        let response = await service.server.respond(
            to: ServerRequest(headers: ["x-api-key": ErrandService.key], body: request.body))
        let answer = WireResponse(status: response.status, body: response.body)
        answers?[request.body] = answer
        return answer
    }

    func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        ServiceSocket(
            connection: await service.server.connect(with: Credentials(headers: ["x-api-key": ErrandService.key])))
    }

    private static let mutation = Array(#"{"query":"mutation"#.utf8)

    /// The service, as an application describes it.
    var syncService: SyncService {
        var settings = SyncSettings()
        settings.syncMaxRecords = 1_000_000
        return SyncService(
            transport: self,
            authorization: SyncAuthorization(headers: { _, _ in
                .apiKey(ErrandService.key, host: "localhost", date: "20260101T000000Z")
            }), settings: settings)
    }
}

private struct ServiceSocket: RealtimeSocket {
    let connection: ServerConnection

    func send(_ text: [UInt8]) async throws(TransportError) { await connection.receive(text) }
    func next() async throws(TransportError) -> [UInt8]? { await connection.next() }
    func close() async { await connection.close() }
}

/// What a service answered, by the request.
final class ServiceAnswers: Sendable {
    private let answers = Mutex<[[UInt8]: WireResponse]>([:])

    subscript(body: [UInt8]) -> WireResponse? {
        get { answers.withLock { $0[body] } }
        set { answers.withLock { $0[body] = newValue } }
    }
}
