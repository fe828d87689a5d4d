public import AWSPluginsCore

/// What is wanted of a session.
public struct APISessionRequest: Sendable {
    /// The service.
    public let endpoint: APIEndpoint
    /// The kinds of authorization that may be used, the one to try first at the front.
    public let types: [AWSAuthorizationType]
    /// How one of them is chosen for a request.
    public let strategy: AuthModeStrategyType
    /// Where tokens come from.
    public let tokens: APITokens
}

/// Makes the ways to services, for tests and for applications with transports of their own.
public protocol APISessionFactory: Sendable {
    /// Makes a session; may be called several times for one service.
    ///
    /// - Throws: `APIError` `.invalidConfiguration` if it cannot be made.
    func makeSession(_ request: APISessionRequest) throws -> APISession
}
