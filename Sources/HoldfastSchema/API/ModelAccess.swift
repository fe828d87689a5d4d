import HoldfastGraphQL

/// Which modes may do what with a model, as the rules on it and on its fields say.
package struct ModelAccess: Sendable {
    /// One thing that a rule can allow.
    package enum Action: CaseIterable, Sendable {
        case get, list, sync, listen, create, update, delete
    }

    /// A rule as written, with the actions that it allows.
    package struct Rule: Hashable, Sendable {
        package var allow: String
        package var mode: AuthMode
        package var actions: Set<Action>
        package var ownerField: String?
        package var groupsField: String?
        package var groups: [String]
        package var identityClaim: String?
        package var groupClaim: String?
    }

    /// The rules on the type.
    package let rules: [Rule]
    /// The rules on fields that have some; other fields follow the type.
    package let fieldRules: [String: [Rule]]
    private let fieldNames: [String]

    /// Reads the rules of a model.
    init(type: TypeDefinition) {
        rules = Self.rules(in: type.directives)
        fieldNames = type.fields.map(\.name.text)
        var fieldRules: [String: [Rule]] = [:]
        for field in type.fields where field.directives.first(.auth) != nil {
            fieldRules[field.name.text] = Self.rules(in: field.directives)
        }
        self.fieldRules = fieldRules
    }

    /// The rules of a model between two others, which has those of both.
    init(joining first: ModelAccess, _ second: ModelAccess) {
        rules = first.rules + second.rules
        fieldNames = []
        fieldRules = [:]
    }

    private var allRules: [Rule] { rules + fieldNames.flatMap { fieldRules[$0] ?? [] } }

    /// The modes that may do anything at all.
    var modes: Set<AuthMode> { Set(allRules.map(\.mode)) }

    /// The modes that may do one of some actions with the model, if only with one of its fields.
    func modes(for actions: Set<Action>) -> Set<AuthMode> {
        if actions == [.delete] { return modesForDeleting }
        return Set(allRules.filter { !$0.actions.isDisjoint(with: actions) }.map(\.mode))
    }

    /// Deleting a record deletes each of its fields, so at least one user must be allowed to delete all of them.
    private var modesForDeleting: Set<AuthMode> {
        guard !fieldRules.isEmpty else { return Set(rules.filter { $0.actions.contains(.delete) }.map(\.mode)) }
        let identities = allRules.map(Identity.init)
        return Set(
            zip(allRules, identities).filter { _, identity in
                fieldNames.allSatisfy { name in
                    (fieldRules[name] ?? rules).contains { $0.actions.contains(.delete) && Identity($0) == identity }
                }
            }.map { $0.0.mode })
    }

    /// Whom a rule speaks of.
    private struct Identity: Hashable {
        var allow: String
        var mode: AuthMode
        var ownerField: String?
        var groupsField: String?
        var groups: [String]

        init(_ rule: Rule) {
            (allow, mode, ownerField, groupsField, groups) =
                (rule.allow, rule.mode, rule.ownerField, rule.groupsField, rule.groups)
        }
    }

    /// The fields that name owners, each once.
    var ownerFields: [String] { unique(allRules.compactMap(\.ownerField)) }

    /// The fields that name owners who may listen, each once.
    var listeningOwnerFields: [String] {
        unique(allRules.filter { $0.actions.contains(.listen) }.compactMap(\.ownerField))
    }

    /// The fields that name groups, each once.
    var groupFields: [String] { unique(allRules.compactMap(\.groupsField)) }

    private func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    // MARK: - Reading

    private static func rules(in directives: [Directive]) -> [Rule] {
        AuthRuleArguments.all(in: directives).compactMap(rule)
    }

    private static func rule(_ arguments: AuthRuleArguments) -> Rule? {
        guard let allow = arguments.allow else { return nil }
        return Rule(
            allow: allow, mode: mode(allow, arguments.text("provider")), actions: actions(arguments.operations),
            ownerField: arguments.ownerField, groupsField: arguments.groupsField, groups: arguments.groups,
            identityClaim: arguments.identityClaim, groupClaim: arguments.text("groupClaim"))
    }

    private static func mode(_ allow: String, _ provider: String?) -> AuthMode {
        switch provider {
        case "apiKey": .apiKey
        case "iam", "identityPool": .iam
        case "oidc": .oidc
        case "userPools": .userPools
        case "function": .function
        default: allow == "public" ? .apiKey : allow == "custom" ? .function : .userPools
        }
    }

    private static func actions(_ stated: [String]?) -> Set<Action> {
        guard let stated else { return Set(Action.allCases) }
        return stated.reduce(into: []) { actions, operation in
            switch operation {
            case "create": actions.insert(.create)
            case "update": actions.insert(.update)
            case "delete": actions.insert(.delete)
            case "get": actions.insert(.get)
            case "list": actions.insert(.list)
            case "sync": actions.insert(.sync)
            case "listen": actions.insert(.listen)
            case "read": actions.formUnion([.get, .list, .sync, .listen])
            default: break
            }
        }
    }
}
