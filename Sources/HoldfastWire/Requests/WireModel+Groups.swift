public import HoldfastModel

extension WireModel {
    /// Whether it depends on the groups of a user which records or fields the user may read.
    ///
    /// - Parameter provider: How the user has signed in; rules for other providers are left out. `nil`, the default, for
    ///   all rules.
    /// - Returns: Whether there is a rule about groups.
    public func isReadByGroups(for provider: AuthRuleProvider? = nil) -> Bool {
        readingRules(for: provider).contains { $0.allow == .groups }
    }

    /// Those of a user's groups that decide which records or fields the user may read.
    ///
    /// - Parameters:
    ///   - provider: How the user has signed in; rules for other providers are left out. `nil`, the default, for all
    ///     rules.
    ///   - claim: The groups that a claim of the user's token lists.
    /// - Returns: The groups, each with the name of its claim; without those that no rule names.
    public func readingGroups(for provider: AuthRuleProvider? = nil, claim: (String) -> [String]) -> Set<String> {
        var groups: Set<String> = []
        for rule in readingRules(for: provider) where rule.allow == .groups {
            for group in claim(rule.claimOfGroups) where rule.groupsField != nil || rule.groups.contains(group) {
                groups.insert("\(rule.claimOfGroups) \(group)")
            }
        }
        return groups
    }

    /// The rules about reading records or fields of them.
    func readingRules(for provider: AuthRuleProvider?) -> AuthRules {
        (authRules + fieldRules).filter(modelOperation: .read).filter { rule in
            provider == nil || (rule.provider ?? rule.allow.defaultProvider) == provider
        }
    }
}

extension AuthRule {
    /// The claim of the token that lists the user's groups.
    var claimOfGroups: String { groupClaim ?? "cognito:groups" }
}

extension WireValue {
    /// The groups that a claim of a token names: a list, a text that is the JSON of a list, or one name.
    package var groupNames: [String] {
        switch self {
        case .array(let groups): return groups.compactMap(\.string)
        case .string(let text):
            let list = (try? WireValue(parsing: Array(text.utf8)))?.array
            return list?.compactMap(\.string) ?? [text]
        default: return []
        }
    }
}
