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
        var sleepers: [UInt64: (until: Int64, continuation: CheckedContinuation<Void, Never>)] = [:]
        var watcher: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Milliseconds since 1970.
    var now: Int64 { state.withLock { $0.microseconds / 1000 } }

    /// Moves the clock on and wakes those whose time has come.
    func advance(_ milliseconds: Int64) {
        let woken = state.withLock { state in
            state.microseconds += milliseconds * 1000
            let woken = state.sleepers.filter { $0.value.until <= state.microseconds }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Waits until something sleeps.
    func waitUntilAsleep() async {
        await withCheckedContinuation { continuation in
            let isAsleep = state.withLock { state in
                if state.sleepers.isEmpty { state.watcher = continuation }
                return !state.sleepers.isEmpty
            }
            if isAsleep { continuation.resume() }
        }
    }

    private func sleep(_ duration: Duration) async throws {
        let (seconds, attoseconds) = duration.components
        let length = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        let id = state.withLock { state in
            state.counter += 1
            return state.counter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isCancelled, watcher) = state.withLock { state in
                    guard !Task.isCancelled else { return (true, nil as CheckedContinuation<Void, Never>?) }
                    state.sleepers[id] = (state.microseconds + length, continuation)
                    let watcher = state.watcher
                    state.watcher = nil
                    return (false, watcher)
                }
                if isCancelled { continuation.resume() }
                watcher?.resume()
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
        }
        try Task.checkCancellation()
    }

    var surroundings: Surroundings {
        Surroundings(
            wallMicroseconds: { self.state.withLock { $0.microseconds } },
            uptime: { .microseconds(self.state.withLock { $0.microseconds }) },
            sleep: { try await self.sleep($0) },
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

/// The client's end of a connection.
struct TestClient: Sendable {
    let connection: ServerConnection

    /// Opens a connection and takes the frames that begin it.
    static func open(_ test: TestServer, headers: [String: String] = ["x-api-key": "key"]) async throws -> TestClient {
        let client = TestClient(connection: await test.server.connect(with: Credentials(headers: headers)))
        await client.send(["type": "connection_init"])
        #expect(
            try await client.next().text == #"{"type":"connection_ack","payload":{"connectionTimeoutMs":300000}}"#)
        #expect(try await client.next().text == #"{"type":"ka"}"#)
        return client
    }

    func send(_ frame: JSONValue) async { await connection.receive(frame.bytes) }

    func start(
        _ id: String, _ query: String, _ variables: JSONValue = [:], authorization: JSONValue = ["x-api-key": "key"]
    ) async {
        let data: JSONValue = ["query": .string(query), "variables": variables]
        await send([
            "id": .string(id), "type": "start",
            "payload": ["data": .string(data.text), "extensions": ["authorization": authorization]],
        ])
    }

    func next() async throws -> JSONValue {
        let frame = try #require(await connection.next())
        return try JSONValue(parsing: frame)
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
