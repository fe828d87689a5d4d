import AWSDataStorePlugin
import Amplify
import Foundation
import HoldfastEngine
import HoldfastInMemory
import HoldfastStorage
import HoldfastSync
import Testing

@testable import AWSAPIPlugin

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if Sync
import HoldfastHTTPTestSupport
import HoldfastSyncHTTP
#endif

/// Tokens of a user pool, for a user who never signs in.
private final class NoUser: APIAuthProviderFactory {
    struct Provider: AmplifyUserPoolAuthProvider {
        func getLatestAuthToken() async throws -> String { throw CancellationError() }
        func currentAuthToken() async throws -> String? { nil }
    }

    override func userPoolAuthProvider() -> (any AmplifyUserPoolAuthProvider)? { Provider() }
}

func outputs(_ text: String) throws -> AmplifyOutputsData {
    try JSONDecoder().decode(AmplifyOutputsData.self, from: Data(text.utf8))
}

private func settings(_ text: String) throws -> AmplifyConfiguration {
    try JSONDecoder().decode(AmplifyConfiguration.self, from: Data(text.utf8))
}

/// Runs a test with the API plug-in alone.
func withAPI(schema: String = TestService.schema, _ body: (TestService) async throws -> Void) async throws {
    let service = try await TestService.open(schema: schema)
    try Amplify.add(plugin: AWSAPIPlugin(modelRegistration: AmplifyModels(), sessionFactory: service))
    try Amplify.configure(outputs(TestService.outputs))
    try await resetting { try await body(service) }
}

extension AmplifySuite {
    @Suite struct APITests {
        @Test func bothFormsOfTheConfigurationAreRead() throws {
            let older = AWSAPIPlugin()
            try older.configure(using: try settings(TestService.configuration).api?.plugins["awsAPIPlugin"])
            let local = try older.endpoint(named: "local")
            #expect(
                local
                    == APIEndpoint(
                        name: "local", url: "http://localhost/graphql", region: "us-east-1", authorizationType: .apiKey,
                        apiKey: "key"))
            #expect(try older.endpoint(named: nil) == local)
            #expect(throws: APIError.self) { try older.endpoint(named: "other") }
            #expect("\(local)" == "local (API_KEY)" && !String(reflecting: local).contains("\"key\""))

            let newer = AWSAPIPlugin(apiAuthProviderFactory: NoUser())
            try newer.configure(using: outputs(TestService.outputs))
            let endpoint = try newer.endpoint(named: AWSAPIPlugin.defaultGraphQLAPI)
            #expect(endpoint.otherAuthorizationTypes == [.amazonCognitoUserPools])
            #expect(endpoint.offeredTypes(APITokens(NoUser())) == [.apiKey, .amazonCognitoUserPools])
            #expect(endpoint.offeredTypes(APITokens(nil)) == [.apiKey])
        }

        @Test(arguments: [
            #"{ "version": "1" }"#, #"{ "data": { "aws_region": "x" } }"#,
            #"{ "data": { "url": "https://x/graphql", "default_authorization_type": "MAGIC" } }"#,
            #"{ "data": { "url": "https://x/graphql", "default_authorization_type": "API_KEY" } }"#,
        ])
        func aConfigurationThatCannotBeUsedIsRefused(text: String) throws {
            #expect(throws: PluginError.self) { try AWSAPIPlugin().configure(using: outputs(text)) }
            #expect(throws: PluginError.self) { try AWSAPIPlugin().configure(using: nil) }
        }

