import HoldfastGraphQL
import HoldfastSchema

/// Compares models with their operations, enums and embedded types by their names.
struct SchemaDiff {
    let old: AnnotatedSchema
    let new: AnnotatedSchema
    private(set) var changes: [SchemaDifference] = []

    init(old: AnnotatedSchema, new: AnnotatedSchema) {
        self.old = old
        self.new = new
    }

    mutating func compare() {
        pairs(old.models, new.models, \.name, "model") { diff, old, new in
            diff.compareModels(old, new)
            diff.compareHeldFields(old, new)
            diff.compareRules(old, new)
            diff.compareOperations(old, new)
        }
        pairs(old.graph.embedded, new.graph.embedded, \.name, "embedded type") { diff, old, new in
            diff.compareFields(old.fields, new.fields, of: old.name, isModel: false)
        }
        pairs(old.graph.enums, new.graph.enums, \.name, "enum") { diff, old, new in
            let addition = (
                SchemaDifference.Kind.breaking,
                "the value is new; applications without it cannot read records that have it"
            )
            diff.pairs(old.cases, new.cases, { "\(old.name).\($0.name)" }, "value", addition) { _, _, _ in }
        }
    }

    private mutating func add(_ kind: SchemaDifference.Kind, _ path: String, _ message: String) {
        changes.append(SchemaDifference(kind: kind, path: path, message: message))
    }

    private mutating func pairs<T>(
        _ old: [T], _ new: [T], _ name: (T) -> String, _ what: String,
        _ addition: (kind: SchemaDifference.Kind, message: String)? = nil,
        _ compare: (inout SchemaDiff, T, T) -> Void
    ) {
        let addition = addition ?? (.additive, "the \(what) is new")
        let others = Dictionary(new.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
        let known = Set(old.map(name))
        for item in old {
            if let other = others[name(item)] {
                compare(&self, item, other)
            } else {
                add(.breaking, name(item), "the \(what) was removed")
            }
        }
        for item in new where !known.contains(name(item)) { add(addition.kind, name(item), addition.message) }
    }

    // MARK: - Models

    private mutating func compareModels(_ oldModel: APIModel, _ newModel: APIModel) {
        let (old, new) = (oldModel.model, newModel.model)
        if old.primaryKey != new.primaryKey {
            add(
                .breaking, old.name,
                "the primary key is \(list(new.primaryKey)), was \(list(old.primaryKey)); records have to be stored again"
            )
        }
        for index in old.indexes where !new.indexes.contains(where: { $0.sameAs(index) }) {
            add(.storage, old.name, "the index \"\(index.name)\" on \(list(index.fields)) was removed")
        }
        for index in new.indexes where !old.indexes.contains(where: { $0.sameAs(index) }) {
            add(.storage, old.name, "the index \"\(index.name)\" on \(list(index.fields)) is new")
        }
        if old.plural != new.plural { add(.breaking, old.name, "the plural is \(new.plural), was \(old.plural)") }
        // A field that a relation took in before is new in code, but not in the API, and its values are there.
        let fields = new.fields.filter { old.field($0.name) != nil || oldModel.field($0.name) == nil }
        compareFields(old.fields, fields, of: old.name, isModel: true)
    }

    private func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }

    private mutating func compareRules(_ old: APIModel, _ new: APIModel) {
        let message = "the rules of @auth are others"
        if old.access.rules != new.access.rules { add(.breaking, old.name, message) }
        // A field that a relation takes in is not one of the model's, and its rules hold all the same.
        for field in old.fields where new.field(field.name) != nil {
            guard old.access.fieldRules[field.name] != new.access.fieldRules[field.name] else { continue }
            add(.breaking, "\(old.name).\(field.name)", message)
        }
    }

    private mutating func compareOperations(_ old: APIModel, _ new: APIModel) {
        let (known, present) = (old.operations, new.operations)
        for operation in known where !present.contains(operation) {
            add(.breaking, old.name, "the \(operation) was removed")
        }
        for operation in present where !known.contains(operation) {
            add(.additive, old.name, "the \(operation) is new")
        }
    }

    // MARK: - Fields

