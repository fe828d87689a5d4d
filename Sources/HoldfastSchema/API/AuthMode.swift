/// A way in which a request proves who sends it.
public enum AuthMode: String, Hashable, Sendable, CaseIterable {
    /// A key that the application carries.
    case apiKey = "API_KEY"
    /// A token of the user pool.
    case userPools = "AMAZON_COGNITO_USER_POOLS"
    /// A signature with credentials of AWS.
    case iam = "AWS_IAM"
    /// A token of another issuer.
    case oidc = "OPENID_CONNECT"
    /// A token that a function checks.
    case function = "AWS_LAMBDA"
}
