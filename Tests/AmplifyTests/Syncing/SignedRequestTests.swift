#if Sync
import AWSAPIPlugin
import AWSPluginsCore
import Amplify
import Foundation
import HoldfastHTTPTestSupport
import HoldfastStorage
import HoldfastSync
import HoldfastSyncHTTP
import Testing

private typealias SigningCredentials = HoldfastSyncHTTP.AWSCredentials

/// An Auth plug-in whose session has tokens, credentials of AWS, or neither.
private final class CredentialsPlugin: AuthCategoryPlugin {
    struct Credentials: AWSTemporaryCredentials {
        var accessKeyId = "AKIDEXAMPLE"
        var secretAccessKey = "s3cret"
        var sessionToken = "t0ken"
        var expiration = Date.distantFuture
    }

    struct Session: AuthSession, AuthAWSCredentialsProvider {
        let isSignedIn = false
        let credentials: Result<Credentials, AuthError>

        func getAWSCredentials() -> Result<any AWSPluginsCore.AWSCredentials, AuthError> { credentials.map { $0 } }
    }

    struct Tokens: AuthCognitoTokens, AuthSession, AuthCognitoTokensProvider {
        let idToken = "id", refreshToken = "refresh", isSignedIn = true
        let accessToken: String

        func getCognitoTokens() -> Result<any AuthCognitoTokens, AuthError> { .success(self) }
    }

    struct Other: AuthSession { let isSignedIn = true }
    struct SignedOut: AuthSignOutResult {}

    struct User: AuthUser {
        let username: String
        var userId: String { "id of \(username)" }
    }

    let key = "testAuth"
    let session: Mutex<any AuthSession>
    /// The sessions that forced refreshes bring, the next one last.
    let renewed = Mutex<[any AuthSession]>([])
    let user = Mutex(Result<User, AuthError>.failure(.signedOut("No one.", "Sign in.")))

    init(_ session: any AuthSession) { self.session = Mutex(session) }

    func configure(using configuration: Any?) throws {}
    func reset() async {}

    func signIn(
        username: String?, password: String?, options: AuthSignInRequest.Options?
    ) async throws -> AuthSignInResult { AuthSignInResult(nextStep: .done) }

    func signOut(options: AuthSignOutRequest.Options?) async -> any AuthSignOutResult { SignedOut() }

    func fetchAuthSession(options: AuthFetchSessionRequest.Options?) async throws -> any AuthSession {
        if options?.forceRefresh == true, let next = renewed.withLock({ $0.popLast() }) { session.store(next) }
        return session.withLock { $0 }
    }

    func getCurrentUser() async throws -> any AuthUser {
        try user.withLock { $0 }.get()
    }
}

/// Adds a header, as an application does.
private struct Stamping: URLRequestInterceptor {
    func intercept(_ request: URLRequest) async throws -> URLRequest {
        var request = request
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        return request
    }
}

extension AmplifySuite {
    @Suite struct SignedRequestTests {
        private func configure(
            _ type: String, _ url: String, region: String? = "eu-west-1", authorization: String = "AWS_IAM"
        ) throws {
            let region = region.map { #", "region": "\#($0)""# } ?? ""
            let text = """
                { "api": { "plugins": { "awsAPIPlugin": { "rest": { "endpointType": "\(type)", "endpoint": "\(url)",
                  "authorizationType": "\(authorization)"\(region) } } } } }
                """
            try Amplify.configure(try JSONDecoder().decode(AmplifyConfiguration.self, from: Data(text.utf8)))
        }

        /// Configures both plug-ins and runs a test with them.
        private func withAPI(
            _ url: String, region: String? = "eu-west-1", auth: CredentialsPlugin?,
            session: (any URLSessionBehaviorFactory)? = nil, _ body: () async throws -> Void
        ) async throws {
            if let auth { try Amplify.add(plugin: auth) }
            let sessions = session ?? URLSessionFactory.makeDefault()
            try Amplify.add(plugin: AWSAPIPlugin(sessionFactory: sessions))
            try configure("REST", url, region: region)
            try await resetting(body)
        }

        private var credentials: CredentialsPlugin {
            CredentialsPlugin(CredentialsPlugin.Session(credentials: .success(CredentialsPlugin.Credentials())))
        }

        @Test func whatIsSignedIsWhatIsSent() async throws {
            let received = Mutex<[ReceivedRequest]>([])
            try await ScriptedServer.run { peer, _ in
                while true {
                    let request = try await peer.request()
                    received.withLock { $0.append(request) }
                    try await peer.respond(200)
                }
            } while: { port in
                try await withAPI("http://127.0.0.1:\(port)/stage", auth: credentials) {
                    try Amplify.API.add(interceptor: Stamping(), for: "rest")
                    let request = RESTRequest(
                        path: "items/a b", queryParameters: ["q": "a&b=c d", "p": "ü"], body: Data("body".utf8))
                    _ = try await Amplify.API.post(request: request)
                    _ = try await Amplify.API.get(request: RESTRequest(path: "/items"))
                }
                let requests = received.load()
                try #require(requests.count == 2)
                #expect(requests[0].line == "POST /stage/items/a%20b?p=%C3%BC&q=a%26b%3Dc%20d HTTP/1.1")
                #expect(requests[0].body == Array("body".utf8))
                #expect(requests[1].line == "GET /stage/items HTTP/1.1")
                try expectSignature(
                    of: requests[0], port: port, method: "POST", path: "/stage/items/a%20b",
                    query: [("p", "ü"), ("q", "a&b=c d")])
                try expectSignature(of: requests[1], port: port, method: "GET", path: "/stage/items", query: [])
            }
        }

        /// The signature is that of what arrived; the signer itself is held to AWS's examples elsewhere.
        private func expectSignature(
            of request: ReceivedRequest, port: Int, method: String, path: String, query: [SignatureV4.Pair]
        ) throws {
            let date = try #require(request.headers["x-amz-date"])
            #expect(date.count == 16 && date.hasSuffix("Z"))
            #expect(request.headers["x-amz-security-token"] == "t0ken")
            let signature = SignatureV4(
                method: method, path: path, query: query,
                headers: [
                    ("content-type", "text/plain"), ("host", "127.0.0.1:\(port)"), ("x-amz-date", date),
                    ("x-amz-security-token", "t0ken"),
                ],
                body: request.body, region: "eu-west-1", service: "execute-api", date: date)
            let expected = signature.authorization(
                SigningCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "s3cret"))
            #expect(request.headers["authorization"] == expected)
            #expect(
                expected.contains("/eu-west-1/execute-api/aws4_request, SignedHeaders=content-type;host;x-amz-date"))
        }

