#if Server
import HoldfastServer
import HoldfastServerHTTP
import HoldfastWire
import InMemoryTracing
import NIOHTTP1
import Testing
import Tracing

@Suite struct TracingTests {
    @Test func requestsHaveSpansWithNamesAndNothingElse() async throws {
        let tracer = InMemoryTracer(recordExtractions: false)
        try await RunningServer.use(tracer: tracer) { server in
            try await server.create("a secret title")
            let long = String(repeating: "n", count: 200)
            for (method, path, body, key) in [
                (
                    .POST, "/graphql",
                    #"{"query": "query \#(long) { a: listPosts { items { title } } b: listPosts { items { id } } }"}"#,
                    "key"
                ),
                (.GET, "/graphql?query=%7BgetPost(id:%22a%20secret%22)%7Btitle%7D%7D", "", "key"),
                (.POST, "/graphql", #"{"query": "query Q { listPosts { items { secret } } }"}"#, "key"),
                (.POST, "/graphql", #"{"query": "query Q { listPosts { items { title } } }"}"#, "a secret key"),
                (.GET, "/health", "", "key"), (.GET, "/ready", "", "key"), (.POST, "/secret", "{}", "key"),
            ] as [(HTTPMethod, String, String, String)] {
                _ = try await server.send(method, path, headers: [("x-api-key", key)], body: Array(body.utf8))
            }
            let spans = tracer.finishedSpans
            #expect(
                spans.map(\.operationName) == [
                    "mutation M", "query " + long.prefix(128), "query", "graphql", "graphql",
                ])
            #expect(spans.allSatisfy { $0.kind == .server && $0.parentSpanID == nil && $0.errors.isEmpty })
            #expect(spans.allSatisfy { $0.status == nil && $0.events.isEmpty })
            let attributes = spans.map { span in
                var lines: [String] = []
                span.attributes.forEach { lines.append("\($0)=\($1)") }
                return lines.sorted().joined(separator: " ")
            }
            #expect(attributes[0].contains("graphql.operation.name"))
            #expect(spans[0].attributes.get("graphql.operation.name") == .string("M"))
            #expect(spans[0].attributes.get("graphql.operation.type") == .string("mutation"))
            #expect(spans[0].attributes.get("holdfast.models") == .stringArray(["Post"]))
            #expect(spans[1].attributes.get("holdfast.models") == .stringArray(["Post"]))
            #expect(spans[2].attributes.get("graphql.operation.name") == nil)
            #expect(spans[3].attributes.get("graphql.operation.type") == nil)
            #expect(spans.map { $0.attributes.get("http.route") } == Array(repeating: .string("/graphql"), count: 5))
            #expect(
                spans.map { $0.attributes.get("http.response.status_code") } == [
                    .int64(200), .int64(200), .int64(200), .int64(200), .int64(401),
                ])
            #expect(!attributes.joined().contains("secret"))
        }
    }

    @Test func spansAreInTheTraceOfTheClient() async throws {
        let tracer = InMemoryTracer(recordExtractions: false)
        try await RunningServer.use(tracer: tracer) { server in
            _ = try await server.query(
                "query Q { listPosts { items { title } } }",
                headers: [
                    ("x-api-key", "key"), (InMemoryTracer.traceIDKey, "their-trace"),
                    (InMemoryTracer.spanIDKey, "their-span"),
                ])
            let span = try #require(tracer.finishedSpans.first)
            #expect(span.traceID == "their-trace")
            #expect(span.parentSpanID == "their-span")
        }
    }

    /// A service that cannot check a token at the moment is at fault, not the client.
    @Test func spansOfFailuresOfTheServiceAreErrors() async throws {
        let tracer = InMemoryTracer(recordExtractions: false)
        let options = ServerOptions(apiKeys: ["key"], verify: { _ in .unavailable("The keys cannot be read.") })
        try await RunningServer.use(options: options, tracer: tracer) { server in
            let answer = try await server.query(
                "query Q { listPosts { items { title } } }", headers: [("authorization", "t")])
            #expect(answer.status == .serviceUnavailable)
            let span = try #require(tracer.finishedSpans.first)
            #expect(span.status == SpanStatus(code: .error))
            #expect(span.attributes.get("http.response.status_code") == .int64(503))
        }
    }
}
#endif
