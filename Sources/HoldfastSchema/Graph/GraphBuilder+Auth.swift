import HoldfastGraphQL

// What `@auth` may say; the limits are those of the service.
extension GraphBuilder {
    /// Reports the rules on a type and on its fields that the service would refuse.
    mutating func checkAuth(of type: SchemaType) {
        let isModel = definitions[type.name] != nil
        if let directive = type.definition.directive(.auth) {
            if isModel {
                checkRules(directive, on: type.name, of: type)
            } else if !roots.contains(type.name) {
                problems.add(
                    "\"@auth\" is on \"\(type.name)\", which is not a model", at: directive.location,
                    "Add \"@model\", or put the rules on the models that hold it.")
            }
        }
        for field in type.fields {
            guard let directive = field.directives.first(.auth) else { continue }
            checkRules(directive, on: "\(type.name).\(field.name)", of: type, field: field)
        }
    }

    /// Reports the rules inside types that models store, which a service here would not enforce.
    ///
    /// What only operations of the application's own return is not served.
    mutating func checkServedRules() {
        let stored = storedTypes
        for type in own where stored.contains(type.name) {
            for field in type.fields {
                guard let directive = field.directives.first(.auth) else { continue }
                problems.add(
                    "the service does not enforce rules inside \"\(type.name)\", which is not a model",
                    at: directive.location, "Put the rules on the fields of the models that hold it.")
            }
        }
    }

    private mutating func checkRules(
        _ directive: Directive, on name: String, of type: SchemaType, field: FieldDefinition? = nil
    ) {
        guard let rules = directive.argument("rules") else { return }
        if rules.elements.isEmpty {
            problems.add(
                "\"@auth\" on \"\(name)\" has no rules", at: directive.location,
                "Write a rule, for instance \"{ allow: owner }\", or leave \"@auth\" out.")
        }
        for rule in AuthRuleArguments.all(in: [directive]) {
            checkProvider(rule)
            checkArguments(rule, of: type)
            checkOperations(rule, isOnField: field != nil)
            if definitions[type.name] != nil {
                checkOwner(rule, of: type)
                checkNames(rule, of: type)
            }
        }
    }

    private mutating func checkProvider(_ rule: AuthRuleArguments) {
        guard let allow = rule.allow, let provider = rule["provider"], let name = provider.string,
            let known = AuthRuleArguments.providers[allow], !known.contains(name)
        else { return }
        problems.add(
            "\"allow: \(allow)\" does not go with the provider \"\(name)\"", at: provider.location,
            "Use \(known.joined(separator: " or ")).")
    }

    private mutating func checkArguments(_ rule: AuthRuleArguments, of type: SchemaType) {
        let allow = rule.allow
        if allow == "groups", let claim = rule["identityClaim"] {
            problems.add(
                "\"identityClaim\" goes with \"allow: owner\" only", at: claim.location,
                "The claim that lists groups is \"groupClaim\".")
        }
        if allow == "owner", let claim = rule["groupClaim"] {
            problems.add(
                "\"groupClaim\" goes with \"allow: groups\" only", at: claim.location,
                "The claim that names a user is \"identityClaim\".")
        }
        guard allow == "groups" else { return }
        if let groups = rule["groups"] {
            if rule["groupsField"] != nil {
                problems.add(
                    "a rule has both \"groups\" and \"groupsField\"", at: groups.location, "Make two rules of it.")
            } else if groups.strings?.isEmpty ?? true {
                problems.add("\"groups\" names no group", at: groups.location, "Name one, or leave the rule out.")
            }
        } else if rule["groupsField"] == nil, type.field("groups") == nil {
            problems.add(
                "a rule allows groups without saying which", at: rule.location,
                "Name them with \"groups\", or the field that names them with \"groupsField\".")
        }
    }

    private mutating func checkOperations(_ rule: AuthRuleArguments, isOnField: Bool) {
        guard let value = rule["operations"], let operations = value.strings else { return }
        let parts = operations.filter { !["create", "update", "delete", "read"].contains($0) }
        guard let part = parts.first else { return }
        if isOnField {
            problems.add(
                "\"\(part)\" is not an operation on a field", at: value.location, "Write \"read\".")
        } else if operations.contains("read") {
            problems.add(
                "\"\(part)\" is a part of \"read\", which the rule allows too", at: value.location,
                "Leave one of them out.")
        }
    }

    private mutating func checkOwner(_ rule: AuthRuleArguments, of type: SchemaType) {
        guard rule.allow == "owner", let owner = rule["ownerField"], let name = owner.string,
            let key = model(type.name)?.primaryKey.dropFirst(), key.contains(name)
        else { return }
        problems.add(
            "\"\(type.name).\(name)\" is a sort key and names the owner", at: owner.location,
            "Make it the first field of the key, or no part of it.")
    }

    /// Reports a field that should name users or groups and cannot; one that is not declared names owners as a String.
    private mutating func checkNames(_ rule: AuthRuleArguments, of type: SchemaType) {
        guard let name = rule.ownerField ?? rule.groupsField, let field = type.field(name),
            let named = schema?.type(field.type.name.text)
        else { return }
        let scalar = GraphQLScalar(rawValue: named.name)
        // Text that has a syntax of its own can be a name if users have such names.
        let holdsName = scalar?.valueKind == .string && scalar != .json && scalar != .address
        guard !holdsName, rule.groupsField == nil || named.kind != .enum else { return }
        let value = rule["ownerField"] ?? rule["groupsField"]
        problems.add(
            "\"\(type.name).\(name)\" names who has rights, but \"\(named.name)\" cannot hold a name",
            at: value?.location ?? rule.location, "Make it a String, or a list of them.")
    }
}
