#if Server
import HoldfastServer
import HoldfastStorage
import NIOCore
import NIOWebSocket

/// Writes the frames of a connection to its socket, on the event loop of the socket.
///
/// A client that does not read is waited for, so that little is kept for it here.
final class FrameWriter: ChannelInboundHandler, Sendable {
    typealias InboundIn = Never
    typealias OutboundOut = ByteBuffer

    private let channel: any Channel
    private let connection: ServerConnection
    private let context: NIOLoopBoundBox<ChannelHandlerContext?>
    private let isScheduled = Mutex(false)
    private let hasSentClose = Mutex(false)

    init(_ channel: any Channel, _ connection: ServerConnection) {
        self.channel = channel
        self.connection = connection
        context = NIOLoopBoundBox.makeEmptyBox(eventLoop: channel.eventLoop)
    }

    /// Writes all frames, and says that no more follow when the connection has ended; returns at once.
    func start() {
        channel.eventLoop.execute { [self] in
            let pipeline = channel.pipeline.syncOperations
            // After the handler that encodes frames, since many sockets get the same frames, and each handler costs.
            guard let encoder = try? pipeline.handler(type: WebSocketFrameEncoder.self),
                (try? pipeline.addHandler(self, position: .before(encoder))) != nil
            else { return }
            connection.whenFramesWait { [self] in
                // The first of many makes the loop take all.
                if isScheduled.exchange(true) { return }
                channel.eventLoop.execute { [self] in
                    isScheduled.store(false)
                    write()
                }
            }
        }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context.value = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context.value = nil }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        write()
        context.fireChannelWritabilityChanged()
    }

    private func write() {
        guard let context = context.value else { return }
        while channel.isWritable {
            switch connection.takeFrame() {
            case .element(let frame): context.write(wrapOutboundOut(encoded(frame)), promise: nil)
            case .nothing: return context.flush()
            case .end:
                context.flush()
                return close(.goingAway)
            }
        }
        context.flush()
    }

    /// A text frame of a server, which has no mask.
    private func encoded(_ text: [UInt8]) -> ByteBuffer {
        var buffer = channel.allocator.buffer(capacity: text.count + 10)
        buffer.writeInteger(UInt8(0x81))
        switch text.count {
        case ..<126: buffer.writeInteger(UInt8(text.count))
        case ...0xFFFF: buffer.writeMultipleIntegers(UInt8(126), UInt16(text.count))
        default: buffer.writeMultipleIntegers(UInt8(127), UInt64(text.count))
        }
        buffer.writeBytes(text)
        return buffer
    }

    /// Says that no more frames follow; only once.
    func close(_ code: WebSocketErrorCode) {
        if hasSentClose.exchange(true) { return }
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .connectionClose, data: data), promise: nil)
    }
}
#endif
