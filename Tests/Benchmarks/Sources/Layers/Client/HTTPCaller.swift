import AsyncHTTPClient
import Foundation
import HoldfastSync
import HoldfastSyncHTTP
import HoldfastWire
import NIOCore
import NIOHTTP1

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Something that sends requests over HTTP, each with its whole answer.
protocol HTTPCaller: Sendable {
    /// Sends a request; returns the size of the answer.
    func call(_ body: [UInt8]) async throws -> Int

    /// Ends all connections.
    func end() async throws
}

/// The library alone.
struct AsyncHTTPClientCaller: HTTPCaller {
    private let url: String
    private let client: HTTPClient

    init(url: String, connections: Int) {
        self.url = url
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func call(_ body: [UInt8]) async throws -> Int {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.headers.add(name: "x-api-key", value: ErrandService.key)
        request.body = .bytes(ByteBuffer(bytes: body))
        let response = try await client.execute(request, timeout: .seconds(30))
        return try await response.body.collect(upTo: 1 << 20).readableBytes
    }

    func end() async throws { try await client.shutdown() }
}

/// Foundation alone.
struct URLSessionCaller: HTTPCaller {
    private let url: URL
    private let session: URLSession

    init(url: String, connections: Int) throws {
        guard let address = URL(string: url) else { throw RawError(description: "no address: \(url)") }
        self.url = address
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        session = URLSession(configuration: configuration)
    }

    func call(_ body: [UInt8]) async throws -> Int {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "content-type")
        request.setValue(ErrandService.key, forHTTPHeaderField: "x-api-key")
        request.httpBody = Data(body)
        return try await session.data(for: request).0.count
    }

    func end() async throws { session.invalidateAndCancel() }
}

/// One of the transports of the sync engine.
struct TransportCaller<Transport: SyncTransport>: HTTPCaller {
    let transport: Transport
    let shutdown: @Sendable (Transport) async -> Void

    static var authorization: AuthHeaders {
        .apiKey(ErrandService.key, host: "127.0.0.1", date: "20260101T000000Z")
    }

    func call(_ body: [UInt8]) async throws -> Int {
        try await transport.send(WireRequest(authorization: Self.authorization, body: body)).body.count
    }

    func end() async throws { await shutdown(transport) }
}
