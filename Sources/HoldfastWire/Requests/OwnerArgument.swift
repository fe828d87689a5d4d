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
    /// The arguments that a subscription of a user needs by the rules of the model and its fields.
    ///
    /// Older services of AppSync refuse a subscription to the records of owners without the argument. With it a service
    /// sends no other records to a user who may read all of them, unless there is a filter. Without it, it judges by all
    /// rules.
    ///
    /// - Parameters:
    ///   - provider: How the user has signed in; rules for other providers are left out. `nil` for all rules that are
    ///     about users.
    ///   - groups: The groups of which the user is a member, by the claim `cognito:groups`.
    ///   - claim: The value of a claim of the user's token.
    /// - Returns: One argument if all that the user may read are the records of one field's owner, and the token has
    ///   the owner's name; otherwise none.
    public func ownerArguments(
        for provider: AuthRuleProvider? = nil, groups: [String] = [], claim: (String) -> String?
    ) -> [OwnerArgument] {
        let rules = readingRules(for: provider).filter { rule in
            !rule.excludes(groups) && (provider != nil || rule.allow != .public && rule.allow != .custom)
        }
        guard let rule = rules.first,
            rules.allSatisfy({
                $0.allow == .owner && $0.ownerName == rule.ownerName && $0.ownerClaim == rule.ownerClaim
            }),
            ownerFields.contains(rule.ownerName),
            // A name with colons in it could be the joined name of another user, so services refuse it.
            let value = claim(rule.ownerClaim), !value.isEmpty, !value.contains("::")
        else { return [] }
        return [OwnerArgument(name: rule.ownerName, value: value)]
    }
}

extension AuthRule {
    fileprivate var ownerName: String { ownerField ?? "owner" }

    /// The claim that names the owner.
    fileprivate var ownerClaim: String {
        // Tokens call it so since the rules were named after another kind of token.
        identityClaim.map { $0 == "cognito:username" ? "username" : $0 } ?? "username"
    }

    /// Whether the rule is about groups that are known not to be those of the user.
    fileprivate func excludes(_ memberships: [String]) -> Bool {
        allow == .groups && groupsField == nil && claimOfGroups == "cognito:groups"
            && !groups.contains(where: memberships.contains)
    }
}
