#if Server
import HoldfastServer
import HoldfastServerHTTP
import HoldfastStorage
import HoldfastTestSupport
import HoldfastWire
import NIOHTTP1
import Testing

@Suite struct HTTPTests {
    @Test func answersQueriesAndMutations() async throws {
        try await RunningServer.use { server in
            try await server.create("first")
            let answer = try await server.query("query Q { listPosts { items { title _version } } }")
            #expect(answer.status == .ok)
            #expect(answer.text == #"{"data":{"listPosts":{"items":[{"title":"first","_version":1}]}}}"#)
            #expect(answer.headers.first(name: "content-type") == "application/json;charset=UTF-8")
            #expect(answer.headers.first(name: "x-amzn-requestid")?.count == 36)
            #expect(answer.headers.first(name: "access-control-allow-origin") == "*")
        }
    }

    @Test func answersQueriesInTheAddress() async throws {
        try await RunningServer.use { server in
            try await server.create("a+b c")
            let answer = try await server.send(
                .GET,
                "/graphql?query=query+Q($t:String)%7BlistPosts(filter:%7Btitle:%7Beq:$t%7D%7D)%7Bitems%7Btitle%7D%7D%7D"
                    + "&variables=%7B%22t%22:%22a%2Bb+c%22%7D",
                headers: [("x-api-key", "key")])
            #expect(answer.text == #"{"data":{"listPosts":{"items":[{"title":"a+b c"}]}}}"#)
            #expect(answer.headers.first(name: "cache-control") == "no-store")
        }
    }

    @Test func refusesMutationsInTheAddress() async throws {
        try await RunningServer.use { server in
            let answer = try await server.send(
                .GET, "/graphql?query=mutation%7BcreatePost(input:%7Btitle:%22a%22%7D)%7Bid%7D%7D",
                headers: [("x-api-key", "key")])
            #expect(answer.status == .methodNotAllowed)
            #expect(answer.headers.first(name: "allow") == "POST")
            let posts = try await server.query("query Q { listPosts { items { id } } }")
            #expect(posts.text == #"{"data":{"listPosts":{"items":[]}}}"#)
        }
    }

    @Test func refusesAWrongKey() async throws {
        try await RunningServer.use { server in
            for headers in [[("x-api-key", "other")], []] {
                let answer = try await server.query("query Q { listPosts { items { title } } }", headers: headers)
                #expect(answer.status == .unauthorized)
                #expect(answer.headers.first(name: "x-amzn-errortype") == "UnauthorizedException")
                #expect(try answer.json["errors"]?[0]?["errorType"] == "UnauthorizedException")
            }
        }
    }

    @Test func refusesAnEmptyBody() async throws {
        try await RunningServer.use { server in
            let answer = try await server.send(.POST, "/graphql", headers: [("x-api-key", "key")])
            #expect(answer.status == .badRequest)
            #expect(try answer.json["errors"]?[0]?["message"] == "Request body is empty.")
        }
    }

    @Test(arguments: [1_001, 16_000, 40_000_000]) func refusesALargeBody(size: Int) async throws {
        var options = ServerOptions(apiKeys: ["key"])
        options.limits.requestByteCount = 1_000
        try await RunningServer.use(options: options) { server in
            do {
                // The client must not send the next request over a connection that the server is closing.
                let answer = try await server.send(
                    .POST, "/graphql", headers: [("x-api-key", "key"), ("connection", "close")],
                    body: [UInt8](repeating: 0x20, count: size))
                #expect(answer.status == .payloadTooLarge)
                #expect(try answer.json["errors"]?[0]?["message"] == "The request has more than 1000 bytes.")
            } catch {
                // The connection may end while a client still sends a body that is far too large.
                #expect(size > 16_000, "\(error)")
            }
            try await server.create("after")
        }
    }

    @Test func reportsItsHealth() async throws {
        try await RunningServer.use { server in
            #expect(try await server.send(.GET, "/health").status == .ok)
            #expect(try await server.send(.GET, "/ready").status == .ok)
            try await server.server.close()
            #expect(try await server.send(.GET, "/health").status == .ok)
            #expect(try await server.send(.GET, "/ready").status == .serviceUnavailable)
        }
    }

