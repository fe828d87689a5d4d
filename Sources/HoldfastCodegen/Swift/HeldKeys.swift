import HoldfastSchema

/// The keys that a model holds of the records of its has-one relations, in fields of their own.
///
/// What is stored and sent is these fields. An application may assign the record alone, as it may with the original, which
/// sends the record's key.
struct HeldKeys {
    private struct Part {
        let relation: ModelTypeField
        let field: ModelTypeField
        /// The field of the other model's key.
        let key: ModelTypeField

        var value: String {
            "\(relation.identifier)\(relation.isRequired ? "" : "?").\(key.identifier)"
        }
    }

    private var parts: [Part] = []

    init(of model: ModelType, in graph: ModelGraph) {
        for relation in model.fields where relation.relation?.kind == .hasOne {
            let targets = relation.relation?.targets ?? []
            guard let other = graph.models.first(where: { $0.name == relation.relation?.model }),
                // In the observer of a property the name means the record before.
                relation.name != "oldValue",
                targets.count == other.primaryKey.count, !targets.contains(where: model.primaryKey.contains)
            else { continue }
            let found = zip(targets, other.primaryKey).compactMap { target, key -> Part? in
                guard let field = model.fields.first(where: { $0.name == target && $0.value != nil }),
                    let key = other.fields.first(where: { $0.name == key && $0.value != nil }),
                    field.requiredType == key.requiredType, !field.isReadOnly
                else { return nil }
                return Part(relation: relation, field: field, key: key)
            }
            if found.count == targets.count { parts += found }
        }
    }

    /// What an initializer takes for a field if it is given no value, with the operator.
    func alternative(to field: ModelTypeField) -> String {
        guard !field.isRequired, let part = parts.first(where: { $0.field.name == field.name }) else { return "" }
        return " ?? \(part.value)"
    }

    /// What follows when a relation is assigned.
    func assignments(after relation: ModelTypeField) -> [String] {
        parts.filter { $0.relation.name == relation.name }.map { part in
            let isShared = parts.contains {
                $0.relation.name != relation.name && $0.field.name == part.field.name
            }
            // A field that must be there, or is a part of another key, stays if the record is taken away.
            return (part.field.isRequired || isShared) && !relation.isRequired
                ? "if let value = \(part.value) { self.\(part.field.identifier) = value }"
                : "self.\(part.field.identifier) = \(part.value)"
        }
    }
}
