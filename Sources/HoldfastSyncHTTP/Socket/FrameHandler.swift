#if Sync
internal import HoldfastSync
internal import NIOCore
internal import NIOWebSocket

/// The last handler of a socket's pipeline: frames to the inbox, control frames answered, reading stopped when much
/// waits.
final class FrameHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let inbox: FrameInbox

    init(_ inbox: FrameInbox) { self.inbox = inbox }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        // They mean something only to extensions, and none was agreed on.
        guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
            return fail("the service sent a frame that cannot be read", context, code: .protocolError)
        }
        switch frame.opcode {
        case .text, .binary: inbox.add(Array(buffer: frame.unmaskedData))
        case .ping: reply(.pong, frame.unmaskedData, context)
        case .connectionClose:
            let isAnswer = inbox.outcome != nil
            inbox.end(.success(()))
            if !isAnswer {
                let code = frame.unmaskedData.getSlice(at: frame.unmaskedData.readerIndex, length: 2)
                reply(.connectionClose, code, context)
            }
            context.close(promise: nil)
        default: break
        }
    }

    func read(context: ChannelHandlerContext) {
        if inbox.readsOn() { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else { return context.fireUserInboundEventTriggered(event) }
        // If the reader is the slow one, the service's silence is our own.
        if !inbox.hasWaitingFrames { fail("the service was silent for too long", context, code: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength, NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge:
            fail(
                "a frame is longer than allowed; raise limits.frameBytes", context, code: .messageTooLarge,
                kind: .tooLong)
        case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error:
            fail("the service sent a frame that cannot be read", context, code: .protocolError)
        default: fail("the connection was lost", context, code: nil)
        }
    }

    private func reply(_ opcode: WebSocketOpcode, _ data: ByteBuffer?, _ context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data ?? ByteBuffer())
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    /// Ends the socket; a code informs the service of the reason.
    private func fail(
        _ reason: String, _ context: ChannelHandlerContext, code: WebSocketErrorCode?,
        kind: TransportError.Kind = .lost
    ) {
        inbox.end(.failure(TransportError(kind, reason)))
        if let code {
            var data = ByteBuffer()
            data.write(webSocketErrorCode: code)
            reply(.connectionClose, data, context)
        }
        context.close(promise: nil)
    }
}
#endif
