#if Server
import AsyncHTTPClient
import NIOCore
import NIOHTTP1

extension HTTPClient {
    /// The client of this process for keys and functions, as `shared`, but it follows no redirects.
    ///
    /// They could lead from TLS to a connection without it, and a token to another host.
    static let withoutRedirects: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.redirectConfiguration = .disallow
        // Each token that is not known yet is a question, also those that no function accepts. More than this wait.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// The body that ``withoutRedirects`` gets for a request; `nil` with another status than 200.
    ///
    /// The limit of `execute` ends with the head of the answer, and then each byte gives the server more time.
    ///
    /// - Throws: Any error if the whole body does not arrive within the limit, or has too many bytes.
    static func body(
        for request: HTTPClientRequest, within limit: Duration, upTo byteCount: Int
    ) async throws -> ByteBuffer? {
        try await withThrowingTaskGroup(of: ByteBuffer?.self) { tasks in
            defer { tasks.cancelAll() }
            tasks.addTask {
                let response = try await HTTPClient.withoutRedirects.execute(request, timeout: TimeAmount(limit))
                guard response.status == .ok else { return nil }
                return try await response.body.collect(upTo: byteCount)
            }
            tasks.addTask {
                try await _Concurrency.Task.sleep(for: limit)
                throw HTTPClientError.deadlineExceeded
            }
            return try await tasks.next() ?? nil
        }
    }
}
#endif
