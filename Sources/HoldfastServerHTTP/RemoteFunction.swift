#if Server
import AsyncHTTPClient
public import HoldfastWire
import NIOCore
import NIOHTTP1

/// A function of the application, which answers JSON with JSON, as functions of AWS Lambda do.
public struct RemoteFunction: Sendable {
    private let ask: @Sendable (WireValue) async throws -> WireValue

    /// The address answers with another status than 200.
    private struct Failure: Error {}

    private static let maximumByteCount = 1 << 20
    private static let limits = JSONLimits(bytes: maximumByteCount, depth: 32, values: 100_000)

    /// A function in this process.
    public init(_ ask: @escaping @Sendable (WireValue) async throws -> WireValue) { self.ask = ask }

    /// A function at an address, called by POST.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - timeout: How long it may take to answer; ten seconds by default.
    /// - Returns: The function; each call sends a request.
    public static func url(_ url: String, timeout: Duration = .seconds(10)) -> RemoteFunction {
        RemoteFunction { question in
            var request = HTTPClientRequest(url: url)
            request.method = .POST
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: question.bytes))
            guard let body = try await HTTPClient.body(for: request, within: timeout, upTo: maximumByteCount) else {
                throw Failure()
            }
            return try WireValue(parsing: Array(body.readableBytesView), limits: limits)
        }
    }

    /// What the function answers.
    ///
    /// - Throws: Any error if it does not answer, or not with JSON.
    public func callAsFunction(_ question: WireValue) async throws -> WireValue { try await ask(question) }
}
#endif
