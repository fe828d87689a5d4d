public import AWSPluginsCore
public import Amplify
public import HoldfastModel
import HoldfastStorage
import HoldfastSync

/// The API: requests to GraphQL and REST services, and the DataStore's way to its service.
///
/// With this plug-in and `AWSDataStorePlugin` the DataStore is synchronized with the service of the configuration:
///
/// ```swift
/// try Amplify.add(plugin: AWSAPIPlugin())
/// try Amplify.add(plugin: AWSDataStorePlugin(modelRegistration: AmplifyModels()))
/// try Amplify.configure()
/// ```
///
/// The services are those of `amplifyconfiguration.json` (under `api.plugins.awsAPIPlugin`) or the one of
/// `amplify_outputs.json` (under `data`).
public final class AWSAPIPlugin: APICategoryPlugin, DataStoreSyncSource, DefaultLogger {
    /// The name that the service of `amplify_outputs.json` has.
    public static let defaultGraphQLAPI = "defaultGraphQLAPI"

    /// The name under which the plug-in is found.
    public let key: PluginKey = "awsAPIPlugin"

    /// The plug-in's logger.
    public static var log: any Logger { Amplify.Logging.logger(forCategory: CategoryType.api.displayName) }

    // Immutable and generated: a class with constants only.
    private nonisolated(unsafe) let modelRegistration: (any AmplifyModelRegistration)?
    private let sessionFactory: (any APISessionFactory)?
    let tokens: APITokens
    /// Sends the requests to REST services.
    let http: HTTPRequests
    /// Whether ``http`` sends the requests to GraphQL services as well.
    private let sendsAllOverSessions: Bool
    private let interceptors = Mutex<[String: [any URLRequestInterceptor]]>([:])
    private let endpoints = Mutex<[APIEndpoint]>([])
    private let sessions = Mutex<[SessionKey: APISession]>([:])
    /// The subscriptions of the application that run.
    let subscriptions = RunningSubscriptions()

    private struct SessionKey: Hashable {
        let endpoint: APIEndpoint
        let type: AWSAuthorizationType
    }

    /// Creates a plug-in.
    ///
    /// - Parameters:
    ///   - modelRegistration: The models, if no DataStore registers them.
    ///   - sessionFactory: Makes the ways to services; by default HTTP and WebSocket, with the package trait `Sync`.
    ///   - apiAuthProviderFactory: Where tokens come from; asked once, here.
    public init(
        modelRegistration: (any AmplifyModelRegistration)? = nil, sessionFactory: (any APISessionFactory)? = nil,
        apiAuthProviderFactory: APIAuthProviderFactory? = nil
    ) {
        self.modelRegistration = modelRegistration
        self.sessionFactory = sessionFactory
        tokens = APITokens(apiAuthProviderFactory)
        http = HTTPRequests(URLSessionFactory.makeDefault())
        sendsAllOverSessions = false
    }

    /// Creates a plug-in that sends all requests over HTTP through sessions of its own.
    ///
    /// Sockets are opened as by default, with the package trait `Sync`.
    ///
    /// - Parameters:
    ///   - modelRegistration: The models, if no DataStore registers them.
    ///   - sessionFactory: Makes the sessions.
    ///   - apiAuthProviderFactory: Where tokens come from; asked once, here.
    public init(
        modelRegistration: (any AmplifyModelRegistration)? = nil, sessionFactory: any URLSessionBehaviorFactory,
        apiAuthProviderFactory: APIAuthProviderFactory? = nil
    ) {
        self.modelRegistration = modelRegistration
        self.sessionFactory = SessionlessFactory()
        tokens = APITokens(apiAuthProviderFactory)
        http = HTTPRequests(sessionFactory)
        sendsAllOverSessions = true
    }

