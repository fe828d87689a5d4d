public import HoldfastModel

/// An argument with which a subscription says whose records it wants.
public struct OwnerArgument: Sendable, Hashable {
    /// The field that names the owner.
    public var name: String
    /// The user's name.
    public var value: String

    /// Creates an argument.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension WireModel {
    /// The arguments that a subscription of a user needs by the model's rules.
    ///
    /// - Parameters:
    ///   - provider: How the user has signed in; rules for other providers are left out. `nil` for all rules.
    ///   - groups: The groups of which the user is a member.
    ///   - claim: The value of a claim of the user's token; an empty text is sent for a missing one.
    /// - Returns: The arguments in the order of the rules, one for each field; none if a rule allows one of the groups
    ///   to read everything.
    public func ownerArguments(
        for provider: AuthRuleProvider? = nil, groups: [String] = [], claim: (String) -> String?
    ) -> [OwnerArgument] {
        let rules = authRules.filter(modelOperation: .read).filter {
            provider == nil || $0.provider == nil || $0.provider == provider
        }
        let isMember = rules.contains { rule in
            rule.allow == .groups && rule.groups.contains(where: groups.contains)
        }
        if isMember { return [] }
        var arguments: [OwnerArgument] = []
        for rule in rules where rule.allow == .owner {
            let name = rule.ownerField ?? "owner"
            guard ownerFields.contains(name), !arguments.contains(where: { $0.name == name }) else { continue }
            // Tokens call it so since the rules were named after another kind of token.
            let claimName = rule.identityClaim.map { $0 == "cognito:username" ? "username" : $0 } ?? "username"
            arguments.append(OwnerArgument(name: name, value: claim(claimName) ?? ""))
        }
        return arguments
    }
}
