public import HoldfastModel
import HoldfastWire

/// How the kind of authorization of each request is chosen.
public enum AuthModeStrategyType: Sendable, Hashable {
    /// The one kind that the service is configured with.
    case `default`
    /// The kinds that the models' rules allow, one after the other until one is accepted.
    case multiAuth

    /// The rules by which the kinds are chosen, for code that sends requests itself.
    public func resolveStrategy() -> any AuthModeStrategy {
        switch self {
        case .default: AWSDefaultAuthModeStrategy()
        case .multiAuth: AWSMultiAuthModeStrategy()
        }
    }
}

/// Knows whether a user is signed in.
public protocol AuthModeStrategyDelegate: AnyObject {
    /// Whether a user is signed in.
    func isUserLoggedIn() async -> Bool
}

/// Which kinds of authorization a request may use.
public protocol AuthModeStrategy: AnyObject {
    /// Knows whether a user is signed in; without it no one is.
    var authDelegate: (any AuthModeStrategyDelegate)? { get set }

    /// Creates a strategy.
    init()

    /// The kinds of authorization for a request about a model's records, the one to try first at the front.
    func authTypesFor(schema: ModelSchema, operation: ModelOperation) async -> AWSAuthorizationTypeIterator

    /// The kinds for a request that does several things at once.
    func authTypesFor(schema: ModelSchema, operations: [ModelOperation]) async -> AWSAuthorizationTypeIterator
}

/// Always the kind that the service is configured with.
public final class AWSDefaultAuthModeStrategy: AuthModeStrategy {
    /// Not asked.
    public weak var authDelegate: (any AuthModeStrategyDelegate)?

    /// Creates a strategy.
    public init() {}

    /// The kind that the service is configured with.
    public func authTypesFor(schema: ModelSchema, operation: ModelOperation) async -> AWSAuthorizationTypeIterator {
        AWSAuthorizationTypeIterator(withValues: [.inferred])
    }

    /// The kind that the service is configured with.
    public func authTypesFor(schema: ModelSchema, operations: [ModelOperation]) async -> AWSAuthorizationTypeIterator {
        AWSAuthorizationTypeIterator(withValues: [.inferred])
    }
}

/// The kinds that a model's rules allow, in the order in which all clients of AWS try them.
public final class AWSMultiAuthModeStrategy: AuthModeStrategy {
    /// Knows whether a user is signed in; without it no one is.
    public weak var authDelegate: (any AuthModeStrategyDelegate)?

    /// Creates a strategy.
    public init() {}

    /// The kinds that the model's rules allow; that of the configuration if no rule says anything.
    public func authTypesFor(schema: ModelSchema, operation: ModelOperation) async -> AWSAuthorizationTypeIterator {
        await authTypesFor(schema: schema, operations: [operation])
    }

    /// The kinds that the model's rules allow for one of the operations; that of the configuration if there is none.
    public func authTypesFor(schema: ModelSchema, operations: [ModelOperation]) async -> AWSAuthorizationTypeIterator {
        let isSignedIn = await authDelegate?.isUserLoggedIn() ?? false
        let modes = WireModel.authModes(by: schema.authRules, for: operations, isSignedIn: isSignedIn)
        return AWSAuthorizationTypeIterator(
            withValues: modes.map { .designated(AWSAuthorizationType($0)) }, valuesOnEmpty: [.inferred])
    }
}

extension AWSAuthorizationType {
    /// The kind of a rule's provider.
    init(_ provider: AuthRuleProvider) {
        self =
            switch provider {
            case .apiKey: .apiKey
            case .oidc: .openIDConnect
            case .iam: .awsIAM
            case .userPools: .amazonCognitoUserPools
            case .function: .function
            }
    }
}
