import NIOCore
import NIOHTTP1
import NIOPosix

/// Answers HTTP requests.
///
/// Nothing in it concerns Holdfast; a framework such as Hummingbird does the same.
struct HTTPListener {
    typealias Answer = (status: HTTPResponseStatus, json: String)
    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    private let channel: NIOAsyncChannel<Connection, Never>

    init(port: Int) async throws {
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
    }

    var port: Int { channel.channel.localAddress?.port ?? 0 }

    /// Answers until the task is cancelled.
    func run(_ answer: @escaping @Sendable (HTTPRequestHead, ByteBuffer) async throws -> Answer) async throws {
        try await channel.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in connections {
                    // A connection that fails concerns its client only.
                    group.addTask { try? await Self.serve(connection, answer) }
                }
            }
        }
    }

    private static func serve(
        _ connection: Connection, _ answer: @Sendable (HTTPRequestHead, ByteBuffer) async throws -> Answer
    ) async throws {
        try await connection.executeThenClose { parts, output in
            var (head, body) = (HTTPRequestHead(version: .http1_1, method: .GET, uri: "/"), ByteBuffer())
            for try await part in parts {
                switch part {
                case .head(let next): (head, body) = (next, ByteBuffer())
                case .body(var bytes):
                    guard body.readableBytes + bytes.readableBytes <= 64 << 10 else { return }
                    body.writeBuffer(&bytes)
                case .end:
                    let (status, json) = (try? await answer(head, body)) ?? (.internalServerError, "{}")
                    let text = ByteBuffer(string: json + "\n")
                    let headers = HTTPHeaders([
                        ("Content-Type", "application/json"), ("Content-Length", "\(text.readableBytes)"),
                    ])
                    try await output.write(.head(.init(version: .http1_1, status: status, headers: headers)))
                    try await output.write(.body(.byteBuffer(text)))
                    try await output.write(.end(nil))
                }
            }
        }
    }
}
