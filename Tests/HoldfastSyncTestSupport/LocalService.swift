import HoldfastInMemory
package import HoldfastServer
package import HoldfastStorage
package import HoldfastSync
import HoldfastTesting
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

    private let service: InProcessService
    package var server: SyncServer { service.server }
    /// How many answers to mutations are still to be lost on their way back.
    package let answersToLose = Countdown()
    /// Counts the requests.
    package let requests = RequestCount()

    /// Opens the service; by default in memory.
    package static func open(
        _ strategy: ConflictStrategy, _ surroundings: Surroundings, schema: String = LocalService.schema,
        makeAdapter: @escaping @Sendable () throws -> any StorageAdapter = { InMemoryAdapter() }
    ) async throws -> LocalService {
        try await open(
            ServerOptions(apiKeys: ["key"], strategy: strategy), surroundings, schema: schema, makeAdapter: makeAdapter)
    }

    /// Opens the service; by default in memory.
    package static func open(
        _ options: ServerOptions, _ surroundings: Surroundings, schema: String = LocalService.schema,
        makeAdapter: @escaping @Sendable () throws -> any StorageAdapter = { InMemoryAdapter() }
    ) async throws -> LocalService {
        LocalService(
            service: try await InProcessService.open(
                schema: schema, options: options, surroundings: surroundings, makeAdapter: makeAdapter))
    }

    package func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        requests.add()
        let response = try await service.send(request)
        let isMutation = String(decoding: request.body, as: UTF8.self).contains(#""query":"mutation"#)
        if isMutation, answersToLose.takeOne() { throw TransportError(.lost, "the connection was closed") }
        return response
    }

    package func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        try await service.connect(request)
    }
}
