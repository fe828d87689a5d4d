import HoldfastSync
import HoldfastSyncHTTP
import HoldfastWire

/// The client's way to a service over HTTP and WebSockets on this machine, beside a server that does nothing.
enum Calling {
    static let all = [requests, idleSockets]

    private static let connectionCount = 16

    /// Requests of as many tasks as there are connections, beside the libraries without the transports.
    private static let requests = Benchmark(name: "requests of a client over HTTP (faster is better)") { bench in
        let server = try FixedServer(
            answer: Array((#"{"data":""# + String(repeating: "x", count: 1_000) + #""}"#).utf8))
        defer { server.end() }
        let url = "http://127.0.0.1:\(server.port)/graphql"
        var configuration = HTTPSyncConfiguration(endpoint: url)
        configuration.limits.connections = connectionCount
        let pairs: [(name: String, alone: any HTTPCaller, layer: String, transport: any HTTPCaller)] = [
            (
                "async-http-client", AsyncHTTPClientCaller(url: url, connections: connectionCount),
                "HTTPSyncTransport",
                TransportCaller(transport: try HTTPSyncTransport(configuration)) { await $0.shutdown() }
            ),
            (
                "URLSession", try URLSessionCaller(url: url, connections: connectionCount), "URLSessionSyncTransport",
                TransportCaller(transport: try URLSessionSyncTransport(configuration)) { await $0.shutdown() }
            ),
        ]
        var measurements: [Measurement] = []
        for pair in pairs {
            var entries: [Measurement.Entry] = []
            for (layer, caller) in [("alone", pair.alone), (pair.layer, pair.transport)] {
                entries.append(
                    Measurement.Entry(
                        layer: layer, value: try await speed(of: caller, count: bench.sized(20_000)),
                        goal: layer == "alone" ? nil : .ratio(1.5)))
                try await caller.end()
            }
            measurements += Measurement.beside(
                "requests of a client over HTTP (faster is better)", pair.name, "requests/s", isRate: true, entries)
        }
        return measurements
    }

    /// Requests in a second; the first ones, which make the connections, do not count.
    private static func speed(of caller: any HTTPCaller, count: Int) async throws -> Double {
        let body = ErrandService.updateBody(1, version: 1)
        func run(_ perTask: Int) async throws -> Samples {
            try await time {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<connectionCount {
                        group.addTask {
                            var size = 0
                            for _ in 0..<perTask { size += try await caller.call(body) }
                            return size
                        }
                    }
                    return try await group.reduce(0, +)
                }
            }
        }
        _ = try await run(10)
        let perTask = max(1, count / connectionCount)
        return Double(perTask * connectionCount) / (try await run(perTask)).sum
    }

    /// What the process grows by for each open WebSocket of which a task waits for the next frame.
    private static let idleSockets = Benchmark(name: "memory of an idle socket of a client") { bench in
        LoopbackSocket.raiseLimit()
        let server = try FixedServer(answer: [])
        defer { server.end() }
        let transport = try HTTPSyncTransport(
            HTTPSyncConfiguration(endpoint: "http://127.0.0.1:\(server.port)/graphql"))
        let request = RealtimeRequest(
            authorization: .apiKey(ErrandService.key, host: "127.0.0.1", date: "20260101T000000Z"))
        // What the first sockets bring about is there once.
        var sockets: [any RealtimeSocket] = []
        for _ in 0..<16 { sockets.append(try await transport.connect(request)) }
        let count = bench.sized(1_000)
        let before = Memory.allocatedByteCount
        var readers: [Task<Void, Never>] = []
        for _ in 0..<count {
            let socket = try await transport.connect(request)
            sockets.append(socket)
            readers.append(Task { _ = try? await socket.next() })
        }
        let growth = Memory.allocatedByteCount - before
        await transport.shutdown()
        for reader in readers { await reader.value }
        return [
            Measurement(
                name: "memory of an idle socket of a client", adapter: "HTTPSyncTransport", layer: "client",
                value: Double(growth) / Double(count), unit: "bytes", goal: .value(12_000))
        ]
    }
}
