#if Server
import HTTPTypes
import HoldfastServer
import HoldfastStorage
import HoldfastTestSupport
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import HoldfastServerHTTP

/// Clients that read an answer slowly or not at all, without sockets and their time.
@Suite struct UnreadResponseTests {
    @Test func aClientIsCutOffOnlyIfItReadsNothing() throws {
        let channel = EmbeddedChannel(handler: UnreadResponseHandler(timeout: .seconds(20)))
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        func change(isWritable: Bool) {
            channel.isWritable = isWritable
            channel.pipeline.fireChannelWritabilityChanged()
        }
        for _ in 0..<5 {
            change(isWritable: false)
            channel.embeddedEventLoop.advanceTime(by: .seconds(19))
            #expect(channel.isActive)
            change(isWritable: true)
            channel.embeddedEventLoop.advanceTime(by: .seconds(60))
            #expect(channel.isActive)
        }
        change(isWritable: false)
        channel.embeddedEventLoop.advanceTime(by: .seconds(20))
        #expect(!channel.isActive)
    }

    /// As a whole it would wait for a client that reads slowly, however much of it the client has read.
    @Test func aLargeAnswerIsWrittenInParts() async throws {
        try await RunningServer.use { server in
            try await server.create(String(repeating: "x", count: 200_000))
            let responder = Responder(
                server: server.server, configuration: SyncHTTPServer.Configuration(port: 0), surroundings: .still(),
                metrics: Metrics(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, tracing: nil)
            // For its event loop.
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: server.port).get()
            defer { channel.close(promise: nil) }
            let source = ApplicationRequestContextSource(channel: channel, logger: responder.logger)
            let key = try #require(HTTPField.Name("x-api-key"))
            let head = HTTPRequest(
                method: .get, scheme: "http", authority: "x",
                path: "/graphql?query=query%20Q%7BlistPosts%7Bitems%7Btitle%7D%7D%7D", headerFields: [key: "key"])
            let response = try await responder.respond(
                to: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
                context: ConnectionContext(source: source))
            let sizes = EventLog<Int>()
            try await response.body.write(PartLog(sizes: sizes))
            let total = sizes.events.reduce(0, +)
            #expect(total == response.body.contentLength && total > 200_000)
            #expect(sizes.events.allSatisfy { $0 <= 65_536 })
        }
    }
}

/// Keeps how many bytes each part of a body has.
private struct PartLog: ResponseBodyWriter {
    let sizes: EventLog<Int>

    func write(_ buffer: ByteBuffer) { sizes.add(buffer.readableBytes) }

    func finish(_ trailingHeaders: HTTPFields?) {}
}
#endif
