import AWSAPIPlugin
import Amplify
import Foundation
import HoldfastStorage
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private let configuration = """
    { "api": { "plugins": { "awsAPIPlugin": {
      "graph": { "endpointType": "GraphQL", "endpoint": "https://graph.test/graphql", "authorizationType": "API_KEY",
        "apiKey": "key" },
      "rest": { "endpointType": "REST", "endpoint": "https://rest.test/stage/", "authorizationType": "API_KEY",
        "apiKey": "key" } } } } }
    """

/// Configures the API plug-in and runs a test with it.
private func withAPI(
    _ session: ScriptedSession, _ text: String = configuration, tokens: APIAuthProviderFactory? = nil,
    _ body: () async throws -> Void
) async throws {
    try Amplify.add(plugin: AWSAPIPlugin(sessionFactory: session, apiAuthProviderFactory: tokens))
    try Amplify.configure(try JSONDecoder().decode(AmplifyConfiguration.self, from: Data(text.utf8)))
    try await resetting(body)
}

private func status(_ error: any Error) -> (code: Int, body: String?)? {
    guard case .httpStatusError(let code, let response)? = error as? APIError else { return nil }
    let body = (response as? AWSHTTPURLResponse)?.body
    return (code, body.map { String(decoding: $0, as: UTF8.self) })
}

/// Tokens of an OpenID Connect provider, or none.
private final class Tokens: APIAuthProviderFactory {
    struct Provider: AmplifyOIDCAuthProvider {
        let token: @Sendable () throws -> String?

        func getLatestAuthToken() async throws -> String { try token() ?? "" }
        func currentAuthToken() async throws -> String? { try token() }
    }

    let token: @Sendable () throws -> String?

    init(_ token: @escaping @Sendable () throws -> String?) { self.token = token }

    override func oidcAuthProvider() -> (any AmplifyOIDCAuthProvider)? { Provider(token: token) }
}

private struct Adding: URLRequestInterceptor {
    let name: String

    func intercept(_ request: URLRequest) async throws -> URLRequest {
        var request = request
        request.setValue((request.value(forHTTPHeaderField: "X-Seen") ?? "") + name, forHTTPHeaderField: "X-Seen")
        return request
    }
}

private struct Changing: URLRequestInterceptor {
    let change: @Sendable (inout URLRequest) throws -> Void

    func intercept(_ request: URLRequest) async throws -> URLRequest {
        var request = request
        try change(&request)
        return request
    }
}

extension AmplifySuite {
    @Suite struct RESTTests {
        @Test func requestsAreSentAndAnswered() async throws {
            let session = ScriptedSession { request in
                ScriptedSession.Answer(body: request.httpMethod ?? "")
            }
            try await withAPI(session) {
                let request = RESTRequest(
                    path: "items/a b", headers: ["X-Own": "1", "Content-Type": "text/plain"],
                    queryParameters: ["q": "a&b=c", "p": "ü"], body: Data("body".utf8))
                let api = Amplify.API
                var answers: [String] = []
                for data in [
                    try await api.get(request: request), try await api.put(request: request),
                    try await api.post(request: request), try await api.patch(request: request),
                    try await api.delete(request: request), try await api.head(request: request),
                ] {
                    answers.append(String(decoding: data, as: UTF8.self))
                }
                #expect(answers == ["GET", "PUT", "POST", "PATCH", "DELETE", "HEAD"])
                let sent = try #require(session.sent.last)
                #expect(sent.url?.absoluteString == "https://rest.test/stage/items/a%20b?p=%C3%BC&q=a%26b%3Dc")
                #expect(sent.value(forHTTPHeaderField: "x-api-key") == "key")
                #expect(sent.value(forHTTPHeaderField: "X-Own") == "1")
                #expect(sent.value(forHTTPHeaderField: "Content-Type") == "text/plain")
                #expect(sent.httpBody == Data("body".utf8))
                // Encoded already, or not a code.
                _ = try await api.get(request: RESTRequest(queryParameters: ["a%20b": "c%26d%2F", "r": "50%"]))
                #expect(session.sent.last?.url?.absoluteString == "https://rest.test/stage/?a%20b=c%26d%2F&r=50%25")
                _ = try await api.get(request: RESTRequest())
                let bare = try #require(session.sent.last)
                #expect(bare.url?.absoluteString == "https://rest.test/stage/")
                #expect(bare.value(forHTTPHeaderField: "Content-Type") == "application/json")
            }
        }

