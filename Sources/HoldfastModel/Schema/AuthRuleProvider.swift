/// How the user of an ``AuthRule`` has signed in.
public enum AuthRuleProvider: String, Sendable, Hashable, Codable {
    /// With the key of the application.
    case apiKey
    /// With a token of an OpenID Connect provider.
    case oidc
    /// With AWS credentials.
    case iam
    /// With a token of a user pool.
    case userPools
    /// With a token that a function of the service examines.
    case function
}
