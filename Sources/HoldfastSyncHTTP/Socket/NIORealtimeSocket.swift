#if Sync
internal import HoldfastSync
internal import NIOCore
internal import NIOWebSocket

/// A WebSocket on a channel of NIO.
final class NIORealtimeSocket: RealtimeSocket {
    private let channel: any Channel
    private let inbox: FrameInbox
    private let closeTimeout: TimeAmount

    init(_ channel: any Channel, _ inbox: FrameInbox, closeTimeout: Duration) {
        self.channel = channel
        self.inbox = inbox
        self.closeTimeout = TimeAmount(closeTimeout)
    }

    func send(_ text: [UInt8]) async throws(TransportError) {
        if let outcome = inbox.outcome {
            try outcome.get()
            throw TransportError(.lost, "the socket is closed")
        }
        let frame = WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(bytes: text))
        do {
            // Succeeds when the frame was written, so that senders are not faster than the network.
            try await channel.writeAndFlush(frame)
        } catch {
            throw TransportError(.lost, "the connection was lost")
        }
    }

    func next() async throws(TransportError) -> [UInt8]? {
        try await inbox.next(readOn: { channel.read() }).get()
    }

    /// Closes the socket: notifies the service, and waits for its answer as long as the configuration says.
    func close() async {
        if inbox.outcome == nil {
            inbox.close()
            var code = ByteBuffer()
            code.write(webSocketErrorCode: .normalClosure)
            let frame = WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: code)
            channel.writeAndFlush(frame, promise: nil)
            // Reading may have stopped, and the answer must be read.
            channel.read()
            channel.eventLoop.scheduleTask(in: closeTimeout) { [channel] in channel.close(promise: nil) }
        }
        inbox.close()
        try? await channel.closeFuture.get()
    }

    /// Calls a closure once the connection has ended.
    func whenClosed(_ body: @escaping @Sendable () -> Void) {
        channel.closeFuture.whenComplete { _ in body() }
    }
}
#endif
