#if Sync
import Foundation
import HoldfastHTTPTestSupport
import HoldfastStorage
import HoldfastSync
import HoldfastSyncHTTP
import HoldfastWire
import Testing

@Suite struct HTTPTransportTests {
    private let request = WireRequest(
        authorization: .apiKey("da2-s3cret", host: "ignored", date: "20240229T120000Z"),
        body: Array(#"{"query":"query { hello }"}"#.utf8))

    private func transport(
        _ kind: TransportKind, _ port: Int, _ change: (inout HTTPSyncConfiguration) -> Void = { _ in }
    ) throws -> any ClosableTransport {
        var configuration = HTTPSyncConfiguration.withLongTimeouts("http://127.0.0.1:\(port)/graphql")
        change(&configuration)
        return try kind.make(configuration)
    }

    /// What a transport makes of a service that follows a script.
    private func outcome(
        _ kind: TransportKind, _ change: @escaping @Sendable (inout HTTPSyncConfiguration) -> Void = { _ in },
        of script: @escaping ScriptedServer.Script
    ) async throws -> Result<WireResponse, TransportError> {
        try await ScriptedServer.run(script) { [request] port in
            let transport = try transport(kind, port, change)
            let outcome: Result<WireResponse, TransportError>
            do throws(TransportError) { outcome = .success(try await transport.send(request)) } catch {
                outcome = .failure(error)
            }
            await transport.shutdown()
            return outcome
        }
    }

    @Test(arguments: TransportKind.allCases)
    func aRequestHasWhatTheDialectRequires(_ kind: TransportKind) async throws {
        let received = Mutex<ReceivedRequest?>(nil)
        let response = try await outcome(kind) { peer, _ in
            let request = try await peer.request()
            received.withLock { $0 = request }
            try await peer.respond(200, body: Array(#"{"data":{}}"#.utf8))
        }.get()
        #expect(response == WireResponse(status: 200, body: Array(#"{"data":{}}"#.utf8)))
        let request = try #require(received.withLock { $0 })
        #expect(request.line == "POST /graphql HTTP/1.1")
        #expect(request.body == self.request.body)
        #expect(request.headers["x-api-key"] == "da2-s3cret")
        #expect(request.headers["x-amz-date"] == "20240229T120000Z")
        #expect(request.headers["content-type"] == "application/json; charset=UTF-8")
        #expect(request.headers["host"]?.hasPrefix("127.0.0.1:") == true)
        #expect(request.headers["accept-encoding"]?.contains("gzip") == true)
    }

    @Test(arguments: TransportKind.allCases, [200, 302, 400, 401, 403, 413, 500, 503])
    func everyStatusIsAResponse(_ kind: TransportKind, _ status: Int) async throws {
        let response = try await outcome(kind) { peer, _ in
            _ = try await peer.request()
            try await peer.respond(status, headers: ["location: http://127.0.0.1:1/other"], body: Array("no".utf8))
        }.get()
        #expect(response == WireResponse(status: status, body: Array("no".utf8)))
    }

    @Test(
        arguments: TransportKind.allCases,
        [
            (["retry-after: 7"], Duration.seconds(7) as Duration?),
            (["retry-after: Sun, 06 Nov 1994 08:50:07 GMT", "date: Sun, 06 Nov 1994 08:49:37 GMT"], .seconds(30)),
            (["retry-after: Sun, 06 Nov 1994 08:49:07 GMT", "date: Sun, 06 Nov 1994 08:49:37 GMT"], .zero),
            (["retry-after: 999999999999"], .seconds(86_400)),
            (["retry-after: soon"], nil), (["retry-after: -1"], nil), ([], nil),
        ])
    func retryAfterIsRead(_ kind: TransportKind, _ example: (headers: [String], expected: Duration?)) async throws {
        let response = try await outcome(kind) { peer, _ in
            _ = try await peer.request()
            try await peer.respond(429, headers: example.headers)
        }.get()
        #expect(response.retryAfter == example.expected)
    }

    @Test(arguments: TransportKind.allCases)
    func emptyBodyIsAResponse(_ kind: TransportKind) async throws {
        let response = try await outcome(kind) { peer, _ in
            _ = try await peer.request()
            try await peer.respond(500, body: [])
        }.get()
        #expect(response == WireResponse(status: 500, body: []))
    }

    @Test(arguments: TransportKind.allCases)
    func packedBodyIsUnpacked(_ kind: TransportKind) async throws {
        let packed = try #require(
            Data(base64Encoded: "H4sIAAAAAAACA6tWSkksSVSyqlbKSM3JyVeyUirPL8pJUaqtBQCsyuNdGgAAAA=="))
        let response = try await outcome(kind) { peer, _ in
            _ = try await peer.request()
            try await peer.respond(200, headers: ["content-encoding: gzip"], body: Array(packed))
        }.get()
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"data":{"hello":"world"}}"#)
    }

    @Test(arguments: TransportKind.exact, [0, 9, 30, 60])
    func responseThatIsCutIsLost(_ kind: TransportKind, after count: Int) async throws {
        let response = "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n" + String(repeating: "x", count: 1_000)
        let outcome = try await outcome(kind) { peer, _ in
            _ = try await peer.request()
            try await peer.write(String(response.prefix(count)))
        }
        let error = #expect(throws: TransportError.self) { try outcome.get() }
        #expect(error?.kind == .lost)
    }

    @Test(arguments: TransportKind.allCases, ["", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"])
    func responseThatIsSlowIsLost(_ kind: TransportKind, _ beginning: String) async throws {
        let outcome = try await outcome(kind, { $0.timeouts.request = .milliseconds(200) }) { peer, _ in
            _ = try await peer.request()
            try await peer.write(beginning)
            try await peer.waitForEnd()
        }
        #expect(throws: TransportError(.lost, "no complete response within 0.2 seconds")) { try outcome.get() }
    }

    @Test(arguments: TransportKind.allCases, ["content-length: 200000", "transfer-encoding: chunked"])
    func responseThatIsTooLongIsLost(_ kind: TransportKind, _ header: String) async throws {
        let outcome = try await outcome(kind, { $0.limits.responseBytes = 100_000 }) { peer, _ in
            _ = try await peer.request()
            try await peer.write("HTTP/1.1 200 OK\r\n\(header)\r\n\r\n")
            let body = String(repeating: "x", count: 200_000)
            try await peer.write(header.hasPrefix("content") ? body : "30D40\r\n\(body)\r\n0\r\n\r\n")
        }
        #expect(throws: Self.tooLong) { try outcome.get() }
    }

    @Test(arguments: TransportKind.allCases)
    func responseThatUnpacksToTooMuchIsLost(_ kind: TransportKind) async throws {
        // 200,000 times the letter x.
        let packed = try #require(
            Data(
                base64Encoded:
                    "H4sIAAAAAAACA+3BMQEAAADCoNqLbwZ/o" + String(repeating: "A", count: 257) + "CA1wByAr9RQA0DAA=="))
        let outcome = try await outcome(kind, { $0.limits.responseBytes = 100_000 }) { peer, _ in
            _ = try await peer.request()
            try await peer.respond(200, headers: ["content-encoding: gzip"], body: Array(packed))
        }
        #expect(throws: Self.tooLong) { try outcome.get() }
    }

    private static let tooLong = TransportError(
        .tooLong, "the response is longer than allowed; raise limits.responseBytes")

    @Test(arguments: TransportKind.exact)
    func bytesThatAreNotHTTPAreLost(_ kind: TransportKind) async throws {
        let outcome = try await outcome(kind) { peer, _ in
            _ = try await peer.request()
            try await peer.write("SSH-2.0-OpenSSH\r\n\r\n")
        }
        let error = #expect(throws: TransportError.self) { try outcome.get() }
        #expect(error?.kind == .lost)
    }

    @Test(arguments: TransportKind.allCases)
    func requestWithoutAServerIsUnsent(_ kind: TransportKind) async throws {
        let transport = try transport(kind, ScriptedServer.closedPort)
        let error = await #expect(throws: TransportError.self) { _ = try await transport.send(request) }
        #expect(error?.kind == .unsent)
        await transport.shutdown()
    }

    @Test(arguments: TransportKind.allCases)
    func hostWithoutAnAddressIsUnsent(_ kind: TransportKind) async throws {
        let transport = try kind.make(.withLongTimeouts("http://nowhere.invalid/graphql"))
        let error = await #expect(throws: TransportError.self) { _ = try await transport.send(request) }
        #expect(error?.kind == .unsent)
        await transport.shutdown()
    }

    @Test(arguments: TransportKind.allCases)
    func connectionsAreReused(_ kind: TransportKind) async throws {
        let connections = Mutex<[Int]>([])
        try await ScriptedServer.run { peer, number in
            while true {
                _ = try await peer.request()
                connections.withLock { $0.append(number) }
                try await peer.respond(200)
            }
        } while: { [request] port in
            let transport = try transport(kind, port)
            // On a busy machine a request may come before the connection of the last one is given back.
            for _ in 0..<100 where Set(connections.load()).count == connections.load().count {
                #expect(try await transport.send(request).status == 200)
            }
            await transport.shutdown()
        }
        #expect(Set(connections.load()).count < connections.load().count)
    }

    @Test(arguments: TransportKind.allCases)
    func noRequestIsSentTwice(_ kind: TransportKind) async throws {
        let count = Mutex(0)
        let outcome = try await outcome(kind) { peer, _ in
            _ = try await peer.request()
            count.withLock { $0 += 1 }
        }
        #expect(throws: TransportError.self) { try outcome.get() }
        #expect(count.withLock { $0 } == 1)
    }

    @Test(arguments: TransportKind.allCases)
    func cancelledRequestIsLost(_ kind: TransportKind) async throws {
        let arrived = Mutex<CheckedContinuation<Void, Never>?>(nil)
        try await ScriptedServer.run { peer, _ in
            _ = try await peer.request()
            arrived.withLock { $0 }?.resume()
            try await peer.waitForEnd()
        } while: { [request] port in
            let transport = try transport(kind, port)
            let task = Mutex<Task<TransportError.Kind?, Never>?>(nil)
            await withCheckedContinuation { continuation in
                arrived.withLock { $0 = continuation }
                task.withLock { task in
                    task = Task {
                        do throws(TransportError) { _ = try await transport.send(request) } catch { return error.kind }
                        return nil
                    }
                }
            }
            let running = try #require(task.withLock { $0 })
            running.cancel()
            #expect(await running.value == .lost)
            await transport.shutdown()
        }
    }

    @Test(arguments: TransportKind.allCases)
    func nothingIsSentAfterTheShutdown(_ kind: TransportKind) async throws {
        let transport = try transport(kind, 1)
        await transport.shutdown()
        await transport.shutdown()
        await #expect(throws: TransportError(.unsent, "the transport was shut down")) {
            _ = try await transport.send(request)
        }
        await #expect(throws: TransportError(.unsent, "the transport was shut down")) {
            _ = try await transport.connect(RealtimeRequest(authorization: AuthHeaders()))
        }
    }

    @Test func noConnectionCanBeMadeWithoutAServer() async throws {
        let transport = try HTTPSyncTransport(
            .withLongTimeouts("http://127.0.0.1:\(ScriptedServer.closedPort)/graphql"))
        #expect(await !transport.canConnect())
        await transport.shutdown()
        #expect(await !transport.canConnect())
    }

    @Test(arguments: TransportKind.allCases)
    func headersThatCannotBeWrittenAreUnsentAndNotShown(_ kind: TransportKind) async throws {
        let transport = try transport(kind, 1)
        let request = WireRequest(authorization: .token("s3cret\r\nx: y", host: ""), body: [])
        let error = await #expect(throws: TransportError.self) { _ = try await transport.send(request) }
        #expect(error?.kind == .unsent)
        #expect(error?.reason.contains("s3cret") == false)
        await transport.shutdown()
    }

    // MARK: - TLS and proxies

    @Test(arguments: ["localhost", "127.0.0.1"])
    func ownRootsAreTrusted(_ host: String) async throws {
        try await ScriptedServer.run(isSecure: true) { peer, _ in
            _ = try await peer.request()
            try await peer.respond(200)
        } while: { [request] port in
            var configuration = HTTPSyncConfiguration.withLongTimeouts("https://\(host):\(port)/graphql")
            configuration.trustRoots = .pem(Array(TestCertificate.pem.utf8))
            let transport = try HTTPSyncTransport(configuration)
            #expect(try await transport.send(request).status == 200)
            await transport.shutdown()
        }
    }

    @Test(arguments: TransportKind.exact)
    func unknownCertificateIsUnsent(_ kind: TransportKind) async throws {
        try await ScriptedServer.run(isSecure: true) { peer, _ in
            _ = try await peer.request()
        } while: { [request] port in
            let transport = try kind.make(.withLongTimeouts("https://localhost:\(port)/graphql"))
            let error = await #expect(throws: TransportError.self) { _ = try await transport.send(request) }
            #expect(error?.kind == .unsent)
            await transport.shutdown()
        }
    }

    @Test func proxyPassesTheConnectionOn() async throws {
        let lines = Mutex<[String]>([])
        try await ScriptedServer.run { peer, _ in
            let connect = try await peer.request()
            lines.withLock { $0 += [connect.line, connect.headers["proxy-authorization"] ?? ""] }
            try await peer.write("HTTP/1.1 200 Connected\r\n\r\n")
            let request = try await peer.request()
            lines.withLock { $0.append(request.line) }
            try await peer.respond(200)
        } while: { [request] port in
            var configuration = HTTPSyncConfiguration.withLongTimeouts("http://service.invalid/graphql")
            configuration.proxy = HTTPSyncConfiguration.Proxy(
                host: "127.0.0.1", port: port, user: "user", password: "password")
            let transport = try HTTPSyncTransport(configuration)
            #expect(try await transport.send(request).status == 200)
            await transport.shutdown()
        }
        #expect(
            lines.withLock { $0 } == [
                "CONNECT service.invalid:80 HTTP/1.1", "Basic dXNlcjpwYXNzd29yZA==", "POST /graphql HTTP/1.1",
            ])
    }

