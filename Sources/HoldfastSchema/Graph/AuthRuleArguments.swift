import HoldfastGraphQL

/// The arguments of one rule of `@auth` by their names.
struct AuthRuleArguments {
    /// How users of each strategy sign in.
    static let providers = [
        "owner": ["userPools", "oidc"], "groups": ["userPools", "oidc"],
        "public": ["apiKey", "identityPool", "iam"], "private": ["userPools", "identityPool", "iam", "oidc"],
        "custom": ["function"],
    ]

    /// The rules that directives state; empty without `@auth`.
    static func all(in directives: [Directive]) -> [AuthRuleArguments] {
        (directives.first(.auth)?.argument("rules")?.elements ?? []).compactMap(AuthRuleArguments.init)
    }

    let location: Location
    private let entries: [ObjectField]

    private init?(_ value: GraphQLValue) {
        guard case .object(let entries) = value.content else { return nil }
        self.entries = entries
        location = value.location
    }

    /// An argument that is given and not null.
    subscript(_ name: String) -> GraphQLValue? {
        entries.first { $0.name.text == name && $0.value.content != .null }?.value
    }

    func text(_ name: String) -> String? { self[name]?.string }

    var allow: String? { text("allow") }

    /// The field that names owners, if the rule is about them.
    var ownerField: String? { allow == "owner" ? text("ownerField") ?? "owner" : nil }

    var groups: [String] { self["groups"]?.strings ?? [] }

    /// The field that names groups, if the rule is about them and names none itself.
    var groupsField: String? {
        allow == "groups" ? text("groupsField") ?? (groups.isEmpty ? "groups" : nil) : nil
    }

    var identityClaim: String? { text("identityClaim") ?? text("identityField") }

    /// What the rule allows, in the spelling of either generation; `nil` if it does not say, and allows all.
    var operations: [String]? {
        if let operations = self["operations"]?.strings { return operations }
        guard self["queries"] != nil || self["mutations"] != nil else { return nil }
        return (self["mutations"]?.strings ?? []) + (self["queries"]?.strings ?? [])
    }
}

extension GraphQLValue {
    /// The values of a list, or a single value, which stands for a list of one.
    var elements: [GraphQLValue] { if case .list(let values) = content { values } else { [self] } }

    /// The texts of a list, or of a single value.
    var strings: [String]? {
        if case .list(let values) = content { return values.compactMap(\.string) }
        return string.map { [$0] }
    }
}
