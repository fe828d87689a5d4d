#if Server
import HoldfastServer
import HoldfastStorage
import NIOCore
import NIOWebSocket
import ServiceLifecycle

/// Moves frames between a WebSocket and a connection of the server.
///
/// If a client does not read, the server ends its connection, and this its socket.
final class SocketSession: Sendable {
    private enum End { case client, overdue, other }
    private typealias Inbound = NIOAsyncChannelInboundStream<WebSocketFrame>
    private typealias Outbound = NIOAsyncChannelOutboundWriter<WebSocketFrame>

    private let channel: SocketChannel
    private let connection: ServerConnection
    private let configuration: SyncHTTPServer.Configuration
    private let surroundings: Surroundings
    private let hasReceived = Mutex(false)
    private let writer: FrameWriter
    private let isOverdue = Mutex(false)

    init(
        channel: SocketChannel, connection: ServerConnection, configuration: SyncHTTPServer.Configuration,
        surroundings: Surroundings
    ) {
        self.channel = channel
        self.connection = connection
        writer = FrameWriter(channel.channel, connection)
        self.configuration = configuration
        self.surroundings = surroundings
    }

    /// Whether the client did not read its last frames in time.
    var isCutOff: Bool { isOverdue.load() }

    /// Returns when the socket is closed.
    func run() async {
        try? await channel.executeThenClose { inbound, outbound in
            await withGracefulShutdownHandler {
                await exchange(inbound, outbound)
            } onGracefulShutdown: { [connection] in
                Task { await connection.close() }
            }
        }
        await connection.close()
    }

    private func exchange(_ inbound: Inbound, _ outbound: Outbound) async {
        writer.start()
        await withTaskGroup(of: End.self) { group in
            group.addTask {
                await self.read(inbound, outbound)
                return .client
            }
            group.addTask {
                await self.connection.waitUntilClosed()
                // Cancelled if the client ends the socket itself.
                let pause: ()? = try? await self.surroundings.sleep(self.configuration.closeTimeout)
                return pause == nil ? .other : .overdue
            }
            group.addTask {
                try? await self.surroundings.sleep(self.configuration.idleTimeout)
                if !self.hasReceived.load() { await self.connection.close() }
                return .other
            }
            for await end in group where end != .other {
                isOverdue.store(end == .overdue)
                break
            }
            await connection.close()
            group.cancelAll()
        }
    }

    private func read(_ inbound: Inbound, _ outbound: Outbound) async {
        do {
            for try await frame in inbound {
                switch frame.opcode {
                case .text:
                    hasReceived.store(true)
                    await connection.receive(Array(frame.unmaskedData.readableBytesView))
                case .ping:
                    try await outbound.write(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData))
                case .pong, .continuation: break
                case .connectionClose: return writer.close(.normalClosure)
                default: return writer.close(.unacceptableData)
                }
            }
        } catch {
            // The client is gone, or what it sent is not a frame.
        }
    }
}
#endif