    @Test(arguments: [407, 502])
    func proxyThatRefusesIsUnsent(_ status: Int) async throws {
        try await ScriptedServer.run { peer, _ in
            _ = try await peer.request()
            try await peer.respond(status)
        } while: { [request] port in
            var configuration = HTTPSyncConfiguration.withLongTimeouts("http://service.invalid/graphql")
            configuration.proxy = HTTPSyncConfiguration.Proxy(host: "127.0.0.1", port: port)
            let transport = try HTTPSyncTransport(configuration)
            let error = await #expect(throws: TransportError.self) { _ = try await transport.send(request) }
            #expect(error?.kind == .unsent)
            await transport.shutdown()
        }
    }

    // MARK: - HTTP/2

    /// What a transport makes of a service with HTTP/2 that follows a script.
    private func runHTTP2(
        requestTimeout: Duration, _ script: @escaping ScriptedServer.Script,
        while body: @Sendable (HTTPSyncTransport) async throws -> Void
    ) async throws {
        try await ScriptedServer.run(isSecure: true, protocols: ["h2"]) { peer, number in
            try await peer.acceptHTTP2()
            try await script(peer, number)
        } while: { port in
            var configuration = HTTPSyncConfiguration.withLongTimeouts("https://localhost:\(port)/graphql")
            configuration.trustRoots = .pem(Array(TestCertificate.pem.utf8))
            configuration.timeouts.request = requestTimeout
            let transport = try HTTPSyncTransport(configuration)
            try await body(transport)
            await transport.shutdown()
        }
    }