        @Test func failuresAreTyped() async throws {
            let session = ScriptedSession { request in
                switch request.url?.lastPathComponent {
                case "lost": ScriptedSession.Answer(error: URLError(.networkConnectionLost))
                default: ScriptedSession.Answer(status: 404, body: "no such item")
                }
            }
            try await withAPI(session) {
                await #expect {
                    try await Amplify.API.get(request: RESTRequest(path: "/x"))
                } throws: { error in
                    status(error)?.code == 404 && status(error)?.body == "no such item"
                }
                await #expect {
                    try await Amplify.API.get(request: RESTRequest(path: "/lost"))
                } throws: { error in
                    if case .networkError? = error as? APIError { true } else { false }
                }
                await #expect(throws: APIError.self) {
                    try await Amplify.API.get(request: RESTRequest(apiName: "graph", path: "/x"))
                }
            }
            try await withAPI(session, configuration.replacingOccurrences(of: "https://rest", with: "ftp://rest")) {
                await #expect {
                    try await Amplify.API.get(request: RESTRequest())
                } throws: { error in
                    if case .invalidURL? = error as? APIError { true } else { false }
                }
            }
        }

        @Test func aCancelledTaskCancelsItsRequest() async throws {
            let session = ScriptedSession { _ in nil }
            try await withAPI(session) {
                let task = Task { try await Amplify.API.get(request: RESTRequest()) }
                for await _ in session.started.stream { break }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                let query = Task {
                    try await Amplify.API.query(
                        request: GraphQLRequest(document: "query { nothing }", responseType: JSONValue.self))
                }
                for await _ in session.started.stream { break }
                query.cancel()
                await #expect(throws: CancellationError.self) { try await query.value }
            }
        }

        @Test func tokensAreSent() async throws {
            let text = configuration.replacingOccurrences(of: "API_KEY", with: "OPENID_CONNECT")
            let token = Mutex<String?>("secret")
            let session = ScriptedSession { _ in ScriptedSession.Answer() }
            let tokens = Tokens { try token.withLock { if $0 == "" { throw CancellationError() } else { $0 } } }
            try await withAPI(session, text, tokens: tokens) {
                _ = try await Amplify.API.get(request: RESTRequest())
                #expect(
                    session.sent.last?.value(forHTTPHeaderField: "Authorization") == "secret")
                for missing in [nil, ""] {
                    token.withLock { $0 = missing }
                    await #expect {
                        try await Amplify.API.get(request: RESTRequest())
                    } throws: { error in
                        if case .operationError? = error as? APIError { true } else { false }
                    }
                }
                #expect(session.sent.count == 1)
            }
            for type in ["OPENID_CONNECT", "AWS_IAM"] {
                try await withAPI(session, configuration.replacingOccurrences(of: "API_KEY", with: type)) {
                    await #expect {
                        try await Amplify.API.get(request: RESTRequest())
                    } throws: { error in
                        if case .invalidConfiguration? = error as? APIError { true } else { false }
                    }
                }
            }
        }

        @Test(arguments: [("API_KEY", "X-Api-Key"), ("OPENID_CONNECT", "Authorization")])
        func headersOfARequestReplaceItsAuthorization(type: String, header: String) async throws {
            let session = ScriptedSession { _ in ScriptedSession.Answer() }
            let text = configuration.replacingOccurrences(of: "API_KEY", with: type)
            try await withAPI(session, text, tokens: Tokens { "secret" }) {
                _ = try await Amplify.API.get(request: RESTRequest(headers: [header: "own"]))
                #expect(session.sent.last?.value(forHTTPHeaderField: header) == "own")
            }
        }

        @Test func interceptorsChangeRequests() async throws {
            let session = ScriptedSession { _ in ScriptedSession.Answer() }
            try await withAPI(session) {
                try Amplify.API.add(interceptor: Adding(name: "a"), for: "rest")
                try Amplify.API.add(interceptor: Adding(name: "b"), for: "rest")
                #expect(throws: PluginError.self) {
                    try Amplify.API.add(interceptor: Adding(name: "a"), for: "other")
                }
                _ = try await Amplify.API.get(request: RESTRequest())
                #expect(session.sent.last?.value(forHTTPHeaderField: "X-Seen") == "ab")
                try Amplify.API.add(interceptor: Changing { _ in throw CancellationError() }, for: "rest")
                await #expect {
                    try await Amplify.API.get(request: RESTRequest())
                } throws: { error in
                    guard case .operationError(_, _, let cause)? = error as? APIError else { return false }
                    return cause is CancellationError
                }
                let task = Task {
                    while !Task.isCancelled { await Task.yield() }
                    return try await Amplify.API.get(request: RESTRequest())
                }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                #expect(session.sent.count == 1)
            }
        }

        @Test func interceptorsSeeRequestsToGraphQLServices() async throws {
            try await withAPI { service in
                let name = AWSAPIPlugin.defaultGraphQLAPI
                let post = Post(id: "p", title: "one", rating: 1, status: "")
                try Amplify.API.add(interceptor: Adding(name: "a"), for: name)
                _ = try await Amplify.API.mutate(request: .create(post)).get()
                #expect(service.lastHeaders.value(of: "x-seen") == "a")
                #expect(service.lastHeaders.value(of: "x-api-key") == "key")
                let other = Changing {
                    $0.httpBody = Data(#"{"query":"query { getPost(id: \"p\") { title } }"}"#.utf8)
                }
                try Amplify.API.add(interceptor: other, for: name)
                let request = GraphQLRequest<String>(
                    document: "query { nothing }", responseType: String.self, decodePath: "getPost.title")
                #expect(try await Amplify.API.query(request: request).get() == #""one""#)
                try Amplify.API.add(
                    interceptor: Changing { $0.url = URL(string: "https://elsewhere.test/") }, for: name)
                await #expect(throws: APIError.self) { try await Amplify.API.query(request: request) }
            }
        }

        @Test func errorsOfInterceptorsPassThrough() async throws {
            struct Refused: Error {}
            try await withAPI { _ in
                let name = AWSAPIPlugin.defaultGraphQLAPI
                let thrown = Mutex<any Error>(APIError.unknown("own", "", Refused()))
                try Amplify.API.add(interceptor: Changing { _ in throw thrown.withLock { $0 } }, for: name)
                let request = GraphQLRequest<JSONValue>(document: "query { nothing }", responseType: JSONValue.self)
                await #expect {
                    try await Amplify.API.query(request: request)
                } throws: { error in
                    guard case .unknown("own", _, let cause)? = error as? APIError else { return false }
                    return cause is Refused
                }
                thrown.withLock { $0 = Refused() }
                await #expect {
                    try await Amplify.API.query(request: request)
                } throws: { error in
                    guard case .operationError(_, _, let cause)? = error as? APIError else { return false }
                    return cause is Refused
                }
            }
        }

        @Test func requestsToGraphQLServicesGoThroughSessions() async throws {
            let session = ScriptedSession { request in
                switch String(decoding: request.httpBody ?? Data(), as: UTF8.self) {
                case let body where body.contains("getPost"):
                    ScriptedSession.Answer(body: #"{"data":{"getPost":{"title":"one"}}}"#)
                case let body where body.contains("offline"):
                    ScriptedSession.Answer(error: URLError(.notConnectedToInternet))
                default: ScriptedSession.Answer(status: 403, body: "no")
                }
            }
            try await withAPI(session) {
                try Amplify.API.add(interceptor: Adding(name: "a"), for: "graph")
                func request(_ document: String) -> GraphQLRequest<String> {
                    GraphQLRequest(document: document, responseType: String.self, decodePath: "getPost.title")
                }
                let title = try await Amplify.API.query(request: request(#"query { getPost(id: "p") { title } }"#))
                #expect(try title.get() == #""one""#)
                let sent = try #require(session.sent.last)
                #expect(sent.url?.absoluteString == "https://graph.test/graphql" && sent.httpMethod == "POST")
                #expect(sent.value(forHTTPHeaderField: "x-api-key") == "key")
                #expect(sent.value(forHTTPHeaderField: "X-Seen") == "a")
                await #expect {
                    try await Amplify.API.query(request: request("query { secret }"))
                } throws: { error in
                    status(error)?.code == 403 && status(error)?.body == "no"
                }
                await #expect {
                    try await Amplify.API.query(request: request("query { offline }"))
                } throws: { error in
                    guard case .networkError(_, _, let cause)? = error as? APIError else { return false }
                    return (cause as? URLError)?.code == .notConnectedToInternet
                }
            }
        }

        @Test func sessionsOfFoundationSendRequests() async throws {
            let sessions = URLSessionConfiguration.ephemeral
            sessions.protocolClasses = [EchoProtocol.self]
            try Amplify.add(plugin: AWSAPIPlugin(sessionFactory: URLSessionFactory(configuration: sessions)))
            try Amplify.configure(
                try JSONDecoder().decode(AmplifyConfiguration.self, from: Data(configuration.utf8)))
            try await resetting {
                let answer = try await Amplify.API.get(request: RESTRequest(path: "/echo"))
                #expect(String(decoding: answer, as: UTF8.self) == "GET /stage/echo key")
                await #expect {
                    try await Amplify.API.get(request: RESTRequest(path: "/refused"))
                } throws: { error in
                    status(error)?.code == 400 && status(error)?.body == "GET /stage/refused key"
                }
            }
        }
    }
}

/// Answers requests without a network.
private final class EchoProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: url.path.hasSuffix("refused") ? 400 : 200, httpVersion: nil, headerFields: nil)
        else { return }
        let key = request.value(forHTTPHeaderField: "x-api-key") ?? ""
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("\(request.httpMethod ?? "") \(url.path) \(key)".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }
}
