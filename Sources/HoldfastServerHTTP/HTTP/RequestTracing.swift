#if Server
import HoldfastServer
import Instrumentation
import Tracing

/// Makes a span of each request for GraphQL; it has names and a status, and nothing else of the request.
struct RequestTracing: Sendable {
    let tracer: any Tracer

    /// Reads which trace a request belongs to.
    private struct Headers: Extractor {
        func extract(key: String, from headers: [String: String]) -> String? { headers[key.lowercased()] }
    }

    /// Answers a request within a span.
    func respond(to request: ServerRequest, by server: SyncServer) async -> ServerResponse {
        var context = InstrumentationContext.current ?? .topLevel
        tracer.extract(request.headers, into: &context, using: Headers())
        return await tracer.withAnySpan("graphql", context: context, ofKind: .server) { span in
            let response = await server.respond(to: request)
            span.attributes["http.route"] = "/graphql"
            span.attributes["http.response.status_code"] = Int64(response.status)
            if let operation = response.operation {
                // A name is the client's, and may be as long as a request.
                let name = operation.name.map { " " + $0.prefix(128) } ?? ""
                span.operationName = operation.kind + name
                span.attributes["graphql.operation.type"] = operation.kind
                if !name.isEmpty { span.attributes["graphql.operation.name"] = String(name.dropFirst()) }
                span.attributes["holdfast.models"] = operation.models
            }
            if response.status >= 500 { span.setStatus(SpanStatus(code: .error)) }
            return response
        }
    }
}
#endif
