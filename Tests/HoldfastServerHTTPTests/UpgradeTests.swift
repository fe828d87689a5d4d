#if Server
import HoldfastServerHTTP
import NIOHTTP1
import Testing

/// Requests for another protocol that do not become WebSockets.
@Suite struct UpgradeTests {
    private static let version = "Upgrade: websocket\r\nSec-WebSocket-Version: 13"
    private static let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    private static let next = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test(arguments: [
        "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
        // Without a key, with two, and of another version.
        "\(version)\r\n\r\n", "\(version)\r\n\(key)\r\n\(key)\r\n\r\n",
        "Upgrade: websocket\r\nSec-WebSocket-Version: 12\r\n\(key)\r\n\r\n",
        // With a body.
        "\(version)\r\n\(key)\r\nContent-Length: 1\r\n\r\nA",
        "\(version)\r\n\(key)\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nA\r\n0\r\n\r\n",
    ]) func ignoresRequestsForOtherProtocols(_ rest: String) async throws {
        try await RunningServer.use { server in
            try await RawConnection.use(server.port) { connection in
                let path = "/graphql?query=query%20Q%7BlistPosts%7Bitems%7Btitle%7D%7D%7D"
                try await connection.send(
                    "GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nx-api-key: key\r\n\(rest)")
                let answer = try await connection.answer(until: "}}}")
                #expect(answer.hasPrefix("HTTP/1.1 200 "))
                #expect(answer.hasSuffix(#"{"data":{"listPosts":{"items":[]}}}"#))
                // Nothing more is read, which the client must know.
                #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
            }
        }
    }

    /// Bodies and requests that come with the request for a WebSocket have ended the process.
    @Test(arguments: [
        "GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\(key)\r\n"
            + "Sec-WebSocket-Version: 13\r\nContent-Length: 1\r\n\r\nA",
        "GET /graphql HTTP/1.1\r\nHost: x\r\n\(version)\r\n\(key)\r\n\r\n\(next)",
        "GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\t\r\n\(version)\r\n\(key)\r\n\r\n\(next)",
        "GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\t, x\r\n\(version)\r\n\(key)\r\n\r\n\(next)",
        "GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: x,\tUpgrade\r\n\(version)\r\n\(key)\r\n\r\n\(next)",
    ]) func outlivesWhatComesWithTheRequest(_ request: String) async throws {
        try await RunningServer.use { server in
            try await RawConnection.use(server.port) { connection in
                try await connection.send(request)
                let answer = try await connection.answer(until: "\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 "))
            }
            try await server.create("after")
        }
    }

    /// Sockets stay open, so that requests would wait for hours if sockets had all connections.
    @Test func socketsLeaveConnectionsForRequests() async throws {
        let configuration = SyncHTTPServer.Configuration(port: 0, connectionLimit: 10)
        try await RunningServer.use(configuration: configuration) { server in
            try await Self.withSockets(9, of: server) {
                for path in ["/graphql/realtime", "/graphql"] {
                    try await RawConnection.use(server.port) { connection in
                        try await connection.send(
                            "GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n\(Self.version)\r\n"
                                + "\(Self.key)\r\n\r\n")
                        #expect(try await connection.answer(until: "\r\n\r\n").hasPrefix("HTTP/1.1 503 "))
                    }
                }
                #expect(try await server.send(.GET, "/ready").status == .ok)
                try await server.create("meanwhile")
            }
            // The server may not have noticed yet that the sockets are closed.
            while true {
                do {
                    try await TestSocket.use(server.port) { socket in try await socket.initialize() }
                    break
                } catch is TestSocket.Refused {}
            }
        }
    }

    /// Runs a test while sockets are open.
    private static func withSockets(
        _ count: Int, of server: RunningServer, _ test: () async throws -> Void
    ) async throws {
        guard count > 0 else { return try await test() }
        try await TestSocket.use(server.port) { socket in
            try await socket.initialize()
            try await withSockets(count - 1, of: server, test)
        }
    }

    @Test func endsAConnectionOnAShutdownWhoseBodyHasNotCome() async throws {
        try await RunningServer.use { server in
            try await RawConnection.use(server.port) { connection in
                try await connection.send(
                    "GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n\(Self.version)\r\n\(Self.key)\r\n"
                        + "Content-Length: 1\r\n\r\n")
                #expect(try await connection.answer(until: "\r\n\r\n").hasPrefix("HTTP/1.1 401 "))
                await server.shutDown()
                _ = try await connection.answer(until: nil)
            }
        }
    }
}
#endif
