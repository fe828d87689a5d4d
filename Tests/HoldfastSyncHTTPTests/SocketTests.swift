#if Sync
import HoldfastHTTPTestSupport
import HoldfastSync
import HoldfastSyncHTTP
import HoldfastWire
import HoldfastStorage
import Testing

@Suite struct SocketTests {
    private static let authorization = AuthHeaders.apiKey("da2-s3cret", host: "api.host", date: "20240229T120000Z")

    private typealias Body<Outcome> = @Sendable (any RealtimeSocket) async throws -> Outcome

    /// What a script and a body on an open socket come to.
    private func withSocket<Outcome: Sendable>(
        _ change: @escaping @Sendable (inout HTTPSyncConfiguration) -> Void = { _ in },
        _ script: @escaping @Sendable (Peer) async throws -> Void, body: @escaping Body<Outcome>
    ) async throws -> Outcome {
        try await ScriptedServer.run { peer, _ in
            try await script(peer)
        } while: { port in
            var configuration = HTTPSyncConfiguration.withLongTimeouts("http://127.0.0.1:\(port)/graphql")
            change(&configuration)
            let transport = try HTTPSyncTransport(configuration)
            do {
                let outcome = try await body(
                    try await transport.connect(RealtimeRequest(authorization: Self.authorization)))
                await transport.shutdown()
                return outcome
            } catch {
                await transport.shutdown()
                throw error
            }
        }
    }

    /// The error with which a socket cannot be opened.
    private func refusal(
        _ change: @escaping @Sendable (inout HTTPSyncConfiguration) -> Void = { _ in },
        _ script: @escaping @Sendable (Peer) async throws -> Void
    ) async throws -> TransportError? {
        await #expect(throws: TransportError.self) { try await withSocket(change, script) { _ in } }
    }

    /// The frames of a socket until it is closed or fails.
    private static func frames(_ socket: any RealtimeSocket) async -> ([String], TransportError?) {
        var frames: [String] = []
        do throws(TransportError) {
            while let frame = try await socket.next() { frames.append(String(decoding: frame, as: UTF8.self)) }
            return (frames, nil)
        } catch {
            return (frames, error)
        }
    }

    // MARK: - Opening

    @Test(arguments: [
        HTTPSyncConfiguration.CredentialPlace.subprotocol, .headers, .query,
    ])
    func requestHasItsCredentials(_ place: HTTPSyncConfiguration.CredentialPlace) async throws {
        let received = Mutex<ReceivedRequest?>(nil)
        try await withSocket({ $0.credentialPlace = place }) { peer in
            let request = try await peer.acceptSocket()
            received.withLock { $0 = request }
            try await peer.waitForEnd()
        } body: { _ in
        }
        let request = try #require(received.withLock { $0 })
        let path = try #require(request.line.split(separator: " ").dropFirst().first)
        let protocols = try #require(request.headers["sec-websocket-protocol"])
        #expect(request.headers["host"]?.hasPrefix("127.0.0.1:") == true)
        switch place {
        case .subprotocol:
            #expect(path == "/graphql/realtime")
            let items = protocols.split(separator: ",").map { String($0.drop { $0 == " " }) }
            #expect(items.first == "graphql-ws")
            #expect(try AuthHeaders(subprotocol: try #require(items.last)) == Self.authorization)
        case .headers:
            #expect(path == "/graphql/realtime")
            #expect(protocols == "graphql-ws")
            #expect(request.headers["x-api-key"] == "da2-s3cret")
        case .query:
            let prefix = "/graphql/realtime?header="
            #expect(path.hasPrefix(prefix) && path.hasSuffix("&payload=e30%3D"))
            let value = path.dropFirst(prefix.count).prefix { $0 != "&" }.replacing("%3D", with: "=")
                .replacing("%2B", with: "+").replacing("%2F", with: "/")
            #expect(try AuthHeaders(queryParameter: String(value)) == Self.authorization)
            #expect(protocols == "graphql-ws")
        }
    }