        @Test func withoutATransportTheStartFailsAndTheStoreWorks() async throws {
            let errors = Mutex<[String]>([])
            try Amplify.add(plugin: AWSAPIPlugin())
            try Amplify.add(
                plugin: AWSDataStorePlugin(
                    modelRegistration: AmplifyModels(),
                    configuration: .custom(
                        errorHandler: { error in errors.withLock { $0.append(error.recoverySuggestion) } },
                        storageAdapter: InMemoryAdapter())))
            // Nothing that gives a token, so that it is the same with every transport.
            try Amplify.configure(
                outputs(
                    #"{ "data": { "url": "https://x/graphql", "default_authorization_type": "OPENID_CONNECT" } }"#))
            try await resetting {
                try await Amplify.DataStore.save(Post(id: "p", title: "", rating: 1, status: ""))
                await #expect {
                    try await Amplify.DataStore.start()
                } throws: { error in
                    if case .configuration = error as? DataStoreError { true } else { false }
                }
                #expect(try await Amplify.DataStore.query(Post.self).map(\.id) == ["p"])
                // Of the save; the start tries again if that has failed by then.
                #expect((1...2).contains(errors.withLock { $0.count }))
            }
        }

        @Test func recordsAreReadAndChangedThroughTheAPI() async throws {
            try await withAPI { _ in
                let post = Post(id: "p", title: "one", rating: 1, status: "a")
                let created = try await Amplify.API.mutate(request: .create(post)).get()
                #expect(created.id == "p" && created.title == "one")
                let comment = Comment(id: "c", content: "so", post: post)
                #expect(try await Amplify.API.mutate(request: .create(comment)).get().post?.title == "one")
                let found = try await Amplify.API.query(request: .get(Post.self, byId: "p")).get()
                #expect(found?.title == "one")
                #expect(try await Amplify.API.query(request: .get(Post.self, byId: "q")).get() == nil)
                let list = try await Amplify.API.query(request: .list(Post.self, where: Post.keys.rating.gt(0))).get()
                #expect(list.map(\.id) == ["p"])
                #expect(
                    try await Amplify.API.query(request: .list(Post.self, where: Post.keys.rating.gt(1))).get().isEmpty)

                let refused = try await Amplify.API.mutate(request: .create(post))
                guard case .failure(.error(let errors)) = refused else {
                    Issue.record("a second creation was to be refused")
                    return
                }
                #expect(errors.first?.extensions?["errorType"] != nil)
            }
        }