    private mutating func compareFields(
        _ old: [ModelTypeField], _ new: [ModelTypeField], of type: String, isModel: Bool
    ) {
        for field in old {
            let path = "\(type).\(field.name)"
            guard let other = new.first(where: { $0.name == field.name }) else {
                add(.breaking, path, "the field was removed")
                continue
            }
            compare(field, other, path)
        }
        for field in new where !old.contains(where: { $0.name == field.name }) {
            addField("\(type).\(field.name)", isRequired: field.isRequired)
        }
        let names = Set(new.map(\.name))
        let kept = old.map(\.name).filter(names.contains)
        let order = new.map(\.name).filter(Set(kept).contains)
        if isModel, kept != order { add(.storage, type, "the order of the fields is another") }
    }

    private mutating func compare(_ old: ModelTypeField, _ new: ModelTypeField, _ path: String) {
        if describe(old) != describe(new) {
            add(.breaking, path, "the type is \(describe(new)), was \(describe(old))")
        } else if old.isRequired != new.isRequired {
            addRequirement(path, isRequired: new.isRequired)
        } else if old.elementsAreRequired != new.elementsAreRequired, old.value != nil {
            add(.breaking, path, new.elementsAreRequired ? "elements cannot be null now" : "elements can be null now")
        }
        guard let relation = old.relation, let other = new.relation, relation.kind == other.kind else { return }
        if relation.targets != other.targets {
            add(.storage, path, "the key is kept in \(list(other.targets)), was in \(list(relation.targets))")
        }
    }

    /// Compares the keys that relations hold, which clients send as fields.
    private mutating func compareHeldFields(_ old: APIModel, _ new: APIModel) {
        for field in old.heldFields {
            let path = "\(old.name).\(field.name)"
            guard let type = new.field(field.name)?.type else {
                add(.breaking, path, "the field was removed")
                continue
            }
            if !type.nullable.isSame(as: field.type.nullable) {
                add(.breaking, path, "the type is \(type.nullable), was \(field.type.nullable)")
            } else if type.isNonNull != field.type.isNonNull {
                addRequirement(path, isRequired: type.isNonNull)
            }
        }
        for field in new.heldFields where old.field(field.name) == nil {
            addField("\(new.name).\(field.name)", isRequired: field.type.isNonNull)
        }
    }

    private mutating func addField(_ path: String, isRequired: Bool) {
        add(
            isRequired ? .breaking : .additive, path,
            "the field is new" + (isRequired ? " and required, which older records are without" : ""))
    }

    private mutating func addRequirement(_ path: String, isRequired: Bool) {
        add(
            .breaking, path,
            isRequired
                ? "the field is required now, which older records may be without"
                : "the field can be null now, which code does not expect")
    }

    private func describe(_ field: ModelTypeField) -> String {
        guard let relation = field.relation else { return field.isList ? "[\(field.scalar)]" : field.scalar }
        return switch relation.kind {
        case .belongsTo: "a relation to the \(relation.model) that it belongs to"
        case .hasOne: "a relation to one \(relation.model)"
        case .hasMany: "a relation to many \(relation.model)"
        }
    }
}

extension ModelIndex {
    fileprivate func sameAs(_ other: ModelIndex) -> Bool { name == other.name && fields == other.fields }
}

extension APIModel {
    /// The fields that only the API has: keys that the model in code holds as a part of its relations.
    fileprivate var heldFields: [APIField] {
        fields.filter { field in
            // The rules say who the owner is.
            if case .owner = field.origin { return false }
            return model.field(field.name) == nil
        }
    }

    /// What clients can ask for, by what it does and its name.
    fileprivate var operations: [String] {
        var operations = ModelSettings.Operation.allCases.compactMap { operation in
            settings.names[operation].map { "operation \"\($0)\" (\(operation.rawValue))" }
        }
        for index in indexes {
            // Its fields are the arguments.
            guard let query = index.query else { continue }
            operations.append("query \"\(query)\" (by \(index.fields.joined(separator: ", ")))")
        }
        for (mutation, names) in settings.subscriptions {
            operations += names.map { "subscription \"\($0)\" (of \(mutation.rawValue))" }
        }
        return operations
    }
}
