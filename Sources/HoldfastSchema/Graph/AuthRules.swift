import HoldfastGraphQL

/// Reads `@auth`.
enum AuthRules {
    /// The rules that directives state; empty without `@auth`.
    static func rules(in directives: [Directive]) -> [ModelRule] {
        let directive = directives.first(.auth)
        guard case .list(let values) = directive?.argument("rules")?.content else { return [] }
        return values.compactMap(rule(from:))
    }

    private static func rule(from value: GraphQLValue) -> ModelRule? {
        guard case .object(let entries) = value.content else { return nil }
        var arguments: [String: GraphQLValue] = [:]
        for entry in entries { arguments[entry.name.text] = entry.value }
        guard let allow = arguments["allow"]?.string else { return nil }
        let provider = arguments["provider"]?.string ?? defaultProvider(of: allow)
        var rule = ModelRule(
            allow: allow, provider: provider == "identityPool" ? "iam" : provider, operations: operations(arguments))
        switch allow {
        case "owner":
            rule.ownerField = arguments["ownerField"]?.string ?? "owner"
            rule.identityClaim =
                arguments["identityClaim"]?.string ?? arguments["identityField"]?.string ?? "cognito:username"
        case "groups":
            rule.groupClaim = arguments["groupClaim"]?.string ?? "cognito:groups"
            rule.groups = arguments["groups"]?.strings ?? []
            rule.groupsField = arguments["groupsField"]?.string ?? (rule.groups.isEmpty ? "groups" : nil)
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
    private static func operations(_ arguments: [String: GraphQLValue]) -> [String] {
        let all = ["create", "update", "delete", "read"]
        var stated = arguments["operations"]?.strings
        if stated == nil, arguments["queries"] != nil || arguments["mutations"] != nil {
            stated = (arguments["mutations"]?.strings ?? []) + (arguments["queries"]?.strings ?? [])
        }
        guard let stated else { return all }
        var result: [String] = []
        for operation in stated {
            let name = all.contains(operation) ? operation : "read"
            if !result.contains(name) { result.append(name) }
        }
        return result
    }
}

extension GraphQLValue {
    /// The texts of a list, or of a single value, which stands for a list of one.
    var strings: [String]? {
        if case .list(let values) = content { return values.compactMap(\.string) }
        return string.map { [$0] }
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
