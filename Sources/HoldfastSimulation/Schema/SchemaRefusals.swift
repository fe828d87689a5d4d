import HoldfastGraphQL
import HoldfastSchema

/// What of a schema a simulation cannot judge; it is refused, so that no verdict is wrong.
struct SchemaRefusals {
    private(set) var problems: [SchemaProblem] = []
    private let sources: [Source]
    private let models: [String: APIModel]

    init(_ schema: ServiceSchema, _ sources: [Source]) {
        self.sources = sources
        models = Dictionary(schema.models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for model in schema.models {
            checkRules(of: model)
            checkOperations(of: model)
            checkRelations(of: model)
        }
    }

    private mutating func add(_ message: String, _ model: APIModel, _ hint: String) {
        let location = model.model.location
        let source = sources.first { $0.index == location.source && location != .none }
        problems.append(
            SchemaProblem(
                message: "\"\(model.name)\" cannot be simulated: \(message)", hint: hint, source: source?.name ?? "",
                location: location))
    }

    private static let reading: Set<ModelAccess.Action> = [.get, .list, .sync, .listen]

    private mutating func checkRules(of model: APIModel) {
        let count = problems.count
        for field in model.access.fieldRules.keys.sorted() {
            add(
                "the field \"\(field)\" has rules of its own", model,
                "Simulate a copy of the schema with rules for whole models only.")
        }
        for rule in model.access.rules {
            if rule.allow == "custom" || rule.mode == .function {
                add(
                    "the rule \(rule.text) asks a function", model,
                    "Simulate a copy of the schema with a rule for owners, groups, or everyone in its place.")
            }
            let read = rule.actions.intersection(Self.reading)
            if !read.isEmpty, read != Self.reading {
                add(
                    "the rule \(rule.text) allows only a part of reading", model,
                    "Write \"read\": devices get, list, synchronize, and listen.")
            }
        }
        if !model.access.rules.contains(where: { $0.actions.isSuperset(of: Self.reading) }),
            problems.count == count
        {
            add("no rule lets anyone read it", model, "Add \"@auth(rules: [{ allow: public }])\", or rules for users.")
        }
    }

    private mutating func checkOperations(of model: APIModel) {
        let names = model.settings.names
        let title = Names.upperFirst(model.name)
        let expected: [ModelSettings.Operation: String] = [
            .get: "get" + title, .list: "list" + model.model.plural, .sync: "sync" + model.model.plural,
            .create: "create" + title, .update: "update" + title, .delete: "delete" + title,
        ]
        if names != expected || model.settings.subscriptions.count != 3 {
            add(
                "\"@model\" renames or removes operations, and devices know them by their usual names only", model,
                "Simulate a copy of the schema with all operations.")
        }
    }

    /// A device learns of a relation only if its user may read the other record.
    private mutating func checkRelations(of model: APIModel) {
        for field in model.model.fields {
            guard let relation = field.relation, relation.kind != .hasMany, let other = models[relation.model] else {
                continue
            }
            for rule in model.access.rules where rule.actions.isSuperset(of: Self.reading) {
                let isCovered = other.access.rules.contains { Self.covers($0, rule) }
                if isCovered { continue }
                add(
                    "the rule \(rule.text) shows records whose \"\(field.name)\" no rule of \"\(other.name)\" shows",
                    model, "Let the same users read \"\(other.name)\".")
            }
        }
    }

    /// Whether everyone who may read a user's records by one rule may do so by another one.
    private static func covers(_ other: ModelAccess.Rule, _ rule: ModelAccess.Rule) -> Bool {
        guard other.mode == rule.mode, other.actions.isSuperset(of: reading) else { return false }
        if ["public", "private"].contains(other.allow) { return true }
        guard other.allow == rule.allow, other.identityClaim == rule.identityClaim else { return false }
        if rule.allow == "owner" { return other.actions.contains(.create) == rule.actions.contains(.create) }
        if rule.groupsField != nil { return other.groupsField != nil }
        return other.groupsField == nil && Set(rule.groups).isSubset(of: other.groups)
    }
}

extension ModelAccess.Rule {
    /// The rule as its author may have written it.
    fileprivate var text: String {
        var parts = ["allow: \(allow)"]
        if let ownerField, ownerField != "owner" { parts.append("ownerField: \"\(ownerField)\"") }
        if !groups.isEmpty { parts.append("groups: [\(groups.map { "\"\($0)\"" }.joined(separator: ", "))]") }
        if let groupsField { parts.append("groupsField: \"\(groupsField)\"") }
        return "{ \(parts.joined(separator: ", ")) }"
    }
}
