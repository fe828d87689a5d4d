#if Server
import NIOCore
import NIOHTTP1

/// Looks after a connection until its first request.
///
/// - Closes a connection that sends none, and on a shutdown; otherwise nothing would.
/// - Lets only requests that open a WebSocket ask for one. NIO ends a connection whose upgrade fails without an answer,
///   and the process if a body or another request comes with one that succeeds.
/// - Has a request for a WebSocket refused when there are too many.
final class FirstRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// The header of a request that is to be refused, since it asks for one WebSocket too many.
    static let refusal = "holdfast-socket-refused"

    private let idleTimeout: TimeAmount
    private let sockets: SocketCount
    private var timer: Scheduled<Void>?
    /// Whether the request has ended that opens a WebSocket.
    private var hasEnded = false

    init(idleTimeout: TimeAmount, sockets: SocketCount) {
        self.idleTimeout = idleTimeout
        self.sockets = sockets
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: idleTimeout) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What the decoder has taken for another request.
        if hasEnded { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            let asksForSocket = Self.opensSocket(head)
            let opensSocket = asksForSocket && !sockets.isFull
            if !opensSocket { head.headers.remove(name: "upgrade") }
            if asksForSocket, !opensSocket { head.headers.add(name: Self.refusal, value: "full") }
            context.fireChannelRead(wrapInboundOut(.head(head)))
            if !opensSocket { remove(context) }
        case .body: context.fireChannelRead(data)
        case .end:
            hasEnded = true
            // Before the decoder goes, which then passes on bytes, but not before it has read what has come.
            context.eventLoop.assumeIsolated().execute { self.remove(context) }
            context.fireChannelRead(data)
        }
    }

    private func remove(_ context: ChannelHandlerContext) {
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    /// Whether a request becomes a WebSocket; any other is answered as if it had not asked for another protocol.
    private static func opensSocket(_ head: HTTPRequestHead) -> Bool {
        let route = Route(path: head.path)
        guard head.method == .GET, route == .graphQL || route == .realtime else { return false }
        let headers = head.headers
        return headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
            && headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" }
            && headers[canonicalForm: "sec-websocket-version"] == ["13"]
            && headers[canonicalForm: "sec-websocket-key"].count == 1
            && !headers.contains(name: "transfer-encoding") && headers["content-length"].allSatisfy { $0 == "0" }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}
#endif
