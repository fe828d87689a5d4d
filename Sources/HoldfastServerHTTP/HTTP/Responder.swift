#if Server
import Foundation
import HTTPTypes
import HoldfastServer
import HoldfastStorage
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Answers HTTP requests.
struct Responder: HTTPResponder {
    typealias Context = BasicRequestContext

    let server: SyncServer
    let configuration: SyncHTTPServer.Configuration
    let surroundings: Surroundings
    let metrics: Metrics
    let logger: Logger
    let tracing: RequestTracing?

    /// The body of a request is larger than what is read to be able to answer.
    private struct EndlessBody: Error {}

    func respond(to request: Request, context: Context) async throws -> Response {
        let start = surroundings.uptime()
        let route = Route(path: request.uri.path)
        var response = try await answer(request, route)
        let id = surroundings.uuid()
        response.headers[Self.requestIdentifier] = id
        response.headers[.accessControlAllowOrigin] = "*"
        // The decoder reads nothing after a request for another protocol, even if this is refused.
        if request.headers[.connection]?.lowercased().contains("upgrade") == true {
            response.headers[.connection] = "close"
        }
        let duration = surroundings.uptime() - start
        metrics.count(route.name, status: response.status.code, duration)
        logger.debug(
            "A request was answered.",
            metadata: [
                "id": "\(id)", "route": "\(route.name)", "status": "\(response.status.code)", "duration": "\(duration)",
            ])
        return response
    }

    private func answer(_ request: Request, _ route: Route) async throws -> Response {
        switch (request.method, route) {
        case (.post, .graphQL): return try await post(request)
        case (.get, .graphQL): return await get(request)
        case (.options, .graphQL): return Self.preflight
        case (.get, .health): return Self.text(.ok, "ok\n")
        case (.get, .ready): return await ready()
        case (.get, .metrics) where configuration.metricsPlace == .service: return metrics.response
        case (_, .metrics) where configuration.metricsPlace != .service:
            return Self.text(.notFound, "Metrics are not served here.\n")
        case (_, .realtime): return Self.text(.upgradeRequired, "This address is for WebSockets.\n")
        case (_, .unknown): return Self.text(.notFound, "There is nothing here; requests go to /graphql.\n")
        default: return Self.text(.methodNotAllowed, "This address does not take the method.\n")
        }
    }

    // MARK: - GraphQL

    private func post(_ request: Request) async throws -> Response {
        let limit = server.limits.requestByteCount
        var body: [UInt8] = []
        // What is too large is read further to a point, since a client that sends does not see an answer.
        var count = 0
        for try await buffer in request.body {
            count += buffer.readableBytes
            if count <= limit {
                body.append(contentsOf: buffer.readableBytesView)
            } else if count > 16 * limit {
                return Self.tooLarge(limit) { throw EndlessBody() }
            }
        }
        guard count <= limit else { return Self.tooLarge(limit) }
        return await response(to: ServerRequest(headers: request.head.named, body: body))
    }

    private func get(_ request: Request) async -> Response {
        let parameters = Self.parameters(request.uri.query ?? "")
        return await response(to: ServerRequest(headers: request.head.named, parameters: parameters))
    }

    private func response(to request: ServerRequest) async -> Response {
        guard let tracing else { return Self.response(await server.respond(to: request)) }
        return Self.response(await tracing.respond(to: request, by: server))
    }

    /// The parameters of an address, in which a plus is a space, as in forms.
    private static func parameters(_ query: String) -> [String: String] {
        var parameters: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map {
                String($0.map { $0 == "+" ? " " : $0 }).removingPercentEncoding
            }
            if parts.count == 2, let name = parts[0], let value = parts[1] { parameters[name] = value }
        }
        return parameters
    }

    private static func response(_ response: ServerResponse) -> Response {
        var headers = HTTPFields()
        for (name, value) in response.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Response(
            status: HTTPResponse.Status(code: response.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
    }

    /// The refusal of a body that is too large.
    ///
    /// - Parameters:
    ///   - limit: How many bytes a body may have.
    ///   - end: Called when the answer is written; ends the connection by throwing.
    /// - Returns: The response that states the limit.
    private static func tooLarge(_ limit: Int, end: @escaping @Sendable () throws -> Void = {}) -> Response {
        let refusal = ServerResponse.tooLarge(limit: limit)
        var response = response(refusal)
        response.body = ResponseBody(contentLength: refusal.body.count) { writer in
            try await writer.write(ByteBuffer(bytes: refusal.body))
            try await writer.finish(nil)
            try end()
        }
        return response
    }

    // MARK: - The rest

    private func ready() async -> Response {
        do {
            try await server.check()
            return Self.text(.ok, "ready\n")
        } catch {
            logger.error("The store does not answer.", metadata: ["error": "\(error)"])
            return Self.text(.serviceUnavailable, "The store does not answer.\n")
        }
    }

    static func text(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// What browsers ask before they send a request of another site's page; credentials are in headers, not in cookies.
    private static let preflight = Response(
        status: .noContent,
        headers: [
            .accessControlAllowMethods: "GET, POST, OPTIONS", .accessControlMaxAge: "86400",
            .accessControlAllowHeaders:
                "content-type, authorization, x-api-key, x-amz-user-agent, x-amz-date, x-amz-security-token",
        ])

    private static let requestIdentifier = HTTPField.Name("x-amzn-requestid")!
}
#endif
