#if Sync
package import NIOCore
import NIOPosix
import NIOSSL

/// A server that knows only bytes: each connection is handed to a script.
package enum ScriptedServer {
    /// What a server does with a connection, whose number counts from 0.
    ///
    /// The connection is closed at its end.
    package typealias Script = @Sendable (_ peer: Peer, _ number: Int) async throws -> Void

    /// Runs a server on a free port of this machine while `body` runs.
    ///
    /// - Parameters:
    ///   - isSecure: Whether it speaks TLS, with ``TestCertificate``.
    ///   - protocols: The protocols that it offers with TLS, such as `h2`; none by default.
    ///   - script: What the server does with each connection.
    ///   - body: Called with the port of the server.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or an error if the server cannot start.
    package static func run<Outcome: Sendable>(
        isSecure: Bool = false, protocols: [String] = [], _ script: @escaping Script,
        while body: @Sendable (_ port: Int) async throws -> Outcome
    ) async throws -> Outcome {
        let tls = isSecure ? try TestCertificate.serverContext(protocols: protocols) : nil
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        guard let port = server.channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await server.executeThenClose { connections in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        var count = 0
                        for try await connection in connections {
                            let number = count
                            count += 1
                            group.addTask { await serve(connection, number, script) }
                        }
                    }
                }
            }
            let outcome = try await body(port)
            group.cancelAll()
            return outcome
        }
    }

    /// A client that goes away in the middle of a script ends it, and nothing else.
    private static func serve(
        _ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>, _ number: Int, _ script: Script
    ) async {
        try? await connection.executeThenClose { inbound, outbound in
            try await script(Peer(inbound.makeAsyncIterator(), outbound), number)
        }
    }

    /// A port on which nothing listens.
    package static let closedPort = 1
}

/// The client at the other end of a connection.
package final class Peer {
    // A script reads it in one task.
    nonisolated(unsafe) private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var bytes: [UInt8] = []

    package init(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.inbound = inbound
        self.outbound = outbound
    }

    /// The client went away.
    package struct Gone: Error {}

    package func write(_ text: String) async throws { try await write(Array(text.utf8)) }

    package func write(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

    /// Waits until the client goes away.
    package func waitForEnd() async throws { while try await inbound.next() != nil {} }

    /// Exactly the given number of bytes.
    package func read(_ count: Int) async throws -> [UInt8] {
        while bytes.count < count { try await readMore() }
        defer { bytes.removeFirst(count) }
        return Array(bytes.prefix(count))
    }

    /// The bytes up to the empty line, as text.
    package func readHead() async throws -> String {
        while true {
            if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                return String(decoding: try await read(end.upperBound), as: UTF8.self)
            }
            try await readMore()
        }
    }

    private func readMore() async throws {
        guard let more = try await inbound.next() else { throw Gone() }
        bytes += Array(buffer: more)
    }
}
#endif
