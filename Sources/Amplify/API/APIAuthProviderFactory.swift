/// Returns the tokens with which requests show who makes them.
public protocol AmplifyAuthTokenProvider: Sendable {
    /// A token, without `Bearer`.
    typealias AuthToken = String

    /// The token of the user who is signed in.
    ///
    /// It is asked before each request, so it keeps the token and returns it as long as it is good.
    ///
    /// - Throws: Anything if there is no token now but may be later; the request is then sent later.
    func getLatestAuthToken() async throws -> AuthToken

    /// The token of the user who is signed in, or `nil` if no one is; by default ``getLatestAuthToken()``.
    func currentAuthToken() async throws -> AuthToken?
}

extension AmplifyAuthTokenProvider {
    /// The token of ``getLatestAuthToken()``.
    public func currentAuthToken() async throws -> AuthToken? { try await getLatestAuthToken() }
}

/// Returns tokens of an OpenID Connect provider.
public protocol AmplifyOIDCAuthProvider: AmplifyAuthTokenProvider {}

/// Returns tokens that a function of the service examines.
public protocol AmplifyFunctionAuthProvider: AmplifyAuthTokenProvider {}

/// Returns tokens of a user pool, from whatever signs users in.
public protocol AmplifyUserPoolAuthProvider: AmplifyAuthTokenProvider {}

/// Makes the providers of tokens; an application overrides what it has.
open class APIAuthProviderFactory {
    /// Creates a factory without providers.
    public init() {}

    /// The provider of OpenID Connect tokens; `nil` by default.
    open func oidcAuthProvider() -> (any AmplifyOIDCAuthProvider)? { nil }

    /// The provider of tokens for a function of the service; `nil` by default.
    open func functionAuthProvider() -> (any AmplifyFunctionAuthProvider)? { nil }

    /// The provider of tokens of a user pool; `nil` by default.
    open func userPoolAuthProvider() -> (any AmplifyUserPoolAuthProvider)? { nil }
}
