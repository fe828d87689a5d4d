#if Server
import Foundation
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOWebSocket

/// Frames of a WebSocket, in both directions.
typealias SocketChannel = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

/// A connection that begins as HTTP and may become a WebSocket.
struct UpgradableChannel: HTTPChannelHandler {
    enum Outcome: Sendable {
        case socket(SocketChannel, HTTPRequestHead)
        case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
    }

    struct Value: ServerChildChannelValue {
        let outcome: EventLoopFuture<Outcome>
        let channel: any Channel
    }

    let responder: HTTPChannelHandler.Responder
    let isSecure: Bool
    let idleTimeout: Duration
    let requestTimeout: Duration
    /// The bytes of a frame after which the connection ends without a message.
    let maximumFrame: Int
    let sockets: SocketCount
    let onSocket: @Sendable (SocketChannel, HTTPRequestHead) async -> Void

    /// The protocol that clients speak over the socket.
    private static let protocolName = "graphql-ws"
    private static let maximumFragmentCount = 1024

    /// The bytes that the system keeps of what it has not sent yet.
    ///
    /// Otherwise it may keep many megabytes, and show only when a third of them was read that a client reads.
    private static let unsentByteCount = 131_072

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.syncOptions?.setOption(
                .tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT)), value: Self.unsentByteCount)
            var configuration = NIOUpgradableHTTPServerPipelineConfiguration(
                upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration(
                    upgraders: [upgrader],
                    notUpgradingCompletionHandler: { channel in
                        channel.eventLoop.makeCompletedFuture { try http(channel, logger) }
                    }))
            // Hummingbird reads one request after the other, and checks headers itself.
            configuration.enablePipelining = false
            configuration.enableErrorHandling = false
            configuration.enableResponseHeaderValidation = false
            let pipeline = channel.pipeline.syncOperations
            let outcome = try pipeline.configureUpgradableHTTPServerPipeline(configuration: configuration)
            let upgradeHandler = try pipeline.handler(type: NIOTypedHTTPServerUpgradeHandler<Outcome>.self)
            try pipeline.addHandler(
                FirstRequestHandler(idleTimeout: TimeAmount(idleTimeout), sockets: sockets),
                position: .before(upgradeHandler))
            return Value(outcome: outcome, channel: channel)
        }
    }

    private var upgrader: NIOTypedWebSocketServerUpgrader<Outcome> {
        NIOTypedWebSocketServerUpgrader(
            maxFrameSize: maximumFrame,
            shouldUpgrade: { channel, head in
                var headers = HTTPHeaders()
                let offered = head.headers[canonicalForm: "Sec-WebSocket-Protocol"]
                if offered.contains(where: { $0 == Self.protocolName }) {
                    headers.add(name: "Sec-WebSocket-Protocol", value: Self.protocolName)
                }
                return channel.eventLoop.makeSucceededFuture(headers)
            },
            upgradePipelineHandler: { [maximumFrame, sockets] channel, head in
                sockets.add(channel)
                return channel.eventLoop.makeCompletedFuture {
                    // Without it fragments of a message come one by one.
                    try channel.pipeline.syncOperations.addHandler(
                        NIOWebSocketFrameAggregator(
                            minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: Self.maximumFragmentCount,
                            maxAccumulatedFrameSize: maximumFrame))
                    return .socket(try SocketChannel(wrappingChannelSynchronously: channel), head)
                }
            })
    }

    private func http(_ channel: any Channel, _ logger: Logger) throws -> Outcome {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isSecure))
        try pipeline.addHandler(RequestDeadlineHandler(timeout: TimeAmount(requestTimeout)))
        try pipeline.addHandler(UnreadResponseHandler(timeout: TimeAmount(idleTimeout)))
        try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: idleTimeout, logger: logger))
        return .http(
            try NIOAsyncChannel(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true)))
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.outcome.get() {
            case .http(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
            case .socket(let channel, let head): await onSocket(channel, head)
            }
        } catch {
            logger.trace("A connection ended before its first request.", metadata: ["error": "\(error)"])
            value.channel.close(promise: nil)
        }
    }
}
#endif
