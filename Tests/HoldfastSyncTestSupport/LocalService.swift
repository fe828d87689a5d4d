import HoldfastGraphQL
import HoldfastInMemory
package import HoldfastServer
package import HoldfastStorage
package import HoldfastSync
import HoldfastWire

/// The service of the tests, in this process.
package struct LocalService: SyncTransport {
    package static let schema = """
        type Note @model @auth(rules: [{ allow: public }]) {
          title: String! body: String rating: Int
          remarks: [Remark] @hasMany(indexName: "byNote", fields: ["id"])
        }
        type Remark @model @auth(rules: [{ allow: public }]) {
          text: String! noteId: ID @index(name: "byNote") note: Note @belongsTo(fields: ["noteId"])
        }
        """

    package let server: SyncServer
    /// How many answers to mutations are still to be lost on their way back.
    package let answersToLose = Countdown()
    /// Counts the requests.
    package let requests = RequestCount()

    /// Opens the service; by default in memory.
    package static func open(
        _ strategy: ConflictStrategy, _ surroundings: Surroundings, schema: String = LocalService.schema,
        makeAdapter: @escaping @Sendable () throws -> any StorageAdapter = { InMemoryAdapter() }
    ) async throws -> LocalService {
        let options = ServerOptions(apiKeys: ["key"], strategy: strategy)
        return LocalService(
            server: try await SyncServer.open(
                schema: [Source(schema)], options: options, surroundings: surroundings, makeAdapter: makeAdapter))
    }

    package func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        requests.add()
        let response = await server.respond(
            to: ServerRequest(headers: request.authorization.byLowerCaseName, body: request.body))
        let isMutation = String(decoding: request.body, as: UTF8.self).contains(#""query":"mutation"#)
        if isMutation, answersToLose.takeOne() { throw TransportError(.lost, "the connection was closed") }
        return WireResponse(status: response.status, body: response.body)
    }

    package func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        LocalSocket(
            connection: await server.connect(with: Credentials(headers: request.authorization.byLowerCaseName)))
    }
}

private struct LocalSocket: RealtimeSocket {
    let connection: ServerConnection

    func send(_ text: [UInt8]) async throws(TransportError) { await connection.receive(text) }
    func next() async throws(TransportError) -> [UInt8]? { await connection.next() }
    func close() async { await connection.close() }
}

extension AuthHeaders {
    fileprivate var byLowerCaseName: [String: String] {
        Dictionary(headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