        @Test func requestsForModelsHaveDocuments() async throws {
            try await withAPI { _ in
                let get = GraphQLRequest<Post?>.get(Post.self, byId: "p", authMode: .apiKey)
                #expect(
                    get.document == """
                        query GetPost($id: ID!) {
                          getPost(id: $id) {
                            id
                            rating
                            status
                            title
                            __typename
                          }
                        }
                        """)
                #expect(get.decodePath == "getPost" && get.variables?["id"] as? String == "p")
                #expect(get.authMode as? AWSAuthorizationType == .apiKey)
                let post = Post(id: "p", title: "one", rating: 1, status: "a")
                let update = GraphQLRequest<Comment>.update(
                    Comment(id: "c", post: post), where: Comment.keys.content.eq("so"))
                let input = update.variables?["input"] as? [String: Any]
                #expect(input?["commentPostId"] as? String == "p" && input?["content"] is NSNull)
                #expect(!update.document.contains("_version") && update.variables?["condition"] != nil)
                let delete = GraphQLRequest<Post>.delete(post)
                #expect((delete.variables?["input"] as? [String: Any])?.keys.sorted() == ["id"])
            }
        }

        @Test func documentsOfOnesOwnAreSent() async throws {
            try await withAPI { _ in
                let request = GraphQLRequest<JSONValue>(
                    document: """
                        mutation Make($input: CreatePostInput!) { createPost(input: $input) { id title _version } }
                        """,
                    variables: ["input": ["id": "p", "title": "one", "rating": 1, "status": "a"] as [String: Any]],
                    responseType: JSONValue.self, decodePath: "createPost")
                guard case .object(let made) = try await Amplify.API.mutate(request: request).get() else {
                    Issue.record("an object was expected")
                    return
                }
                #expect(made["title"] == .string("one") && made["_version"] == .number(1))
                let text = GraphQLRequest<String>(
                    document: #"query { getPost(id: "p") { id } }"#, responseType: String.self, decodePath: "getPost")
                #expect(try await Amplify.API.query(request: text).get() == #"{"id":"p"}"#)
                let title = GraphQLRequest<String>(
                    document: #"query { getPost(id: "p") { title } }"#, responseType: String.self,
                    decodePath: "getPost.title")
                #expect(try await Amplify.API.query(request: title).get() == #""one""#)
                let optional = GraphQLRequest<String?>(
                    document: title.document, responseType: String?.self, decodePath: "getPost.title")
                #expect(try await Amplify.API.query(request: optional).get() == "one")
                let none = GraphQLRequest<String?>(
                    document: #"query { getPost(id: "none") { id } }"#, responseType: String?.self,
                    decodePath: "getPost")
                #expect(try await Amplify.API.query(request: none).get() == nil)
                let unknown = GraphQLRequest<JSONValue>(document: "query { nothing }", responseType: JSONValue.self)
                guard case .failure(.error(let errors)) = try await Amplify.API.query(request: unknown) else {
                    Issue.record("an unknown field was to be refused")
                    return
                }
                #expect(!(errors.first?.message.isEmpty ?? true))
                let unfit = GraphQLRequest<Int>(
                    document: #"query { getPost(id: "p") { title } }"#, responseType: Int.self, decodePath: "getPost")
                guard case .failure(.transformationError) = try await Amplify.API.query(request: unfit) else {
                    Issue.record("the answer does not fit the type")
                    return
                }
                let bad = GraphQLRequest<Int>(
                    document: "query { x }", variables: ["date": Date()], responseType: Int.self)
                await #expect(throws: APIError.self) { _ = try await Amplify.API.query(request: bad) }
            }
        }

        @Test func dataBesideErrorsIsPartialUnlessAllOfItIsNull() throws {
            let loader = APIModelLoader(plugin: AWSAPIPlugin(), apiName: nil, authMode: nil)
            func answer<R: Decodable & Sendable>(_ data: String, as type: R.Type) throws -> GraphQLResponse<R> {
                let request = GraphQLRequest<R>(document: "query { a b }", responseType: type)
                let text = #"{"data":\#(data),"errors":[{"message":"No."}]}"#
                return try GraphQLBody(request, loader: loader).response(Array(text.utf8))
            }
            guard case .failure(.error(let errors)) = try answer(#"{"a":null,"b":null}"#, as: JSONValue.self) else {
                Issue.record("nothing was answered")
                return
            }
            #expect(errors.map(\.message) == ["No."])
            guard case .failure(.partial) = try answer(#"{"a":null,"b":1}"#, as: JSONValue.self) else {
                Issue.record("a part was answered")
                return
            }
            guard case .failure(.transformationError) = try answer(#"{"a":null,"b":1}"#, as: Int.self) else {
                Issue.record("the answer does not fit the type")
                return
            }
        }

        @Test func changesAreSubscribedTo() async throws {
            try await withAPI { service in
                let events = Amplify.API.subscribe(request: .subscription(of: Post.self, type: .onCreate))
                var iterator = events.makeAsyncIterator()
                guard case .connection(.connecting)? = try await iterator.next(),
                    case .connection(.connected)? = try await iterator.next()
                else {
                    Issue.record("the connection was to be opened")
                    return
                }
                let post = Post(id: "p", title: "one", rating: 1, status: "a")
                _ = try await Amplify.API.mutate(request: .create(post)).get()
                guard case .data(.success(let received))? = try await iterator.next() else {
                    Issue.record("a change was expected")
                    return
                }
                #expect(received.id == "p" && received.title == "one")
                events.cancel()
                service.isDown.set(true)
                await #expect(throws: APIError.self) {
                    for try await _ in Amplify.API.subscribe(
                        request: GraphQLRequest<Post>.subscription(of: Post.self, type: .onCreate))
                    {}
                }
            }
        }

        @Test func networkErrorsHaveTheErrorOfTheTransport() {
            let code = URLError.Code.notConnectedToInternet
            let known = TransportError(.unsent, "no connection", underlyingError: URLError(code))
            #expect((APIError(known).underlyingError as? URLError)?.code == code)
            let unknown = TransportError(.unsent, "no connection")
            #expect(APIError(unknown).underlyingError is TransportError)
            #expect(known == unknown && known.hashValue == unknown.hashValue)
        }

        #if Sync
        @Test func errorsOfURLSessionKeepTheirCodes() async throws {
            let transport = try URLSessionSyncTransport(
                HTTPSyncConfiguration(endpoint: "http://127.0.0.1:\(ScriptedServer.closedPort)/graphql"))
            let request = WireRequest(authorization: .token("t", host: "127.0.0.1"), body: [])
            let error = await #expect(throws: TransportError.self) { _ = try await transport.send(request) }
            let cause = try #require(error?.underlyingError as? URLError)
            #expect(cause.code == .cannotConnectToHost && cause.userInfo.isEmpty)
            await transport.shutdown()
        }
        #endif

        @Test func whoIsSignedOutGetsAnErrorOfAuth() async throws {
            try await withAPI { service in
                service.isSignedOut.set(true)
                await #expect {
                    _ = try await Amplify.API.query(request: GraphQLRequest<Post?>.get(Post.self, byId: "p"))
                } throws: { error in
                    guard case .signedOut? = (error as? APIError)?.underlyingError as? AuthError else { return false }
                    return true
                }
            }
        }

        @Test func callsBeforeConfiguringFail() async throws {
            try await resetting {
                await #expect(throws: APIError.self) {
                    _ = try await Amplify.API.query(request: GraphQLRequest<Post?>.get(Post.self, byId: "p"))
                }
                #expect(throws: APIError.self) { try Amplify.API.getPlugin(for: "awsAPIPlugin") }
            }
        }
    }
}