    /// As after a change of network: nothing says that the connection is dead.
    @Test func connectionThatAnswersNoMoreIsReplaced() async throws {
        let answered = Mutex<[Int]>([])
        try await runHTTP2(requestTimeout: .milliseconds(500)) { peer, number in
            let stream = try await peer.nextStream()
            try await peer.respond(on: stream.number)
            answered.withLock { $0.append(number) }
            try await peer.waitForEnd()
        } while: { [request] transport in
            for _ in 0..<10 where answered.load().count < 3 { _ = try? await transport.send(request) }
        }
        #expect(answered.load().count >= 3)
    }

    @Test func connectionThatIsReplacedServesItsRequestsToTheEnd() async throws {
        let answered = Mutex<[Int]>([])
        let (signals, signal) = AsyncStream.makeStream(of: Void.self)
        try await runHTTP2(requestTimeout: .seconds(10)) { peer, number in
            if number == 0 {
                // What goes wrong here is to be a failure, and not a test without an end.
                defer { signal.finish() }
                // The first request has no answer, the second one as soon as the first is given up.
                let first = try await peer.nextStream()
                signal.yield()
                let second = try await peer.nextStream()
                let reset = try await peer.nextStream()
                guard reset.isReset, reset.number == first.number else { return }
                answered.withLock { $0.append(number) }
                try await peer.respond(on: second.number)
                try? await peer.waitForEnd()
            } else {
                while true {
                    let stream = try await peer.nextStream()
                    answered.withLock { $0.append(number) }
                    try await peer.respond(on: stream.number)
                }
            }
        } while: { [request] transport in
            var arrivals = signals.makeAsyncIterator()
            let first = Task { try await transport.send(request) }
            _ = await arrivals.next()
            // So that the first is given up first, long before the second.
            try await Task.sleep(for: .seconds(5))
            let second = Task { try await transport.send(request) }
            let error = await #expect(throws: TransportError.self) { _ = try await first.value }
            #expect(error?.kind == .lost)
            #expect(try await second.value.status == 200)
            for _ in 0..<3 { #expect(try await transport.send(request).status == 200) }
            // The connection is closed after its last request.
            _ = await arrivals.next()
        }
        #expect(answered.load() == [0, 1, 1, 1])
    }

    // MARK: - Configuration

    @Test(arguments: [
        "", "example.com/graphql", "ftp://example.com/graphql", "https://", "https:///graphql",
        "https://user:s3cret@example.com/graphql", "https://example.com/graphql?key=s3cret", "https://example.com:0/",
        "https://example.com:99999/", "https://exa mple.com/", "https://[::zz]/graphql",
    ])
    func unusableAddressIsRefused(_ address: String) {
        for kind in TransportKind.allCases {
            let error = #expect(throws: HTTPSyncConfigurationError.self) {
                _ = try kind.make(HTTPSyncConfiguration(endpoint: address))
            }
            #expect(error?.description.contains("s3cret") == false)
        }
    }

