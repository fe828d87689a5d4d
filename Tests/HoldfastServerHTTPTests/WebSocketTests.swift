#if Server
import HoldfastServer
import HoldfastServerHTTP
import HoldfastStorage
import HoldfastWire
import NIOHTTP1
import NIOCore
import NIOPosix
import NIOWebSocket
import Testing

@Suite struct WebSocketTests {
    /// `{"x-api-key":"key","host":"localhost"}` in base64.
    private static let header = "eyJ4LWFwaS1rZXkiOiJrZXkiLCJob3N0IjoibG9jYWxob3N0In0"

    @Test(arguments: [
        ("/graphql/realtime", [("Sec-WebSocket-Protocol", "graphql-ws"), ("x-api-key", "key")]),
        ("/graphql", [("Sec-WebSocket-Protocol", "graphql-ws"), ("x-api-key", "key")]),
        ("/graphql/realtime?header=\(header)%3D&payload=e30=", [("Sec-WebSocket-Protocol", "graphql-ws")]),
        ("/graphql?header=\(header)=&payload=e30=", [("Sec-WebSocket-Protocol", "graphql-ws")]),
        ("/graphql/realtime", [("Sec-WebSocket-Protocol", "graphql-ws, header-\(header)")]),
    ]) func deliversEventsWhereverCredentialsAre(path: String, headers: [(String, String)]) async throws {
        try await RunningServer.use { server in
            try await TestSocket.use(server.port, path: path, headers: headers) { socket in
                #expect(socket.chosenProtocol == "graphql-ws")
                try await socket.initialize()
                try await socket.start("1", authorization: [:])
                try await server.create("first")
                let event = try await socket.next()
                #expect(event["type"] == "data")
                #expect(event["id"] == "1")
                #expect(event["payload"]?["data"]?["onCreatePost"]?["title"] == "first")
                try await socket.send(["type": "stop", "id": "1"])
                #expect(try await socket.next() == ["type": "complete", "id": "1"])
                try await socket.write(.connectionClose, [0x03, 0xE8])
                #expect(try await socket.closeCode() == .normalClosure)
                #expect(try await socket.frame() == nil)
            }
        }
    }

    @Test func choosesNoProtocolThatIsNotOffered() async throws {
        try await RunningServer.use { server in
            try await TestSocket.use(server.port, headers: [("x-api-key", "key")]) { socket in
                #expect(socket.chosenProtocol == nil)
                try await socket.initialize()
            }
        }
    }

    @Test func refusesAWrongKey() async throws {
        try await RunningServer.use { server in
            try await TestSocket.use(server.port, headers: [("x-api-key", "other")]) { socket in
                let frame = try await socket.next()
                #expect(frame["type"] == "connection_error")
                // It stays open until the client has sent its first frame, so that this cannot fail.
                try await socket.write(.ping, [1])
                #expect(try await socket.frame()?.opcode == .pong)
                try await socket.send(["type": "connection_init"])
                #expect(try await socket.closeCode() == .goingAway)
            }
        }
    }

    @Test func joinsFragmentsAndAnswersPings() async throws {
        try await RunningServer.use { server in
            try await TestSocket.use(server.port) { socket in
                try await socket.initialize()
                let bytes = TestSocket.startMessage("1").bytes
                try await socket.write(.text, Array(bytes[..<10]), isFinal: false)
                try await socket.write(.ping, [1, 2, 3])
                try await socket.write(.continuation, Array(bytes[10...]))
                let pong = try #require(try await socket.frame())
                #expect(pong.opcode == .pong)
                #expect(Array(pong.data.readableBytesView) == [1, 2, 3])
                #expect(try await socket.next() == ["type": "start_ack", "id": "1"])
            }
        }
    }

    @Test func refusesBinaryFrames() async throws {
        try await RunningServer.use { server in
            try await TestSocket.use(server.port) { socket in
                try await socket.write(.binary, [1])
                #expect(try await socket.closeCode() == .unacceptableData)
            }
        }
    }

    @Test func refusesLargeFrames() async throws {
        var options = ServerOptions(apiKeys: ["key"])
        options.limits.frameByteCount = 1_000
        try await RunningServer.use(options: options) { server in
            try await TestSocket.use(server.port) { socket in
                try await socket.initialize()
                try await socket.write(.text, [UInt8](repeating: 0x20, count: 1_001))
                #expect(try await socket.next()["payload"]?["errors"]?["errorType"] == "LimitExceededError")
                #expect(try await socket.closeCode() == .goingAway)
            }
            try await TestSocket.use(server.port) { socket in
                try await socket.initialize()
                try await socket.write(.text, [UInt8](repeating: 0x20, count: 100_000))
                #expect(try await socket.closeCode() == .messageTooLarge)
            }
        }
    }

    @Test(arguments: ["key", "other"]) func endsASilentSocket(key: String) async throws {
        let surroundings = Surroundings.still(passing: [.seconds(17)])
        let configuration = SyncHTTPServer.Configuration(port: 0, idleTimeout: .seconds(17))
        try await RunningServer.use(configuration: configuration, surroundings: surroundings) { server in
            try await TestSocket.use(server.port, headers: [("x-api-key", key)]) { socket in
                if key == "other" { #expect(try await socket.next()["type"] == "connection_error") }
                let code = try await socket.closeCode()
                #expect(code == .goingAway)
            }
        }
    }

    @Test func cutsOffAClientThatDoesNotRead() async throws {
        var options = ServerOptions(apiKeys: ["key"])
        options.limits.unsentByteCount = 1_000_000
        let surroundings = Surroundings.still(passing: [.seconds(5)])
        try await RunningServer.use(options: options, surroundings: surroundings) { server in
            try await TestSocket.use(server.port) { socket in
                try await socket.initialize()
                try await socket.start("1")
                let title = String(repeating: "x", count: 200_000)
                // More than the system keeps for a socket.
                let count = 200
                for _ in 0..<count { try await server.create(title) }
                var received = 0
                while let frame = try? await socket.frame() { received += frame.opcode == .text ? 1 : 0 }
                #expect(received < count)
            }
            // The client may see the end before the server counts it.
            while try await !server.send(.GET, "/metrics").text.contains("holdfast_sockets_cut_off_total 1\n") {}
        }
    }

    @Test func waitsForAClientThatReadsLate() async throws {
        var options = ServerOptions(apiKeys: ["key"])
        options.limits.unsentByteCount = 100_000_000
        try await RunningServer.use(options: options) { server in
            try await TestSocket.use(server.port) { socket in
                try await socket.initialize()
                try await socket.start("1")
                // More than the system keeps for a socket.
                let titles = (0..<100).map { String(repeating: "\($0) ", count: 60_000) }
                for title in titles { try await server.create(title) }
                for title in titles {
                    let event = try await socket.next()
                    try #require(event["payload"]?["data"]?["onCreatePost"]?["title"] == .string(title))
                }
            }
        }
    }

    @Test func endsOpenConnectionsOnAShutdown() async throws {
        try await RunningServer.use { server in
            // A connection that never sends a request, and one that is kept after a request.
            let silent = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: server.port).get()
            try await server.create("first")
            try await TestSocket.use(server.port) { socket in
                try await socket.initialize()
                try await socket.start("1")
                await server.shutDown()
                #expect(try await socket.closeCode() == .goingAway)
                try await socket.write(.connectionClose, [0x03, 0xE9])
                #expect(try await socket.frame() == nil)
            }
            try await silent.closeFuture.get()
        }
    }
}
#endif