    /// Has an interceptor look at all later requests over HTTP to a service, after those that were added before.
    ///
    /// It sees the DataStore's requests as well, and no sockets. Of a request to a GraphQL service it may change the
    /// headers and the body.
    ///
    /// - Throws: `PluginError` `.pluginConfigurationError` if the configuration has no such service.
    public func add(interceptor: any URLRequestInterceptor, for apiName: String) throws {
        guard endpoints.withLock({ $0.contains { $0.name == apiName } }) else {
            throw PluginError.pluginConfigurationError(
                "The configuration has no API '\(apiName)'.",
                "Configure Amplify first, and use the name of one that it has.")
        }
        interceptors.withLock { $0[apiName, default: []].append(interceptor) }
    }

    /// The interceptors of requests to a service.
    func interceptors(of apiName: String) -> [any URLRequestInterceptor] {
        interceptors.withLock { $0[apiName] ?? [] }
    }

    /// Reads the services, and registers the models.
    ///
    /// - Parameter configuration: The plug-in's part of `amplifyconfiguration.json`, or `AmplifyOutputsData`.
    /// - Throws: `PluginError` `.pluginConfigurationError` if there is none, or it is not what is expected.
    public func configure(using configuration: Any?) throws {
        let found = try APIEndpoint.all(in: configuration)
        endpoints.withLock { $0 = found }
        modelRegistration?.registerModels(registry: ModelRegistry.self)
    }

    /// Ends all subscriptions, and forgets the services.
    public func reset() async {
        subscriptions.cancel()
        endpoints.withLock { $0 = [] }
        sessions.withLock { $0 = [:] }
        interceptors.withLock { $0 = [:] }
        await http.reset()
    }

    /// The way to the DataStore's service, and who makes requests.
    ///
    /// - Throws: `APIError` `.invalidConfiguration` if there is no GraphQL service or more than one, or no way to it.
    public func syncSession(for models: [ModelSchema], strategy: AuthModeStrategyType) throws -> APISession {
        let endpoint = try endpoint(named: nil)
        let types = strategy == .multiAuth ? endpoint.offeredTypes(tokens) : [endpoint.authorizationType]
        return try session(
            APISessionRequest(endpoint: endpoint, types: types, strategy: strategy, tokens: tokens))
    }

    /// The service of a name, or the only one of its type.
    func endpoint(named name: String?, _ type: APIEndpointType = .graphQL) throws -> APIEndpoint {
        let all = endpoints.withLock { $0 }.filter { $0.endpointType == type }
        if let name {
            guard let endpoint = all.first(where: { $0.name == name }) else {
                throw APIError.invalidConfiguration(
                    "The configuration has no \(type.rawValue) API '\(name)'.", "Use the name of one that it has.")
            }
            return endpoint
        }
        guard let endpoint = all.first, all.count == 1 else {
            throw APIError.invalidConfiguration(
                "The configuration has \(all.count) \(type.rawValue) APIs where one is expected.",
                "Name the one that is meant, or leave one in the configuration.")
        }
        return endpoint
    }

    /// The session for requests of the application in one kind of authorization; made once.
    func session(with endpoint: APIEndpoint, _ type: AWSAuthorizationType) throws -> APISession {
        let key = SessionKey(endpoint: endpoint, type: type)
        if let session = sessions.withLock({ $0[key] }) { return session }
        let made = try session(
            APISessionRequest(endpoint: endpoint, types: [type], strategy: .default, tokens: tokens))
        return sessions.withLock { sessions in
            let session = sessions[key] ?? made
            sessions[key] = session
            return session
        }
    }

    private func session(_ request: APISessionRequest) throws -> APISession {
        var session = try (sessionFactory ?? DefaultSessionFactory()).makeSession(request)
        let name = request.endpoint.name
        session.transport = InterceptedTransport(
            base: session.transport, url: request.endpoint.url, http: sendsAllOverSessions ? http : nil,
            interceptors: { [weak self] in self?.interceptors(of: name) ?? [] })
        return session
    }
}
