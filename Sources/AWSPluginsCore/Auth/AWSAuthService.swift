public import Amplify
import HoldfastWire

/// The tokens and credentials of the session of `Amplify.Auth`.
public struct AWSAuthService: Sendable {
    /// Creates a service.
    public init() {}

    /// The access token of the user pool.
    ///
    /// - Parameter isRefused: Whether the service has refused the token, so that Auth is to fetch another.
    /// - Returns: The token, without `Bearer`.
    /// - Throws: `AuthError` `.signedOut` if no one is signed in; `.configuration` without a plug-in, and with one
    ///   whose session has no tokens of a user pool; what the plug-in throws.
    public func getUserPoolAccessToken(refreshing isRefused: Bool = false) async throws -> String {
        let session = try await session(refreshing: isRefused)
        guard session.isSignedIn else { throw AuthError.signedOut("No one is signed in.", "Sign in first.") }
        guard let provider = session as? any AuthCognitoTokensProvider else {
            throw AuthError.configuration(
                "The session of the Auth plug-in has no tokens of a user pool.",
                "Make the session an AuthCognitoTokensProvider, or give AWSAPIPlugin an APIAuthProviderFactory.")
        }
        return try provider.getCognitoTokens().get().accessToken
    }

    /// The credentials of AWS.
    ///
    /// - Parameter isRefused: Whether the service has refused the credentials, so that Auth is to fetch others.
    /// - Returns: The credentials, of a user or of a guest.
    /// - Throws: `AuthError` `.configuration` without a plug-in, and with one whose session has no such credentials;
    ///   what the plug-in and its session throw.
    public func getAWSCredentials(refreshing isRefused: Bool = false) async throws -> any AWSCredentials {
        guard let provider = try await session(refreshing: isRefused) as? any AuthAWSCredentialsProvider else {
            throw AuthError.configuration(
                "The session of the Auth plug-in has no credentials of AWS.",
                "Make the session an AuthAWSCredentialsProvider.")
        }
        return try provider.getAWSCredentials().get()
    }

    private func session(refreshing isRefused: Bool) async throws -> any AuthSession {
        try await Amplify.Auth.fetchAuthSession(options: isRefused ? .forceRefresh() : nil)
    }

    /// What a token says of its user; it is read, not verified.
    ///
    /// - Returns: The claims, or `AuthError` `.validation` for a text that is not a signed token of JSON.
    public func getTokenClaims(tokenString: String) -> Result<IdentityClaimsDictionary, AuthError> {
        let parts = tokenString.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let claims = try? WireValue(
                base64: String(parts[1]), limits: JSONLimits(bytes: 64 << 10, depth: 16, values: 4_096)
            ).object
        else {
            return .failure(
                .validation("tokenString", "The text is not a signed token of JSON.", "Use a token of a user pool."))
        }
        return .success(claims.dictionary ?? [:])
    }
}
