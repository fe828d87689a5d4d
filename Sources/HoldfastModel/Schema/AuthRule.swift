/// Who may do what with a model's records or with one of its fields.
///
/// Holdfast stores the rules for the service; the store itself is not protected by them.
///
/// ```swift
/// let rules = Post.schema.authRules  // of `@auth(rules: [{ allow: owner }])`
/// let isOwned = rules.contains { $0.allow == .owner }
/// ```
public struct AuthRule: Sendable, Hashable {
    /// Who is allowed.
    public let allow: AuthStrategy
    /// The field that names the owner; `nil` for the service's default, `owner`.
    public let ownerField: String?
    /// The claim of the token that identifies the user; `nil` for the service's default.
    public let identityClaim: String?
    /// The claim of the token that lists the user's groups; `nil` for the service's default.
    public let groupClaim: String?
    /// The groups that are allowed, if they are fixed.
    public let groups: [String]
    /// The field that names the groups that are allowed, if each record has its own.
    public let groupsField: String?
    /// How the user has signed in; `nil` for the service's default.
    public let provider: AuthRuleProvider?
    /// What is allowed; empty for everything.
    public let operations: [ModelOperation]

    /// Creates a rule; every parameter but the strategy has the default named at its property.
    public init(
        allow: AuthStrategy, ownerField: String? = nil, identityClaim: String? = nil, groupClaim: String? = nil,
        groups: [String] = [], groupsField: String? = nil, provider: AuthRuleProvider? = nil,
        operations: [ModelOperation] = []
    ) {
        self.allow = allow
        self.ownerField = ownerField
        self.identityClaim = identityClaim
        self.groupClaim = groupClaim
        self.groups = groups
        self.groupsField = groupsField
        self.provider = provider
        self.operations = operations
    }
}

/// Whom an ``AuthRule`` allows.
public enum AuthStrategy: String, Sendable, Hashable, Codable {
    /// The user that the record names as its owner.
    case owner
    /// The members of groups.
    case groups
    /// Every user that has signed in.
    case `private`
    /// Everyone with the application's key.
    case `public`
    /// Whom a function of the service allows.
    case custom
}

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

/// What an ``AuthRule`` allows.
public enum ModelOperation: String, Sendable, Hashable, Codable, CaseIterable {
    /// Creating records.
    case create
    /// Changing records.
    case update
    /// Deleting records.
    case delete
    /// Reading records.
    case read
}

/// The rules of a model or a field.
public typealias AuthRules = [AuthRule]

extension [AuthRule] {
    /// The rules that speak of an operation; rules without operations speak of all.
    public func filter(modelOperation operation: ModelOperation) -> AuthRules {
        filter { $0.operations.isEmpty || $0.operations.contains(operation) }
    }
}