    @Test func ownAddressOfSocketsIsUsed() async throws {
        let line = Mutex("")
        try await ScriptedServer.run { peer, _ in
            let request = try await peer.acceptSocket()
            line.withLock { $0 = request.line }
            try await peer.waitForEnd()
        } while: { port in
            var configuration = HTTPSyncConfiguration.withLongTimeouts("https://api.invalid/graphql")
            configuration.realtimeEndpoint = "ws://127.0.0.1:\(port)/events"
            let transport = try HTTPSyncTransport(configuration)
            let socket = try await transport.connect(RealtimeRequest(authorization: Self.authorization))
            await socket.close()
            await transport.shutdown()
        }
        #expect(line.withLock { $0 } == "GET /events HTTP/1.1")
    }

    @Test(arguments: [
        (401, [], TransportError.Kind.unauthorized), (403, [], .lost), (400, [], .lost),
        (400, ["x-amzn-ErrorType: UnauthorizedException"], .unauthorized), (200, [], .lost), (404, [], .lost),
        (403, ["x-amzn-ErrorType: UnrecognizedClientException"], .unauthorized),
        (403, ["x-amzn-ErrorType: WAFForbiddenException"], .lost),
        (429, [], .lost), (500, [], .lost),
    ])
    func theStatusOfARefusedSocketDecidesTheFailure(
        _ status: Int, _ headers: [String], _ kind: TransportError.Kind
    ) async throws {
        let error = try await refusal { peer in
            _ = try await peer.request()
            try await peer.respond(status, headers: headers)
            try await peer.waitForEnd()
        }
        #expect(error == TransportError(kind, "the service refuses the socket with status \(status)"))
    }

    @Test(arguments: [0, 20])
    func socketThatIsCutWhileItOpensIsLost(after count: Int) async throws {
        let error = try await refusal { peer in
            _ = try await peer.request()
            try await peer.write(String("HTTP/1.1 101 Switching Protocols\r\n".prefix(count)))
        }
        #expect(error?.kind == .lost)
    }

    @Test func socketThatIsNeverAcceptedIsLost() async throws {
        let error = try await refusal({ $0.timeouts.handshake = .milliseconds(100) }) { peer in
            try await peer.waitForEnd()
        }
        #expect(error?.kind == .lost)
    }

    @Test func acceptanceOfAnotherRequestIsUnsent() async throws {
        let error = try await refusal { peer in
            _ = try await peer.request()
            try await peer.write(
                "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
                    + "sec-websocket-accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n")
            try await peer.waitForEnd()
        }
        #expect(error?.kind == .unsent)
    }

