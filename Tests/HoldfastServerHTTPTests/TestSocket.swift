#if Server
import HoldfastWire
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Testing

/// A WebSocket to a server of a test.
struct TestSocket {
    /// The server did not accept the socket.
    struct Refused: Error {}

    private typealias Channel = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>
    private var inbound: NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    /// The protocol that the server has chosen.
    let chosenProtocol: String?

    /// Opens a socket for the duration of a test.
    static func use(
        _ port: Int, path: String = "/graphql/realtime",
        headers: [(String, String)] = [("Sec-WebSocket-Protocol", "graphql-ws"), ("x-api-key", "key")],
        _ test: (inout TestSocket) async throws -> Void
    ) async throws {
        let opened: EventLoopFuture<(Channel, String?)?> =
            try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture { try upgrade(channel, path, headers, port) }
            }
        guard let (channel, chosenProtocol) = try await opened.get() else { throw Refused() }
        try await channel.executeThenClose { inbound, outbound in
            var socket = TestSocket(
                inbound: inbound.makeAsyncIterator(), outbound: outbound, chosenProtocol: chosenProtocol)
            try await test(&socket)
        }
    }

    private static func upgrade(
        _ channel: any NIOCore.Channel, _ path: String, _ headers: [(String, String)], _ port: Int
    ) throws -> EventLoopFuture<(Channel, String?)?> {
        let upgrader = NIOTypedWebSocketClientUpgrader<(Channel, String?)?>(maxFrameSize: 64 << 20) { channel, head in
            channel.eventLoop.makeCompletedFuture {
                (try Channel(wrappingChannelSynchronously: channel), head.headers.first(name: "Sec-WebSocket-Protocol"))
            }
        }
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: path,
            headers: HTTPHeaders([("Host", "127.0.0.1:\(port)"), ("Content-Length", "0")] + headers))
        var configuration = NIOUpgradableHTTPClientPipelineConfiguration(
            upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
                upgradeRequestHead: head, upgraders: [upgrader],
                notUpgradingCompletionHandler: { $0.eventLoop.makeSucceededFuture(nil) }))
        // A server may send frames together with the answer to the upgrade.
        configuration.leftOverBytesStrategy = .forwardBytes
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: configuration)
    }

    // MARK: - Frames

    /// Sends a frame of WebSockets.
    func write(_ opcode: WebSocketOpcode, _ bytes: [UInt8], isFinal: Bool = true) async throws {
        try await outbound.write(
            WebSocketFrame(fin: isFinal, opcode: opcode, maskKey: .random(), data: ByteBuffer(bytes: bytes)))
    }

    /// Sends a message.
    func send(_ message: WireValue) async throws { try await write(.text, message.bytes) }

    /// The next frame; `nil` when the server has closed the socket.
    mutating func frame() async throws -> WebSocketFrame? { try await inbound.next(isolation: #isolation) }

    /// The next message.
    mutating func next(at location: SourceLocation = #_sourceLocation) async throws -> WireValue {
        let frame = try #require(try await frame(), "the socket is closed", sourceLocation: location)
        try #require(frame.opcode == .text, sourceLocation: location)
        return try WireValue(parsing: Array(frame.data.readableBytesView))
    }

    /// The code with which the server closes the socket.
    mutating func closeCode() async throws -> WebSocketErrorCode? {
        while let frame = try await frame() {
            guard frame.opcode == .connectionClose else { continue }
            var data = frame.data
            return data.readWebSocketErrorCode()
        }
        return nil
    }

    /// Begins the conversation.
    mutating func initialize() async throws {
        try await send(["type": "connection_init"])
        #expect(try await next()["type"] == "connection_ack")
        #expect(try await next()["type"] == "ka")
    }

    /// Starts a subscription and waits until it is accepted.
    mutating func start(
        _ id: String, _ query: String = "subscription S { onCreatePost { id title } }",
        authorization: WireValue = ["x-api-key": "key"]
    ) async throws {
        try await send(Self.startMessage(id, query, authorization))
        #expect(try await next() == ["type": "start_ack", "id": .string(id)])
    }

    static func startMessage(
        _ id: String, _ query: String = "subscription S { onCreatePost { id title } }",
        _ authorization: WireValue = ["x-api-key": "key"]
    ) -> WireValue {
        [
            "id": .string(id), "type": "start",
            "payload": [
                "data": .string((["query": .string(query)] as WireValue).text),
                "extensions": ["authorization": authorization],
            ],
        ]
    }
}
#endif
