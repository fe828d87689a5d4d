import HoldfastGraphQL

/// Reads `@auth`.
enum AuthRules {
    /// The rules that directives state; empty without `@auth`.
    static func rules(in directives: [Directive]) -> [ModelRule] {
        AuthRuleArguments.all(in: directives).compactMap(rule(from:))
    }

    private static func rule(from arguments: AuthRuleArguments) -> ModelRule? {
        guard let allow = arguments.allow else { return nil }
        let provider = arguments.text("provider") ?? defaultProvider(of: allow)
        var rule = ModelRule(
            allow: allow, provider: provider == "identityPool" ? "iam" : provider,
            operations: operations(arguments.operations))
        rule.ownerField = arguments.ownerField
        rule.groupsField = arguments.groupsField
        switch allow {
        case "owner": rule.identityClaim = arguments.identityClaim ?? "cognito:username"
        case "groups":
            rule.groupClaim = arguments.text("groupClaim") ?? "cognito:groups"
            rule.groups = arguments.groups
        default: break
        }
        return rule
    }

    private static func defaultProvider(of allow: String) -> String {
        switch allow {
        case "public": "apiKey"
        case "custom": "function"
        default: "userPools"
        }
    }

    /// Create, update, delete and read, of which getting, listing and listening are parts.
    private static func operations(_ stated: [String]?) -> [String] {
        let all = ["create", "update", "delete", "read"]
        guard let stated else { return all }
        var result: [String] = []
        for operation in stated {
            let name = all.contains(operation) ? operation : "read"
            if !result.contains(name) { result.append(name) }
        }
        return result
    }
}

/// Reads the names of timestamps from `@model`.
enum Timestamps {
    static func names(of type: TypeDefinition?) -> [String] {
        let fields = fields(of: type)
        return [fields.created, fields.updated].compactMap { $0 }
    }

    static func fields(of type: TypeDefinition?) -> APITimestamps {
        let value = type?.directive(.model)?.argument("timestamps")
        func name(_ standard: String) -> String? {
            guard let value else { return standard }
            guard case .object(let entries) = value.content else { return nil }
            guard let entry = entries.first(where: { $0.name.text == standard }) else { return standard }
            return entry.value.string
        }
        return APITimestamps(created: name("createdAt"), updated: name("updatedAt"))
    }
}
