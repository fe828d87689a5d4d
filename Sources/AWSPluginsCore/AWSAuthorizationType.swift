public import Amplify

/// How a request shows who sends it.
public enum AWSAuthorizationType: String, Sendable, Hashable, CaseIterable, Codable, AuthorizationMode {
    /// Not at all.
    case none = "NONE"
    /// By a key of the application.
    case apiKey = "API_KEY"
    /// By a signature with keys of AWS.
    case awsIAM = "AWS_IAM"
    /// By a token of an OpenID Connect provider.
    case openIDConnect = "OPENID_CONNECT"
    /// By a token of a Cognito user pool.
    case amazonCognitoUserPools = "AMAZON_COGNITO_USER_POOLS"
    /// By a token that a function of the service checks.
    case function = "AWS_LAMBDA"

    /// Whether requests of this kind need an Auth plug-in.
    public var requiresAuthPlugin: Bool {
        switch self {
        case .awsIAM, .amazonCognitoUserPools: true
        case .none, .apiKey, .openIDConnect, .function: false
        }
    }
}
