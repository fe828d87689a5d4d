#if Server
import NIOCore
import NIOHTTPTypes

/// Closes a connection whose client reads nothing of the response that waits for it.
///
/// A response is written in parts, each when little of the one before waits. So the channel can be written to again
/// whenever the client has read some, however slowly.
final class UnreadResponseHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let timeout: TimeAmount
    private var timer: Scheduled<Void>?

    init(timeout: TimeAmount) { self.timeout = timeout }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        timer?.cancel()
        let channel = context.channel
        if !channel.isWritable { timer = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) } }
        context.fireChannelWritabilityChanged()
    }
}
#endif
