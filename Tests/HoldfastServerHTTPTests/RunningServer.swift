#if Server
import AsyncHTTPClient
import HoldfastGraphQL
import HoldfastInMemory
import HoldfastServer
import HoldfastServerHTTP
import HoldfastStorage
import HoldfastWire
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Testing
import Tracing

/// A server on a port of this machine, for the duration of a test.
struct RunningServer: Sendable {
    var port: Int
    let server: SyncServer
    let client: HTTPClient
    let scheme: String
    /// The port of metrics, as soon as it is known; only where they have one.
    let metricsPort: @Sendable () async -> Int?
    private let group: ServiceGroup

    static let schema = """
        type Post @model @auth(rules: [
          { allow: public }, { allow: private }, { allow: private, provider: oidc }, { allow: public, provider: iam }
        ]) {
          title: String!
        }
        """

    /// Runs a test with a server that accepts the key `key`, and ends the server.
    static func use(
        schema: String = RunningServer.schema, options: ServerOptions = ServerOptions(apiKeys: ["key"]),
        configuration: SyncHTTPServer.Configuration = SyncHTTPServer.Configuration(port: 0),
        surroundings: Surroundings = .still(), client: HTTPClient = .patient, tracer: (any Tracer)? = nil,
        _ test: (RunningServer) async throws -> Void
    ) async throws {
        let server = try await SyncServer.open(
            schema: [Source(schema)], options: options, surroundings: surroundings
        ) { InMemoryAdapter() }
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let (metricsPorts, metricsContinuation) = AsyncStream.makeStream(of: Int.self)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let http = SyncHTTPServer(
            server, configuration: configuration, surroundings: surroundings, logger: logger, tracer: tracer,
            onListening: { continuation.yield($0) }, onMetricsListening: { metricsContinuation.yield($0) })
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [http], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await group.run()
            }
            if let port = await ports.first(where: { _ in true }) {
                let running = RunningServer(
                    port: port, server: server, client: client, scheme: configuration.tls == nil ? "http" : "https",
                    metricsPort: { await metricsPorts.first { _ in true } }, group: group)
                do {
                    try await test(running)
                } catch {
                    // The group waits for the server, also when a test throws.
                    await running.shutDown()
                    throw error
                }
                await running.shutDown()
            }
            try await tasks.waitForAll()
        }
        try await server.close()
    }

    /// Begins to end the server.
    func shutDown() async { await group.triggerGracefulShutdown() }

    /// An answer over HTTP.
    struct Answer {
        var status: HTTPResponseStatus
        var headers: HTTPHeaders
        var text: String

        var json: WireValue { get throws { try WireValue(parsing: Array(text.utf8)) } }
    }

    /// Sends a request.
    func send(
        _ method: HTTPMethod, _ path: String, headers: [(String, String)] = [], body: [UInt8] = []
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: "\(scheme)://127.0.0.1:\(port)\(path)")
        request.method = method
        request.headers = HTTPHeaders(headers)
        if !body.isEmpty { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await client.execute(request, timeout: .minutes(5))
        let text = String(buffer: try await response.body.collect(upTo: 64 << 20))
        return Answer(status: response.status, headers: response.headers, text: text)
    }

    /// Sends a query or a mutation.
    func query(
        _ query: String, _ variables: WireValue = [:], headers: [(String, String)] = [("x-api-key", "key")]
    ) async throws -> Answer {
        let body: WireValue = ["query": .string(query), "variables": variables]
        return try await send(.POST, "/graphql", headers: headers, body: body.bytes)
    }

    /// Saves a post.
    func create(_ title: String) async throws {
        let answer = try await query(
            "mutation M($title: String!) { createPost(input: { title: $title }) { id } }", ["title": .string(title)])
        #expect(answer.status == .ok)
        #expect(try answer.json["errors"] == nil, "\(answer.text)")
    }
}

extension HTTPClient {
    /// A client for a busy machine; the shared one gives up after 90 seconds without a part of an answer.
    static let patient: HTTPClient = {
        var configuration = Configuration.singletonConfiguration
        configuration.timeout = Configuration.Timeout(connect: .minutes(10), read: nil)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}

extension Surroundings {
    /// Surroundings whose clock has stopped, and in which pauses do not end, except those of some lengths.
    static func still(
        at microseconds: Int64 = 1_700_000_000_000_000, passing: Set<Duration> = []
    ) -> Surroundings {
        let counter = Mutex<UInt64>(0)
        return Surroundings(
            wallMicroseconds: { microseconds }, uptime: { .zero },
            sleep: { duration in
                if passing.contains(duration) { return }
                // Ends when the task is cancelled; the continuation must live until then.
                let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
                for await _ in stream {}
                continuation.finish()
                throw CancellationError()
            },
            random: { counter.increment() &* 0x9E37_79B9_7F4A_7C15 })
    }
}
#endif
