/// Puts the conditions of a sync query into the order in which a service reads an index instead of the whole model.
///
/// AppSync reads an index if the first of the joined conditions is an `eq` on the index's first field. A comparison of
/// the sort field must come second. Every other condition filters what was read, and must not name a field of that
/// index: DynamoDB refuses it.
struct SyncFilterOrder: Sendable {
    /// The fields of the declared keys and indexes, by their names on the wire.
    let keys: [[String]]
    /// The fields that every record has, by their names on the wire.
    let fixedFields: Set<String>

    /// The operators with which AppSync reads a range of the sort field.
    ///
    /// It answers `between` with an error, and overlooks the others.
    private static let rangeOperators: Set<String> = ["eq", "lt", "le", "gt", "ge", "beginsWith"]

    /// The same conditions, with those on the fields of an index first.
    func ordered(_ conditions: [WireValue]) -> [WireValue] {
        for (first, condition) in conditions.enumerated() where startsKey(condition) {
            if let ordered = ordered(conditions, from: first) { return ordered }
        }
        guard let first = conditions.first, startsKey(first) else { return conditions }
        // In a group of its own it does not begin the reading of an index that the rest does not allow.
        return [["and": [first]]] + conditions.dropFirst()
    }

    private func ordered(_ conditions: [WireValue], from first: Int) -> [WireValue]? {
        let field = conditions[first].comparison?.field
        // The keys of several sort fields are one text in DynamoDB, so that their fields are like any other.
        let sortFields = Set(keys.filter { $0.count == 2 && $0[0] == field }.map { $0[1] })
        let second = conditions.indices.first { position in
            guard position != first, let comparison = conditions[position].comparison else { return false }
            return sortFields.contains(comparison.field) && Self.rangeOperators.contains(comparison.name)
        }
        // Without a range AppSync takes any index that begins with the field, and DynamoDB has only those records in an index
        // that have its sort fields: the others would look as if they were gone.
        let lacksRecords = keys.contains { $0.first == field && !fixedFields.isSuperset(of: $0.dropFirst()) }
        if second == nil, lacksRecords { return nil }
        let keyFields = second.flatMap { conditions[$0].comparison.map { [$0.field] } } ?? sortFields
        let rest = conditions.indices.filter { $0 != first && $0 != second }.map { conditions[$0] }
        let names = rest.reduce(into: Set<String>()) { $0.formUnion($1.fieldNames) }
        guard names.isDisjoint(with: keyFields), field.map(names.contains) == false else { return nil }
        return [conditions[first]] + (second.map { [conditions[$0]] } ?? []) + rest
    }

    /// Whether a condition is the equality with which a key can be read.
    private func startsKey(_ condition: WireValue) -> Bool {
        guard let comparison = condition.comparison, comparison.name == "eq" else { return false }
        let hasValue = !comparison.operand.isNull && comparison.operand.string != ""
        return hasValue && keys.contains { $0.first == comparison.field }
    }
}

extension WireValue {
    /// The parts of a condition that is one comparison of one field.
    fileprivate var comparison: (field: String, name: String, operand: WireValue)? {
        guard let members = object?.members, members.count == 1,
            let operators = members[0].value.object?.members, operators.count == 1, members[0].name != "not"
        else { return nil }
        return (members[0].name, operators[0].name, operators[0].value)
    }

    /// The fields that a condition names, also in groups.
    fileprivate var fieldNames: Set<String> {
        (object?.members ?? []).reduce(into: []) { names, member in
            switch member.name {
            case "and", "or": for part in member.value.array ?? [] { names.formUnion(part.fieldNames) }
            case "not": names.formUnion(member.value.fieldNames)
            default: names.insert(member.name)
            }
        }
    }
}
