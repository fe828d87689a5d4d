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
    typealias Context = ConnectionContext

    let server: SyncServer
    let configuration: SyncHTTPServer.Configuration
    let surroundings: Surroundings
    let metrics: Metrics
    let logger: Logger
    let tracing: RequestTracing?
    var handover = Handover()

    private static let partByteCount = 65_536

    /// The body of a request is larger than what is read to be able to answer.
    private struct EndlessBody: Error {}

    func respond(to request: Request, context: Context) async throws -> Response {
        let start = surroundings.uptime()
        let route = Route(path: request.uri.path)
        var response = try await answer(request, route, context.eventLoop)
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
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(_ request: Request, _ route: Route, _ eventLoop: any EventLoop) async throws -> Response {
        if request.headers[Self.socketRefusal] != nil {
            return Self.text(.serviceUnavailable, "There are too many WebSockets.\n")
        }
        // HEAD gets the answer of GET; the caller removes the body.
        let method: HTTPRequest.Method = request.method == .head && route != .graphQL ? .get : request.method
        switch (method, route) {
        case (.post, .graphQL): return try await post(request, eventLoop)
        case (.get, .graphQL): return await get(request, eventLoop)
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

    private func post(_ request: Request, _ eventLoop: any EventLoop) async throws -> Response {
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
        return await response(to: ServerRequest(headers: request.head.named, body: body), eventLoop)
    }

    private func get(_ request: Request, _ eventLoop: any EventLoop) async -> Response {
        let parameters = Self.parameters(request.uri.query ?? "")
        return await response(to: ServerRequest(headers: request.head.named, parameters: parameters), eventLoop)
    }

    private func response(to request: ServerRequest, _ eventLoop: any EventLoop) async -> Response {
        let answer =
            if let tracing { await tracing.respond(to: request, by: server) } else { await server.respond(to: request) }
        var response = Self.response(answer)
        response.body = Self.body(answer.body, eventLoop)
        return response
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

    /// A body, in parts if it is large: each is written when little of the one before waits for the client.
    ///
    /// The connection counts as idle from the end of the body on. As a whole this would be written at once, and a
    /// client be cut off that takes longer to read it than a connection may be idle.
    private static func body(_ bytes: [UInt8], _ eventLoop: any EventLoop) -> ResponseBody {
        let buffer = ByteBuffer(bytes: bytes)
        guard bytes.count > partByteCount else { return ResponseBody(byteBuffer: buffer) }
        return ResponseBody(contentLength: bytes.count) { writer in
            var rest = buffer
            while rest.readableBytes > 0, let part = rest.readSlice(length: min(partByteCount, rest.readableBytes)) {
                try await writer.write(part)
                // A part is only passed to the event loop. Without this many more are, before it has written the first
                // and found that the client does not read.
                try await eventLoop.submit {}.get()
            }
            try await writer.finish(nil)
        }
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
        guard !handover.hasBegun else { return Self.text(.serviceUnavailable, "The process is about to end.\n") }
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
    private static let socketRefusal = HTTPField.Name(FirstRequestHandler.refusal)!
}
#endif
