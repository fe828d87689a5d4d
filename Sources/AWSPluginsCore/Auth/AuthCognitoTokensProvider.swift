public import Amplify

/// The tokens of a user of a user pool.
public protocol AuthCognitoTokens: Sendable {
    /// Says who the user is.
    var idToken: String { get }
    /// Says what the user may do; requests carry it.
    var accessToken: String { get }
    /// With it new tokens are fetched.
    var refreshToken: String { get }
}

/// A session with the tokens of a user pool.
public protocol AuthCognitoTokensProvider {
    /// The tokens, or why there are none.
    func getCognitoTokens() -> Result<any AuthCognitoTokens, AuthError>
}

/// A session with what identifies the user at AWS.
public protocol AuthCognitoIdentityProvider {
    /// The user's identifier in an identity pool.
    func getIdentityId() -> Result<String, AuthError>

    /// The user's identifier in a user pool.
    func getUserSub() -> Result<String, AuthError>
}
