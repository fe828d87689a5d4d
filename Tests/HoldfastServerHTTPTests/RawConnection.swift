#if Server
import NIOCore
import NIOPosix

/// A connection over which a test sends bytes as they are.
struct RawConnection {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var received = ""

    /// Connects with a server for the duration of a test, which may begin long after the opening text is sent.
    static func use(
        _ port: Int, sending opening: String = "", _ test: (inout RawConnection) async throws -> Void
    ) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // The system keeps little of what a test does not read.
            .channelOption(.socketOption(.so_rcvbuf), value: 65_536)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if !opening.isEmpty { try channel.pipeline.syncOperations.addHandler(OpeningHandler(opening)) }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            var connection = RawConnection(inbound: inbound.makeAsyncIterator(), outbound: outbound)
            try await test(&connection)
        }
    }

    private init(
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.inbound = inbound
        self.outbound = outbound
    }

    /// Sends a text.
    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    /// How many bytes of the server come next; `nil` when it has ended the connection.
    mutating func receive() async throws -> Int? { try await inbound.next(isolation: #isolation)?.readableBytes }

    /// Everything that the server has sent, at least up to a text; `nil` for all until it ends the connection.
    mutating func answer(until end: String?) async throws -> String {
        while end.map({ !received.contains($0) }) ?? true,
            let bytes = try await inbound.next(isolation: #isolation)
        {
            received += String(buffer: bytes)
        }
        return received
    }
}

/// Sends a text as soon as there is a connection, on its event loop.
private final class OpeningHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let text: String

    init(_ text: String) { self.text = text }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        context.fireChannelActive()
    }
}
#endif