    /// A load balancer notices only after some seconds that a process ends.
    @Test func answersForSomeTimeAfterASignal() async throws {
        let world = ManualSurroundings()
        let handover = Duration.seconds(17)
        try await RunningServer.use(
            configuration: SyncHTTPServer.Configuration(port: 0, handoverTime: handover),
            surroundings: world.surroundings
        ) { server in
            #expect(try await server.send(.GET, "/ready").status == .ok)
            await server.shutDown()
            await world.waitForSleeper(of: handover)
            // Connections that are open already are not enough.
            let headers = [("connection", "close")]
            #expect(try await server.send(.GET, "/ready", headers: headers).status == .serviceUnavailable)
            #expect(try await server.send(.GET, "/health", headers: headers).status == .ok)
            try await server.create("late")
            world.advance(handover)
        }
    }

    /// A client takes a body after an answer to HEAD for the next answer.
    @Test func answersHeadWithoutABody() async throws {
        let configuration = SyncHTTPServer.Configuration(port: 0, metrics: .port(0, host: "127.0.0.1"))
        try await RunningServer.use(configuration: configuration) { server in
            let metricsPort = try #require(await server.metricsPort())
            let cases = [
                (server.port, "/health", 200), (server.port, "/ready", 200), (server.port, "/graphql", 405),
                (metricsPort, "/metrics", 200), (metricsPort, "/health", 404),
            ]
            for (port, path, status) in cases {
                try await RawConnection.use(port) { connection in
                    try await connection.send("HEAD \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
                    _ = try await connection.answer(until: "\r\n\r\n")
                    try await connection.send("GET /elsewhere HTTP/1.1\r\nHost: x\r\n\r\n")
                    let answer = try await connection.answer(until: "There is ")
                    #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
                    #expect(answer.contains("\r\n\r\nHTTP/1.1 404 "), "\(answer)")
                }
            }
        }
    }

    @Test func countsRequests() async throws {
        try await RunningServer.use { server in
            try await server.create("first")
            try await server.create("second")
            _ = try await server.send(.GET, "/elsewhere")
            let text = try await server.send(.GET, "/metrics").text
            #expect(text.contains(#"holdfast_http_requests_total{route="graphql",status="200"} 2"#))
            #expect(text.contains(#"holdfast_http_requests_total{route="unknown",status="404"} 1"#))
            #expect(text.contains(#"holdfast_http_request_seconds_bucket{route="graphql",le="0.001"} 2"#))
            #expect(text.contains("holdfast_sockets 0\n"))
        }
    }

    /// Where other machines reach the service, they do not reach metrics unless someone says where.
    @Test(
        arguments: [
            ("127.0.0.1", nil, HTTPResponseStatus.ok), ("0.0.0.0", nil, .notFound),
            ("127.0.0.1", SyncHTTPServer.MetricsPlace.none, .notFound), ("0.0.0.0", .service, .ok),
        ] as [(String, SyncHTTPServer.MetricsPlace?, HTTPResponseStatus)])
    func showsMetricsWhereItMay(
        _ setting: (host: String, metrics: SyncHTTPServer.MetricsPlace?, status: HTTPResponseStatus)
    ) async throws {
        let configuration = SyncHTTPServer.Configuration(host: setting.host, port: 0, metrics: setting.metrics)
        try await RunningServer.use(configuration: configuration) { server in
            let answer = try await server.send(.GET, "/metrics")
            #expect(answer.status == setting.status)
        }
    }

    @Test func showsMetricsOnTheirOwnPort() async throws {
        let configuration = SyncHTTPServer.Configuration(
            host: "0.0.0.0", port: 0, metrics: .port(0, host: "127.0.0.1"))
        try await RunningServer.use(configuration: configuration) { server in
            try await server.create("first")
            #expect(try await server.send(.GET, "/metrics").status == .notFound)
            var alone = server
            alone.port = try #require(await server.metricsPort())
            let answer = try await alone.send(.GET, "/metrics")
            #expect(answer.text.contains(#"holdfast_http_requests_total{route="graphql",status="200"} 1"#))
            #expect(try await alone.send(.POST, "/graphql", body: [0x20]).status == .notFound)
            #expect(try await alone.send(.GET, "/health").status == .notFound)
        }
    }

    @Test func endsIdleConnectionsToThePortOfMetrics() async throws {
        let configuration = SyncHTTPServer.Configuration(
            port: 0, idleTimeout: .milliseconds(200), metrics: .port(0, host: "127.0.0.1"))
        try await RunningServer.use(configuration: configuration) { server in
            let port = try #require(await server.metricsPort())
            try await RawConnection.use(port) { connection in
                let answer = try await connection.answer(until: nil)
                #expect(answer == "")
            }
        }
    }

    @Test func cutsOffARequestForMetricsThatDoesNotEnd() async throws {
        let configuration = SyncHTTPServer.Configuration(
            port: 0, requestTimeout: .milliseconds(200), metrics: .port(0, host: "127.0.0.1"))
        try await RunningServer.use(configuration: configuration) { server in
            let port = try #require(await server.metricsPort())
            try await RawConnection.use(port) { connection in
                try await connection.send("GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n")
                // A closed connection takes nothing.
                while (try? await connection.send("x")) != nil { try await Task.sleep(for: .milliseconds(10)) }
            }
        }
    }

    @Test func refusesOtherAddressesAndMethods() async throws {
        try await RunningServer.use { server in
            let elsewhere = try await server.send(.GET, "/")
            #expect(elsewhere.status == .notFound)
            #expect(try await server.send(.PUT, "/graphql", body: [0x20]).status == .methodNotAllowed)
            #expect(try await server.send(.GET, "/graphql/realtime").status == .upgradeRequired)
            // An address that is not for WebSockets answers as if none had been asked for.
            let upgrade = [("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")]
            #expect(try await server.send(.GET, "/health", headers: upgrade).status == .ok)
        }
    }

    @Test(arguments: [false, true]) func cutsOffAClientOnlyIfItDoesNotReadItsAnswer(reads: Bool) async throws {
        var options = ServerOptions(apiKeys: ["key"])
        options.limits.responseByteCount = 64 << 20
        options.limits.pageByteCount = 64 << 20
        let configuration = SyncHTTPServer.Configuration(
            port: 0, idleTimeout: reads ? .seconds(600) : .milliseconds(200))
        try await RunningServer.use(options: options, configuration: configuration) { server in
            // Not over HTTP, where the short timeout also ends connections that are kept.
            func respond(_ query: String, _ variables: WireValue = [:]) async -> ServerResponse {
                let body: WireValue = ["query": .string(query), "variables": variables]
                return await server.server.respond(
                    to: ServerRequest(headers: ["x-api-key": "key"], body: body.bytes))
            }
            let title = WireValue.string(String(repeating: "x", count: 200_000))
            for _ in 0..<150 {
                _ = await respond(
                    "mutation M($title: String!) { createPost(input: { title: $title }) { id } }", ["title": title])
            }
            // More than the system keeps for a connection.
            let byteCount = await respond("query Q { listPosts(limit: 1000) { items { title } } }").body.count
            #expect(byteCount > 30_000_000)
            let query = "query%20Q%7BlistPosts(limit:1000)%7Bitems%7Btitle%7D%7D%7D"
            // The short timeout also ends a connection without a request.
            let request = "GET /graphql?query=\(query) HTTP/1.1\r\nHost: x\r\nx-api-key: key\r\n\r\n"
            try await RawConnection.use(server.port, sending: request) { connection in
                guard reads else {
                    // Empty lines before a request mean nothing. A closed connection takes none. Without pauses they would
                    // keep the event loops busy that write the answer.
                    while (try? await connection.send("\r\n")) != nil {
                        try await Task.sleep(for: .milliseconds(10))
                    }
                    return
                }
                var count = 0
                while count < byteCount, let received = try await connection.receive() { count += received }
                #expect(count >= byteCount)
            }
        }
    }

    /// A client that sends a byte now and then is never idle.
    @Test func cutsOffARequestThatDoesNotEnd() async throws {
        let configuration = SyncHTTPServer.Configuration(port: 0, requestTimeout: .milliseconds(200))
        try await RunningServer.use(configuration: configuration) { server in
            try await RawConnection.use(server.port) { connection in
                try await connection.send("POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n")
                // A closed connection takes nothing; what follows the body would be answered.
                while (try? await connection.send("x")) != nil { try await Task.sleep(for: .milliseconds(10)) }
                let answer = try? await connection.answer(until: nil)
                #expect(answer ?? "" == "")
            }
        }
    }

    @Test func allowsRequestsFromOtherOrigins() async throws {
        try await RunningServer.use { server in
            let answer = try await server.send(.OPTIONS, "/graphql")
            #expect(answer.status == .noContent)
            #expect(answer.headers.first(name: "access-control-allow-headers")?.contains("x-api-key") == true)
        }
    }
}
#endif