        @Test func requestsToGraphQLServicesAreSigned() async throws {
            let received = Mutex<ReceivedRequest?>(nil)
            try await ScriptedServer.run { peer, _ in
                let request = try await peer.request()
                received.store(request)
                try await peer.respond(200, body: Array(#"{"data":{"getPost":{"title":"one"}}}"#.utf8))
            } while: { port in
                try Amplify.add(plugin: credentials)
                try Amplify.add(plugin: AWSAPIPlugin())
                try configure("GraphQL", "http://127.0.0.1:\(port)/graphql")
                try await resetting {
                    let request = GraphQLRequest<String>(
                        document: #"query { getPost(id: "p") { title } }"#, responseType: String.self,
                        decodePath: "getPost.title")
                    let answer = try await Amplify.API.query(request: request)
                    #expect(try answer.get() == #""one""#)
                }
            }
            let request = received.load()
            let headers = try #require(request).headers
            #expect(headers["authorization"]?.contains("/eu-west-1/appsync/aws4_request") == true)
            #expect(headers["x-amz-security-token"] == "t0ken")
        }

        /// By the device's clock, which may be wrong, Auth takes them for valid.
        @Test(arguments: ["AMAZON_COGNITO_USER_POOLS", "AWS_IAM"])
        func tokensAndCredentialsThatAreRefusedAreRenewedOnce(authorization: String) async throws {
            @Sendable func session(_ name: String) -> any AuthSession {
                guard authorization == "AWS_IAM" else { return CredentialsPlugin.Tokens(accessToken: name) }
                let credentials = CredentialsPlugin.Credentials(accessKeyId: name, sessionToken: name)
                return CredentialsPlugin.Session(credentials: .success(credentials))
            }
            let received = Mutex<[Bool]>([])
            try await ScriptedServer.run { peer, _ in
                while true {
                    let isRefused = try await peer.request().headers["authorization"]?.contains("OLD") == true
                    received.withLock { $0.append(isRefused) }
                    try await peer.respond(
                        isRefused ? 401 : 200, body: Array(#"{"data":{"getPost":{"title":"one"}}}"#.utf8))
                }
            } while: { port in
                let auth = CredentialsPlugin(session("OLD"))
                auth.renewed.store([session("UNUSED"), session("NEW")])
                try Amplify.add(plugin: auth)
                try Amplify.add(plugin: AWSAPIPlugin())
                try configure("GraphQL", "http://127.0.0.1:\(port)/graphql", authorization: authorization)
                try await resetting {
                    let request = GraphQLRequest<String>(
                        document: #"query { getPost(id: "p") { title } }"#, responseType: String.self,
                        decodePath: "getPost.title")
                    for _ in 0..<2 {
                        let answer = try await Amplify.API.query(request: request)
                        #expect(try answer.get() == #""one""#)
                    }
                }
                #expect(auth.renewed.load().count == 1)
            }
            #expect(received.load() == [true, false, false])
        }

        /// Credentials name no user: the one of Auth counts.
        @Test func credentialsOfAnotherUserSignNothing() async throws {
            let (auth, plugin) = (credentials, AWSAPIPlugin())
            try Amplify.add(plugin: auth)
            try Amplify.add(plugin: plugin)
            try configure("GraphQL", "https://api.test/graphql")
            try await resetting {
                let authorization = try plugin.syncSession(for: [], strategy: .default).authorization
                func isRefused() async -> Bool {
                    let answer = await authorization.authorize(0, AuthorizedRequest(.query, body: []))
                    return answer == .signedOut || answer == .userChanged
                }
                // Guests have credentials, too.
                #expect(try await authorization.identity() == nil)
                #expect(await !isRefused())
                for name in ["ann", "ben"] {
                    auth.user.withLock { $0 = .success(CredentialsPlugin.User(username: name)) }
                    #expect(await isRefused())
                    #expect(try await authorization.identity() == "id of \(name)")
                    #expect(await !isRefused())
                }
                // Federated to an identity pool, which is what guests are to Auth.
                auth.user.withLock { $0 = .failure(.invalidState("The account has no user pool.", "Sign in.")) }
                #expect(await isRefused())
                #expect(try await authorization.identity() == nil)
                #expect(await !isRefused())
                auth.user.withLock { $0 = .failure(.service("Try again.", "Later.")) }
                await #expect(throws: (any Error).self) { try await authorization.identity() }
            }
        }

        @Test func theRegionCanBeInTheHost() async throws {
            let session = ScriptedSession { _ in ScriptedSession.Answer() }
            let url = "https://abc.execute-api.us-west-2.amazonaws.com/prod"
            try await withAPI(url, region: nil, auth: credentials, session: session) {
                _ = try await Amplify.API.get(request: RESTRequest())
                let sent = try #require(session.sent.last)
                #expect(sent.value(forHTTPHeaderField: "Authorization")?.contains("/us-west-2/execute-api/") == true)
                #expect(sent.value(forHTTPHeaderField: "x-api-key") == nil)
            }
        }

        @Test func nothingIsSentUnsigned() async throws {
            let session = ScriptedSession { _ in ScriptedSession.Answer() }
            func fails(
                _ auth: CredentialsPlugin?, region: String? = "eu-west-1", _ isExpected: @Sendable (APIError) -> Bool
            ) async throws {
                try await withAPI("https://rest.test", region: region, auth: auth, session: session) {
                    let error = await #expect(throws: APIError.self) {
                        try await Amplify.API.get(request: RESTRequest())
                    }
                    #expect(error.map(isExpected) == true)
                    #expect(error.map { "\($0)".contains("s3cret") } == false)
                }
            }
            let isConfiguration: @Sendable (APIError) -> Bool = {
                if case .invalidConfiguration = $0 { true } else { false }
            }
            let isOperation: @Sendable (APIError) -> Bool = { if case .operationError = $0 { true } else { false } }
            try await fails(nil, isConfiguration)
            try await fails(credentials, region: nil, isConfiguration)
            try await fails(CredentialsPlugin(CredentialsPlugin.Other()), isOperation)
            let signedOut = CredentialsPlugin.Session(credentials: .failure(.signedOut("No guests.", "Sign in.")))
            try await fails(CredentialsPlugin(signedOut), isOperation)
            #expect(session.sent.isEmpty)
        }

        @Test func redirectionsCarryNoCredentialsElsewhere() async throws {
            let arrived = Mutex<ReceivedRequest?>(nil)
            try await ScriptedServer.run { peer, _ in
                let request = try await peer.request()
                arrived.store(request)
                try await peer.respond(200, body: Array("there".utf8))
            } while: { other in
                try await ScriptedServer.run { peer, _ in
                    while true {
                        let request = try await peer.request()
                        let isFirst = request.line.contains("/first")
                        let target = isFirst ? "/second" : "http://127.0.0.1:\(other)/third"
                        if isFirst || request.headers["authorization"] != nil {
                            try await peer.respond(307, headers: ["location: \(target)"])
                        } else {
                            try await peer.respond(403)
                        }
                    }
                } while: { port in
                    try await withAPI("http://127.0.0.1:\(port)", auth: credentials) {
                        let request = RESTRequest(path: "/first", headers: ["X-Own": "s3cret", "Accept": "text/plain"])
                        let answer = try await Amplify.API.get(request: request)
                        #expect(String(decoding: answer, as: UTF8.self) == "there")
                    }
                }
            }
            let request = arrived.load()
            let headers = try #require(request).headers
            #expect(headers["accept"] == "text/plain")
            for name in ["authorization", "x-amz-security-token", "x-amz-date", "x-own"] {
                #expect(headers[name] == nil)
            }
        }
    }
}
#endif
