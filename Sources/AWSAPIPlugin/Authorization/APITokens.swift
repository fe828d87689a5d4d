public import AWSPluginsCore
public import Amplify

/// Where the tokens of requests come from: the providers of an `APIAuthProviderFactory`, and `Amplify.Auth` for those
/// of a user pool if no provider has them, and for credentials of AWS.
public struct APITokens: Sendable {
    private let providers: [AWSAuthorizationType: any AmplifyAuthTokenProvider]

    /// Asks a factory for its providers.
    public init(_ factory: APIAuthProviderFactory?) {
        var providers: [AWSAuthorizationType: any AmplifyAuthTokenProvider] = [:]
        providers[.openIDConnect] = factory?.oidcAuthProvider()
        providers[.function] = factory?.functionAuthProvider()
        providers[.amazonCognitoUserPools] = factory?.userPoolAuthProvider()
        self.providers = providers
    }

    /// Whether there are tokens, or credentials, of a kind.
    public func has(_ type: AWSAuthorizationType) -> Bool {
        providers[type] != nil || isOfAuth(type) || type == .awsIAM && Amplify.Auth.isConfigured
    }

    /// A token of a kind.
    ///
    /// - Parameters:
    ///   - type: The kind.
    ///   - isRefused: Whether the service has refused the last one, so that `Amplify.Auth` is to fetch another. A
    ///     provider cannot be asked for that: it says itself when a token must be replaced.
    /// - Returns: `nil` if no one is signed in, which a provider says with `nil`, `AuthError.signedOut`, or
    ///   `AuthError.sessionExpired`.
    /// - Throws: Any other error of the provider, which has no token at the moment.
    public func token(_ type: AWSAuthorizationType, refreshing isRefused: Bool = false) async throws -> String? {
        do {
            if let provider = providers[type] { return try await provider.currentAuthToken() }
            guard isOfAuth(type) else { return nil }
            return try await AWSAuthService().getUserPoolAccessToken(refreshing: isRefused)
        } catch AuthError.signedOut, AuthError.sessionExpired {
            // The user has to sign in again; waiting does not help.
            return nil
        }
    }

    /// The credentials with which requests are signed.
    ///
    /// - Parameter isRefused: Whether the service has refused the last ones, so that `Amplify.Auth` is to fetch others.
    /// - Returns: `nil` if no one is signed in, and guests have none.
    /// - Throws: What `Amplify.Auth` throws; there are none at the moment.
    public func credentials(refreshing isRefused: Bool = false) async throws -> (any AWSCredentials)? {
        do {
            return try await AWSAuthService().getAWSCredentials(refreshing: isRefused)
        } catch AuthError.signedOut, AuthError.sessionExpired {
            // The user has to sign in again; waiting does not help.
            return nil
        }
    }

    /// Who is signed in to `Amplify.Auth`.
    ///
    /// - Returns: `nil` if no one is, for those who are federated to an identity pool, and without a plug-in for it.
    /// - Throws: What `Amplify.Auth` throws; it cannot be said at the moment.
    func user() async throws -> String? {
        guard Amplify.Auth.isConfigured else { return nil }
        do {
            return try await Amplify.Auth.getCurrentUser().userId
        } catch AuthError.signedOut, AuthError.sessionExpired, AuthError.invalidState {
            // Amplify's plug-in has no user where there are credentials of an identity pool alone.
            return nil
        }
    }

    private func isOfAuth(_ type: AWSAuthorizationType) -> Bool {
        type == .amazonCognitoUserPools && providers[type] == nil && Amplify.Auth.isConfigured
    }
}
