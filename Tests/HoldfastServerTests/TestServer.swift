import HoldfastGraphQL
import HoldfastInMemory
import HoldfastSQLite
import HoldfastSchema
import HoldfastServer
import HoldfastStorage
import HoldfastTestSupport
import HoldfastWire
import Testing

/// A server on an adapter, and shorthands for requests.
struct TestServer: Sendable {
    let server: SyncServer
    let world: ManualSurroundings

    /// Adapters on which scenarios run.
    enum Kind: CaseIterable, Sendable {
        case memory, sqlite

        func make() -> any StorageAdapter {
            switch self {
            case .memory: InMemoryAdapter()
            case .sqlite: SQLiteAdapter(SQLiteConfiguration(.temporary))
            }
        }
    }

    static func open(
        _ schema: String, on kind: Kind = .memory, options: ServerOptions = ServerOptions(apiKeys: ["key"]),
        world: ManualSurroundings = ManualSurroundings(), adapter: (any StorageAdapter)? = nil
    ) async throws -> TestServer {
        let server = try await SyncServer.open(
            schema: [Source(schema)], options: options, surroundings: world.surroundings
        ) { adapter ?? kind.make() }
        return TestServer(server: server, world: world)
    }

    /// Sends a request.
    ///
    /// - Returns: The body of the response.
    func send(
        _ query: String, _ variables: WireValue = [:], headers: [String: String] = ["x-api-key": "key"],
        status: Int = 200, at location: SourceLocation = #_sourceLocation
    ) async throws -> WireValue {
        let body: WireValue = ["query": .string(query), "variables": variables]
        let response = await server.respond(to: ServerRequest(headers: headers, body: body.bytes))
        #expect(response.status == status, sourceLocation: location)
        return try WireValue(parsing: response.body)
    }

    /// Sends a request that has no errors.
    ///
    /// - Returns: The data.
    func data(
        _ query: String, _ variables: WireValue = [:], headers: [String: String] = ["x-api-key": "key"],
        at location: SourceLocation = #_sourceLocation
    ) async throws -> WireValue {
        let response = try await send(query, variables, headers: headers)
        #expect(response["errors"] == nil, "\(response["errors"]?.text ?? "")", sourceLocation: location)
        return try #require(response["data"], sourceLocation: location)
    }
}

extension WireValue {
    /// What a way of names and positions leads to: `items.0.title`.
    func at(_ path: String) -> WireValue? {
        path.split(separator: ".").reduce(self) { value, step in
            guard let value else { return nil }
            return Int(step).map { value[$0] } ?? value[String(step)]
        }
    }
}

extension ManualSurroundings {
    /// Milliseconds since 1970.
    var now: Int64 { microseconds / 1_000 }
}
