import AWSPluginsCore
import Amplify
import HoldfastSync

#if Sync
import HoldfastSyncHTTP
#endif

/// HTTP and WebSocket, where the package was built with them.
struct DefaultSessionFactory: APISessionFactory {
    func makeSession(_ request: APISessionRequest) throws -> APISession {
        #if Sync
        do {
            let authorizer = try RequestAuthorizer(
                endpoint: request.endpoint.url, modes: try request.types.map { try AuthMode($0, request) },
                order: request.strategy == .multiAuth ? .rules : .given,
                account: request.account)
            let configuration = HTTPSyncConfiguration(endpoint: request.endpoint.url)
            #if canImport(Network)
            return APISession(
                transport: try configuration.makeTransport(), authorization: authorizer.authorization,
                networkChanges: { PathMonitor().changes() })
            #else
            let monitor = TransportMonitor(try HTTPSyncTransport(configuration))
            return APISession(
                transport: monitor, authorization: authorizer.authorization, networkChanges: { monitor.changes() })
            #endif
        } catch let error as HTTPSyncConfigurationError {
            throw APIError.invalidConfiguration(
                "The API '\(request.endpoint.name)' cannot be used: \(error).", "Correct the configuration.")
        }
        #else
        throw APIError.invalidConfiguration(
            "There is no transport to the API '\(request.endpoint.name)'.",
            "Enable the trait 'Sync' of the package 'holdfast', or give AWSAPIPlugin a session factory.")
        #endif
    }
}

#if Sync
extension APISessionRequest {
    /// Who is signed in to Auth: of AWS credentials and opaque tokens nothing else says whose they are.
    fileprivate var account: (@Sendable () async throws -> String?)? {
        guard types.contains(.awsIAM) || types.contains(.function) else { return nil }
        return { [tokens] in try await tokens.user() }
    }
}

extension AuthMode {
    fileprivate init(_ type: AWSAuthorizationType, _ request: APISessionRequest) throws {
        let (endpoint, tokens) = (request.endpoint, request.tokens)
        let provider: TokenProvider = { try await tokens.token(type, refreshing: $0) }
        switch type {
        case .none: self = .none
        case .apiKey: self = .apiKey(endpoint.apiKey ?? "")
        case .amazonCognitoUserPools: self = .userPools(provider)
        case .openIDConnect: self = .oidc(provider)
        case .function: self = .function(provider)
        case .awsIAM:
            guard tokens.has(type) else { throw APIError.withoutCredentials(endpoint) }
            self = .iam(region: endpoint.region) {
                try await tokens.credentials(refreshing: $0).map { SigningCredentials($0) }
            }
        }
        guard type == .none || type == .apiKey || tokens.has(type) else {
            throw APIError.invalidConfiguration(
                "Requests to the API '\(endpoint.name)' need a token of the kind '\(type.rawValue)'.",
                "Give AWSAPIPlugin an APIAuthProviderFactory with a provider of such tokens.")
        }
    }
}
#endif