    @Test func whatOnlyOneTransportHasIsRefusedByTheOther() throws {
        var proxied = HTTPSyncConfiguration(endpoint: "https://example.com/graphql")
        proxied.proxy = HTTPSyncConfiguration.Proxy(host: "proxy.test", port: 1, user: "u", password: "s3cret")
        var pinned = HTTPSyncConfiguration(endpoint: "https://example.com/graphql")
        pinned.trustRoots = .pem(Array(TestCertificate.pem.utf8))
        for configuration in [proxied, pinned] {
            let error = #expect(throws: HTTPSyncConfigurationError.self) {
                _ = try URLSessionSyncTransport(configuration)
            }
            #expect(error?.description.contains("s3cret") == false)
            #expect(try configuration.makeTransport() is HTTPSyncTransport)
        }
        let plain = try HTTPSyncConfiguration(endpoint: "http://example.com/graphql").makeTransport()
        #expect(plain is HTTPSyncTransport)
        let usual = try HTTPSyncConfiguration(endpoint: "https://example.com/graphql").makeTransport()
        #if canImport(Darwin)
        #expect(usual is URLSessionSyncTransport)
        #else
        #expect(usual is HTTPSyncTransport)
        #endif
    }

    @Test func redirectionsCarryNothingElsewhere() async throws {
        for kind in TransportKind.allCases {
            let elsewhere = Mutex(0)
            let response = try await ScriptedServer.run { peer, _ in
                _ = try await peer.request()
                elsewhere.withLock { $0 += 1 }
                try await peer.respond(200)
            } while: { other in
                try await self.outcome(kind) { peer, _ in
                    _ = try await peer.request()
                    try await peer.respond(307, headers: ["location: http://127.0.0.1:\(other)/"])
                }.get()
            }
            #expect(response.status == 307)
            #expect(elsewhere.withLock { $0 } == 0)
        }
    }

    #if !canImport(Darwin)
    @Test func theSystemMayHaveNoSockets() async throws {
        let transport = try transport(.urlSession, ScriptedServer.closedPort)
        let error = await #expect(throws: TransportError.self) {
            _ = try await transport.connect(RealtimeRequest(authorization: AuthHeaders()))
        }
        #expect(error?.kind == .unsent)
        await transport.shutdown()
    }
    #endif

    @Test func unreadableRootsAreRefused() {
        for roots in [HTTPSyncConfiguration.TrustRoots.pem(Array("no".utf8)), .file("/nonexistent.pem")] {
            var configuration = HTTPSyncConfiguration(endpoint: "https://example.com/graphql")
            configuration.trustRoots = roots
            #expect(throws: HTTPSyncConfigurationError.self) { _ = try HTTPSyncTransport(configuration) }
        }
    }
}
#endif
