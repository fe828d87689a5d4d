public import HoldfastModel

extension WireModel {
    /// The ways to sign in that may be allowed an operation by the model's rules, the one to try first at the front.
    ///
    /// The same order as in all three clients of AWS: rules for functions, owners, groups, everyone signed in,
    /// everyone; and for equal ones functions, user pools, OpenID Connect, IAM, the key. When one is refused, the
    /// next is tried.
    ///
    /// - Parameters:
    ///   - operation: What is asked for.
    ///   - isSignedIn: Whether there is a user; without one only rules for functions and for everyone count.
    /// - Returns: Each way once; empty if no rule says anything, which asks for the default of the API.
    public func authModes(for operation: ModelOperation, isSignedIn: Bool) -> [AuthRuleProvider] {
        Self.authModes(by: authRules, for: [operation], isSignedIn: isSignedIn)
    }

    /// The same by rules, for a request that does several things.
    public static func authModes(
        by authRules: AuthRules, for operations: [ModelOperation], isSignedIn: Bool
    ) -> [AuthRuleProvider] {
        let rules = operations.flatMap { authRules.filter(modelOperation: $0) }.filter { rule in
            isSignedIn || rule.allow == .public || rule.allow == .custom
        }
        let ranked = rules.map { rule in
            let mode = rule.provider ?? rule.allow.defaultProvider
            return (strategy: rule.allow.rank, provider: mode.rank, mode: mode)
        }
        var modes: [AuthRuleProvider] = []
        for rule in ranked.sorted(by: { ($0.strategy, $0.provider) < ($1.strategy, $1.provider) })
        where !modes.contains(rule.mode) {
            modes.append(rule.mode)
        }
        return modes
    }
}

extension AuthStrategy {
    fileprivate var rank: Int {
        switch self {
        case .custom: 0
        case .owner: 1
        case .groups: 2
        case .private: 3
        case .public: 4
        }
    }

    /// What proves who a user is where a rule does not say.
    var defaultProvider: AuthRuleProvider {
        switch self {
        case .custom: .function
        case .owner, .groups, .private: .userPools
        case .public: .apiKey
        }
    }
}

extension AuthRuleProvider {
    fileprivate var rank: Int {
        switch self {
        case .function: 0
        case .userPools: 1
        case .oidc: 2
        case .iam: 3
        case .apiKey: 4
        }
    }
}
