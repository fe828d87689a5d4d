#if Sync
public import HoldfastModel

/// Returns the token of the user who is signed in.
///
/// It is called before each request, so it should keep the token and return it as long as it is valid.
///
/// - Parameter isRefused: Whether the service has just refused the token that the closure returned last, so that
///   another must be asked for. It is `true` at most once for each refused request.
/// - Returns: The token, without `Bearer`; `nil` if no one is signed in.
/// - Throws: Anything if there is no token now but may be later, for instance without a network. The request is then
///   sent later.
public typealias TokenProvider = @Sendable (_ isRefused: Bool) async throws -> String?

/// Returns AWS credentials, as a ``TokenProvider`` returns tokens.
public typealias AWSCredentialsProvider = @Sendable (_ isRefused: Bool) async throws -> AWSCredentials?

/// One way to say who makes a request.
///
/// It prints without its secrets.
public enum AuthMode: Sendable {
    /// With the key of the application.
    case apiKey(String)
    /// With a token of a user pool.
    case userPools(TokenProvider)
    /// With a token of an OpenID Connect provider.
    case oidc(TokenProvider)
    /// With a token that a function of the service examines.
    case function(TokenProvider)
    /// With AWS credentials, by signing; the region is the one in the address if it is `nil`.
    case iam(region: String?, AWSCredentialsProvider)
    /// Without credentials, for services that need none.
    case none

    /// How rules of models call the mode; `nil` for ``none``.
    public var provider: AuthRuleProvider? {
        switch self {
        case .apiKey: .apiKey
        case .userPools: .userPools
        case .oidc: .oidc
        case .function: .function
        case .iam: .iam
        case .none: nil
        }
    }

    /// Whether the mode needs a user.
    var needsUser: Bool {
        switch self {
        case .userPools, .oidc: true
        case .apiKey, .function, .iam, .none: false
        }
    }
}

extension AuthMode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The mode's name.
    public var description: String { provider?.rawValue ?? "none" }

    /// The mode's name.
    public var debugDescription: String { description }

    /// Nothing, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
