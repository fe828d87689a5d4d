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

/// The rules of a model or a field.
public typealias AuthRules = [AuthRule]

extension [AuthRule] {
    /// The rules that speak of an operation; rules without operations speak of all.
    public func filter(modelOperation operation: ModelOperation) -> AuthRules {
        filter { $0.operations.isEmpty || $0.operations.contains(operation) }
    }
}