    /// The connection is not left open: the service would wait for its first frame.
    @Test func socketOfAnotherProtocolIsUnsentAndClosed() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        try await ScriptedServer.run { peer, _ in
            try await peer.acceptSocket(subprotocol: "graphql-transport-ws")
            try await peer.waitForEnd()
            end.yield()
        } while: { port in
            let transport = try HTTPSyncTransport(.withLongTimeouts("http://127.0.0.1:\(port)/graphql"))
            let error = await #expect(throws: TransportError.self) {
                _ = try await transport.connect(RealtimeRequest(authorization: Self.authorization))
            }
            #expect(error == TransportError(.unsent, "the service chose a protocol that was not offered"))
            for await _ in ends { break }
            await transport.shutdown()
        }
    }

    @Test func socketWithoutAServerIsUnsent() async throws {
        let port = ScriptedServer.closedPort
        let transport = try HTTPSyncTransport(.withLongTimeouts("http://127.0.0.1:\(port)/graphql"))
        let error = await #expect(throws: TransportError.self) {
            _ = try await transport.connect(RealtimeRequest(authorization: Self.authorization))
        }
        #expect(error?.kind == .unsent)
        await transport.shutdown()
    }

    @Test(arguments: [true, false])
    func socketOverTLSNeedsATrustedCertificate(_ isTrusted: Bool) async throws {
        try await ScriptedServer.run(isSecure: true) { peer, _ in
            try await peer.acceptSocket()
            try await peer.send("hello")
            try await peer.waitForEnd()
        } while: { port in
            var configuration = HTTPSyncConfiguration.withLongTimeouts("https://localhost:\(port)/graphql")
            if isTrusted { configuration.trustRoots = .pem(Array(TestCertificate.pem.utf8)) }
            let transport = try HTTPSyncTransport(configuration)
            do throws(TransportError) {
                let socket = try await transport.connect(RealtimeRequest(authorization: Self.authorization))
                #expect(try await socket.next() == Array("hello".utf8))
                #expect(isTrusted)
            } catch {
                #expect(error.kind == .unsent)
                #expect(!isTrusted)
            }
            await transport.shutdown()
        }
    }

    @Test func socketGoesThroughAProxy() async throws {
        let lines = Mutex<[String]>([])
        try await ScriptedServer.run { peer, _ in
            let connect = try await peer.request()
            lines.withLock { $0 += [connect.line, connect.headers["proxy-authorization"] ?? ""] }
            try await peer.write("HTTP/1.1 200 Connected\r\n\r\n")
            try await peer.acceptSocket(extra: Peer.frame(1, Array("hello".utf8)))
            try await peer.waitForEnd()
        } while: { port in
            var configuration = HTTPSyncConfiguration.withLongTimeouts("http://service.invalid/graphql")
            configuration.proxy = HTTPSyncConfiguration.Proxy(
                host: "127.0.0.1", port: port, user: "user", password: "password")
            let transport = try HTTPSyncTransport(configuration)
            let socket = try await transport.connect(RealtimeRequest(authorization: Self.authorization))
            #expect(try await socket.next() == Array("hello".utf8))
            await transport.shutdown()
        }
        #expect(lines.withLock { $0 } == ["CONNECT service.invalid:80 HTTP/1.1", "Basic dXNlcjpwYXNzd29yZA=="])
    }

    @Test func proxyThatRefusesIsUnsent() async throws {
        try await ScriptedServer.run { peer, _ in
            _ = try await peer.request()
            try await peer.respond(407)
            try await peer.waitForEnd()
        } while: { port in
            var configuration = HTTPSyncConfiguration.withLongTimeouts("http://service.invalid/graphql")
            configuration.proxy = HTTPSyncConfiguration.Proxy(host: "127.0.0.1", port: port)
            let transport = try HTTPSyncTransport(configuration)
            await #expect(throws: TransportError(.unsent, "the proxy does not pass the connection on")) {
                _ = try await transport.connect(RealtimeRequest(authorization: Self.authorization))
            }
            await transport.shutdown()
        }
    }

    // MARK: - Frames

    @Test func framesGoBothWays() async throws {
        let (received, receive) = AsyncStream.makeStream(of: String.self)
        let (frames, error, sent) = try await withSocket { peer in
            defer { receive.finish() }
            // The first frame comes in one piece with the acceptance.
            try await peer.acceptSocket(extra: Peer.frame(1, Array("first".utf8)))
            for _ in 0..<2 {
                let frame = try await peer.frame()
                receive.yield("\(frame.opcode) \(String(decoding: frame.payload, as: UTF8.self))")
            }
            try await peer.send("second")
            try await peer.send(2, Array("binary".utf8))
            try await peer.send(8, [0x03, 0xE8])
            let answer = try await peer.frame()
            receive.yield("\(answer.opcode) \(answer.payload)")
        } body: { socket in
            try await socket.send(ClientFrame.connectionInit.bytes)
            try await socket.send([UInt8](repeating: UInt8(ascii: "x"), count: 70_000))
            let (frames, error) = await Self.frames(socket)
            // The peer may receive the last one after this side has sent it.
            return (frames, error, await received.reduce(into: [String]()) { $0.append($1) })
        }
        #expect(frames == ["first", "second", "binary"])
        #expect(error == nil)
        let expected = [
            #"1 {"type":"connection_init"}"#, "1 " + String(repeating: "x", count: 70_000), "8 [3, 232]",
        ]
        #expect(sent == expected)
    }

    @Test func fragmentsAreOneFrame() async throws {
        let (frames, error) = try await withSocket { peer in
            try await peer.acceptSocket()
            let text = Array(#"{"type":"ka"}"#.utf8)
            try await peer.send(1, [], isFinal: false)
            // Byte by byte in frames, and the frames byte by byte.
            for byte in text.dropLast() {
                for part in Peer.frame(0, [byte], isFinal: false) { try await peer.write([part]) }
                try await peer.send(9, [])
            }
            try await peer.send(0, [text[text.count - 1]])
            try await peer.send(8, [])
            try await peer.waitForEnd()
        } body: {
            await Self.frames($0)
        }
        #expect(frames == [#"{"type":"ka"}"#])
        #expect(error == nil)
    }

    @Test func pingIsAnswered() async throws {
        let pong = Mutex<(UInt8, [UInt8])?>(nil)
        let (frames, _) = try await withSocket { peer in
            try await peer.acceptSocket()
            try await peer.send(9, [1, 2, 3])
            let frame = try await peer.frame()
            pong.withLock { $0 = frame }
            try await peer.send(8, [])
            try await peer.waitForEnd()
        } body: {
            await Self.frames($0)
        }
        #expect(frames.isEmpty)
        #expect(pong.withLock { $0 }?.0 == 10)
        #expect(pong.withLock { $0 }?.1 == [1, 2, 3])
    }

    /// What a service sends that is not as the documents say arrives as it is; the codec reads it.
    @Test(arguments: [
        (
            #"{"type":"error","payload":{"errors":{"errorType":"LimitExceededError","message":"Rate limit exceeded"}}}"#,
            ServiceError.Kind.throttled
        ),
        (
            #"{"type":"connection_error","payload":{"errors":[{"errorType":"com.amazonaws#UnauthorizedException","message":"no","errorCode":400}]}}"#,
            .unauthorized
        ),
    ])
    func objectShapedErrorsArrive(_ text: String, _ kind: ServiceError.Kind) async throws {
        let (frames, _) = try await withSocket { peer in
            try await peer.acceptSocket()
            try await peer.send(text)
            try await peer.send(8, [])
            try await peer.waitForEnd()
        } body: {
            await Self.frames($0)
        }
        let frame = try ServerFrame(parsing: Array(try #require(frames.first).utf8))
        switch frame {
        case .error(nil, let errors), .connectionError(let errors): #expect(errors.first?.kind == kind)
        default: Issue.record("another frame: \(frame)")
        }
    }

    @Test func framesThatWaitDoNotStopTheOthers() async throws {
        // More than fits into the buffers of a connection, so that the server must wait for the reader.
        let (size, count) = (256 << 10, 128)
        let total = try await withSocket({ $0.limits.waitingBytes = 1 }) { peer in
            try await peer.acceptSocket()
            for number in 0..<count { try await peer.send(2, [UInt8](repeating: UInt8(number), count: size)) }
            try await peer.send(8, [])
            try await peer.waitForEnd()
        } body: { socket in
            var numbers: [UInt8] = []
            while let frame = try await socket.next() {
                #expect(frame.count == size)
                numbers.append(frame[0])
            }
            return numbers
        }
        #expect(total == (0..<count).map { UInt8($0) })
    }

    // MARK: - Ends

    @Test func connectionThatEndsIsLost() async throws {
        let (frames, error) = try await withSocket { peer in
            try await peer.acceptSocket()
            _ = try await peer.frame()
            try await peer.send("last")
        } body: { socket in
            try await socket.send([])
            return await Self.frames(socket)
        }
        #expect(frames == ["last"])
        #expect(error == TransportError(.lost, "the connection ended without a close frame"))
    }

    /// Also what a service comes to that sends no keep-alives.
    @Test func halfOpenSocketIsLost() async throws {
        let (frames, error) = try await withSocket({ $0.timeouts.silence = .milliseconds(100) }) { peer in
            // In one write, as the silence begins with the acceptance.
            try await peer.acceptSocket(extra: Peer.frame(1, Array("last".utf8)))
            try await peer.waitForEnd()
        } body: {
            await Self.frames($0)
        }
        #expect(frames == ["last"])
        #expect(error == TransportError(.lost, "the service was silent for too long"))
    }

    private static let tooLong = TransportError(.tooLong, "a frame is longer than allowed; raise limits.frameBytes")

    @Test(arguments: [true, false])
    func frameThatIsTooLongIsLost(inFragments: Bool) async throws {
        let (frames, error) = try await withSocket({ $0.limits.frameBytes = 1_000 }) { peer in
            try await peer.acceptSocket()
            try await peer.send(1, [UInt8](repeating: 0x78, count: 1_000))
            let half = [UInt8](repeating: 0x78, count: 600)
            if inFragments {
                try await peer.send(1, half, isFinal: false)
                try await peer.send(0, half)
            } else {
                try await peer.send(1, half + half)
            }
            try await peer.waitForEnd()
        } body: {
            await Self.frames($0)
        }
        #expect(frames.count == 1)
        #expect(error == Self.tooLong)
    }

    @Test(arguments: [
        // Reserved bits, a continuation of nothing, and a control frame in fragments.
        [0xF1, 0x01, 0x78], [0x80, 0x01, 0x78], [0x09, 0x00],
    ])
    func bytesThatAreNotFramesAreLost(_ bytes: [UInt8]) async throws {
        let (frames, error) = try await withSocket { peer in
            try await peer.acceptSocket()
            try await peer.write(bytes)
            try await peer.waitForEnd()
        } body: {
            await Self.frames($0)
        }
        #expect(frames.isEmpty)
        #expect(error?.kind == .lost)
    }

    @Test func closeEndsAWaitingRead() async throws {
        let seen = Mutex<(UInt8, [UInt8])?>(nil)
        // This script answers, so the socket can wait for it on any machine.
        let read = try await withSocket({ $0.timeouts.close = .seconds(600) }) { peer in
            try await peer.acceptSocket()
            try await peer.send("first")
            let frame = try await peer.frame()
            seen.withLock { $0 = frame }
            // Frames that come late no longer mean anything.
            try await peer.send("late")
            try await peer.send(8, frame.payload)
            try await peer.waitForEnd()
        } body: { socket in
            let first = try await socket.next()
            async let second = socket.next()
            await socket.close()
            // A second time does nothing.
            await socket.close()
            return [first, try await second, try await socket.next()]
        }
        #expect(read == [Array("first".utf8), nil, nil])
        #expect(seen.withLock { $0 }?.0 == 8)
        #expect(seen.withLock { $0 }?.1 == [0x03, 0xE8])
    }

    @Test func closeDoesNotWaitForever() async throws {
        try await withSocket { peer in
            try await peer.acceptSocket()
            try await peer.waitForEnd()
        } body: { socket in
            await socket.close()
            await #expect(throws: TransportError(.lost, "the socket is closed")) { try await socket.send([]) }
        }
    }

    @Test func shutdownClosesSockets() async throws {
        try await ScriptedServer.run { peer, _ in
            try await peer.acceptSocket()
            let frame = try await peer.frame()
            try await peer.send(8, frame.payload)
            try await peer.waitForEnd()
        } while: { port in
            var configuration = HTTPSyncConfiguration.withLongTimeouts("http://127.0.0.1:\(port)/graphql")
            configuration.timeouts.close = .seconds(600)
            let transport = try HTTPSyncTransport(configuration)
            let socket = try await transport.connect(RealtimeRequest(authorization: Self.authorization))
            async let next = socket.next()
            await transport.shutdown()
            #expect(try await next == nil)
        }
    }

    @Test func socketThatFailedCannotSend() async throws {
        let error = await #expect(throws: TransportError.self) {
            try await withSocket { peer in
                try await peer.acceptSocket()
            } body: { socket in
                _ = await Self.frames(socket)
                try await socket.send([])
            }
        }
        #expect(error?.kind == .lost)
    }
}
#endif
