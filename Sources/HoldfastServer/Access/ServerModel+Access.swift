import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage

// What the rules of a model mean for one identity. What no rule allows is denied.
extension ServerModel {
    /// Whether an identity may do something with records.
    ///
    /// A user who may do it with one of the fields may do it with records; ``right(_:of:for:)`` then says which
    /// fields.
    func right(_ action: ModelAccess.Action, for identity: Identity) -> Right {
        right([action], for: identity)
    }

    /// Whether an identity may do one of some things with records.
    func right(_ actions: Set<ModelAccess.Action>, for identity: Identity) -> Right {
        if actions == [.delete] {
            // A record that is deleted loses every field.
            return access.fieldRules.values.reduce(right(access.rules, actions, identity)) {
                $0.and(right($1, actions, identity))
            }
        }
        return access.fieldRules.values.reduce(right(access.rules, actions, identity)) {
            $0.or(right($1, actions, identity))
        }
    }

    /// Whether an identity may do one of some things with a field.
    func right(_ actions: Set<ModelAccess.Action>, of field: String, for identity: Identity) -> Right {
        if !actions.isDisjoint(with: ModelAccess.reading), identity.denies(field, of: name) { return .deny }
        if let rules = access.fieldRules[field] { return right(rules, actions, identity) }
        if access.fieldRules.isEmpty || isOpen(field, to: actions) { return .allow }
        if let column = column(field), !column.isDeclared, !isSystem(field) {
            // The author has no place for rules on such a key but its relation; those may be about reading alone.
            let relation = relations.values.first { !$0.isList && $0.own.contains(field) }
            if let rules = relation.flatMap({ access.fieldRules[$0.field] }),
                rules.contains(where: { !$0.actions.isDisjoint(with: [.create, .update]) })
            {
                return right(rules, actions, identity)
            }
            if access.rules.isEmpty { return .allow }
        }
        return right(access.rules, actions, identity)
    }

    /// Whether a field without rules of its own is open to all who may do one of some things with the record.
    private func isOpen(_ field: String, to actions: Set<ModelAccess.Action>) -> Bool {
        // Only the key has to be named in order to write; other keys and declared times are values like others.
        actions.isDisjoint(with: ModelAccess.reading) ? key.contains(field) : isOpen(field)
    }

    /// Whether a field is shown to all who may read the record, unless it has rules of its own: it says where the record
    /// belongs, or the service sets it.
    func isOpen(_ field: String) -> Bool {
        key.contains(field) || isSystem(field) || relations.values.contains { $0.own.contains(field) }
    }

    /// Whether some fields have rules of their own.
    var hasFieldRules: Bool { !access.fieldRules.isEmpty }

    /// Whether an identity may use some fields and not others.
    func distinguishesFields(for identity: Identity) -> Bool { hasFieldRules || !identity.deniedFields.isEmpty }

    /// Those of some fields that have rules of their own, or that the identity is denied by name.
    func ruled(_ fields: [String], for identity: Identity) -> [String] {
        fields.filter { access.fieldRules[$0] != nil || identity.denies($0, of: name) }
    }

    func isSystem(_ field: String) -> Bool {
        guard let column = column(field) else { return field == "__typename" }
        return column.position >= version || column.position == createdAt || column.position == updatedAt
    }

    private func right(
        _ rules: [ModelAccess.Rule], _ actions: Set<ModelAccess.Action>, _ identity: Identity
    ) -> Right {
        rules.filter { $0.mode == identity.mode && !$0.actions.isDisjoint(with: actions) }
            .reduce(.deny) { $0.or(right($1, identity)) }
    }

    private func right(_ rule: ModelAccess.Rule, _ identity: Identity) -> Right {
        switch rule.allow {
        case "owner":
            let names = identity.names(by: rule.identityClaim ?? Self.ownerClaim)
            return rule.ownerField.map { holds($0, oneOf: names) } ?? .deny
        case "groups":
            let groups = identity.groups(by: rule.groupClaim ?? "cognito:groups")
            if let field = rule.groupsField { return holds(field, oneOf: groups) }
            return rule.groups.contains(where: groups.contains) ? .allow : .deny
        case "private": return identity.isGuest ? .deny : .allow
        case "public", "custom": return .allow
        default: return .deny
        }
    }

    private func holds(_ field: String, oneOf names: [String]) -> Right {
        guard let column = column(field), !names.isEmpty else { return .deny }
        let texts = names.map(Value.text)
        return .when(
            column.reference.isList ? .or(texts.map { .contains(field, $0) }) : .isIn(field, texts))
    }

    /// The claims that name an owner where a rule does not say.
    private static let ownerClaim = "sub::username"

    /// Whether a name is one of the identity's own, by the rules that speak of a field.
    func isOwner(_ name: String, _ identity: Identity, of field: String) -> Bool {
        let rules = access.rules + access.fieldRules.values.joined()
        return rules.contains { rule in
            rule.mode == identity.mode && rule.ownerField == field
                && identity.names(by: rule.identityClaim ?? Self.ownerClaim).contains(name)
        }
    }

    /// The owners that the service writes into a new record that names none.
    func owners(for identity: Identity) -> [(position: Int, value: Value)] {
        var result: [(position: Int, value: Value)] = []
        let rules = access.rules + access.fieldRules.keys.sorted().flatMap { access.fieldRules[$0] ?? [] }
        for rule in rules where rule.mode == identity.mode && rule.actions.contains(.create) {
            guard let name = rule.ownerField, let column = column(name),
                let owner = identity.names(by: rule.identityClaim ?? Self.ownerClaim).first,
                !result.contains(where: { $0.position == column.position })
            else { continue }
            result.append((column.position, column.reference.isList ? .list([.text(owner)]) : .text(owner)))
        }
        return result
    }

    /// The name of the identity if it owns new records by their `id`.
    func ownerID(for identity: Identity) -> String? {
        for owner in owners(for: identity) where columns[owner.position].name == "id" {
            if case .text(let name) = owner.value { return name }
        }
        return nil
    }
}

extension ModelAccess {
    /// The parts of reading: any of them is enough to be shown a field or a relation, as in AppSync.
    static let reading: Set<Action> = [.get, .list, .sync, .listen]
}
