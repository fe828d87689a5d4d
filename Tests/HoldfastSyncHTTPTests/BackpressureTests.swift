#if Sync
import NIOCore
import NIOEmbedded
import NIOWebSocket
import HoldfastStorage
import Testing

@testable import HoldfastSyncHTTP

@Suite struct BackpressureTests {
    /// Counts how often the socket is read.
    private final class ReadCounter: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = WebSocketFrame
        let count = Mutex(0)

        func read(context: ChannelHandlerContext) {
            count.withLock { $0 += 1 }
            context.read()
        }
    }

    private let inbox = FrameInbox(waitingBytes: 100)
    private let counter = ReadCounter()

    private func makeChannel() async throws -> NIOAsyncTestingChannel {
        let channel = NIOAsyncTestingChannel()
        try await channel.testingEventLoop.executeInContext { [inbox, counter] in
            try channel.pipeline.syncOperations.addHandlers([counter, FrameHandler(inbox)])
        }
        return channel
    }

    /// How often the socket was read after the pipeline was asked once more.
    private func readsAfterOneMore(_ channel: NIOAsyncTestingChannel) async -> Int {
        channel.read()
        await channel.testingEventLoop.run()
        return counter.count.withLock { $0 }
    }

    private func receive(_ count: Int, on channel: NIOAsyncTestingChannel) async throws {
        let data = ByteBuffer(bytes: [UInt8](repeating: 1, count: count))
        try await channel.writeInbound(WebSocketFrame(fin: true, opcode: .text, data: data))
    }

    @Test func readingStopsWhileFramesWait() async throws {
        let channel = try await makeChannel()
        #expect(await readsAfterOneMore(channel) == 1)
        try await receive(99, on: channel)
        #expect(await readsAfterOneMore(channel) == 2)
        try await receive(1, on: channel)
        #expect(await readsAfterOneMore(channel) == 2)
        #expect(await readsAfterOneMore(channel) == 2)

        var isAskedToReadOn = 0
        _ = await inbox.next { isAskedToReadOn += 1 }
        #expect(isAskedToReadOn == 1)
        #expect(await readsAfterOneMore(channel) == 3)
        _ = await inbox.next { isAskedToReadOn += 1 }
        #expect(isAskedToReadOn == 1)
        _ = try? await channel.finish()
    }

    @Test func silenceWhileFramesWaitIsNotTheServices() async throws {
        let channel = try await makeChannel()
        try await receive(1, on: channel)
        try await fireIdle(channel)
        #expect(inbox.outcome == nil)
        _ = await inbox.next {}
        try await fireIdle(channel)
        #expect(throws: (any Error).self) { try inbox.outcome?.get() }
        _ = try? await channel.finish()
    }

    private func fireIdle(_ channel: NIOAsyncTestingChannel) async throws {
        try await channel.testingEventLoop.executeInContext {
            channel.pipeline.fireUserInboundEventTriggered(IdleStateHandler.IdleStateEvent.read)
        }
    }
}
#endif
