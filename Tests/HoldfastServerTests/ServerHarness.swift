import HoldfastGraphQL
import HoldfastInMemory
import HoldfastSQLite
import HoldfastSchema
import HoldfastServer
import HoldfastStorage
import HoldfastWire
import Synchronization
import Testing

/// Time and randomness of a test: a clock that the test moves, and numbers from a counter.
final class ManualSurroundings: Sendable {
    private struct State {
        var microseconds: Int64 = 1_700_000_000_000_000
        var counter: UInt64 = 0
        var sleepers: [(until: Int64, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Milliseconds since 1970.
    var now: Int64 { state.withLock { $0.microseconds / 1000 } }

    /// Moves the clock on and wakes those whose time has come.
    func advance(_ milliseconds: Int64) {
        let woken = state.withLock { state in
            state.microseconds += milliseconds * 1000
            let woken = state.sleepers.filter { $0.until <= state.microseconds }
            state.sleepers.removeAll { $0.until <= state.microseconds }
            return woken
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    var surroundings: Surroundings {
        Surroundings(
            wallMicroseconds: { self.state.withLock { $0.microseconds } },
            uptime: { .microseconds(self.state.withLock { $0.microseconds }) },
            sleep: { duration in
                await withCheckedContinuation { continuation in
                    self.state.withLock { state in
                        let (seconds, attoseconds) = duration.components
                        let length = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
                        state.sleepers.append((state.microseconds + length, continuation))
                    }
                }
                try Task.checkCancellation()
            },
            random: {
                self.state.withLock { state in
                    state.counter += 1
                    return state.counter &* 0x9E37_79B9_7F4A_7C15
                }
            })
    }
}

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
        _ query: String, _ variables: JSONValue = [:], headers: [String: String] = ["x-api-key": "key"]
    ) async throws -> JSONValue {
        let body: JSONValue = ["query": .string(query), "variables": variables]
        let response = await server.respond(to: ServerRequest(headers: headers, body: body.bytes))
        #expect(response.status == 200)
        return try JSONValue(parsing: response.body)
    }

    /// Sends a request that has no errors.
    ///
    /// - Returns: The data.
    func data(
        _ query: String, _ variables: JSONValue = [:], headers: [String: String] = ["x-api-key": "key"],
        at location: SourceLocation = #_sourceLocation
    ) async throws -> JSONValue {
        let response = try await send(query, variables, headers: headers)
        #expect(response["errors"] == nil, "\(response["errors"]?.text ?? "")", sourceLocation: location)
        return try #require(response["data"], sourceLocation: location)
    }
}

extension JSONValue {
    /// What a way of names and positions leads to: `items.0.title`.
    func at(_ path: String) -> JSONValue? {
        path.split(separator: ".").reduce(self) { value, step in
            guard let value else { return nil }
            return Int(step).map { value[$0] } ?? value[String(step)]
        }
    }
}
