#if Server
import NIOCore

/// Closes a connection whose client reads nothing of a response.
///
/// The handler for idle connections does not look at one while a response is written.
final class UnreadResponseHandler: ChannelInboundHandler {
    typealias InboundIn = Never

    private let timeout: TimeAmount
    private var timer: Scheduled<Void>?

    init(timeout: TimeAmount) { self.timeout = timeout }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        timer?.cancel()
        if !context.channel.isWritable { watch(context, from: unreadByteCount(context)) }
        context.fireChannelWritabilityChanged()
    }

    /// Looks after a while whether the client has read some of the bytes.
    private func watch(_ context: ChannelHandlerContext, from count: Int) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
            let rest = self.unreadByteCount(context)
            if rest < count { self.watch(context, from: rest) } else { context.close(promise: nil) }
        }
    }

    private func unreadByteCount(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }
}
#endif
