import HoldfastStorage

/// Reads filters.
struct FilterReader {
    let dialect: FilterDialect

    /// The condition of a filter.
    func condition(
        _ filter: JSONValue, depth: Int, _ type: (String) -> FieldType?
    ) throws(WireError) -> FilterCondition {
        if filter.isNull { return .predicate(.all) }
        guard let object = filter.object else { throw WireError(.mismatch, "a value other than a filter object") }
        guard depth > 0 else { throw WireError(.limit, "a filter that is nested too deep") }
        var parts: [FilterCondition] = []
        for member in object.members where !member.value.isNull {
            do throws(WireError) {
                switch member.name {
                case "and": parts.append(.and(try all(member.value, depth: depth - 1, type)))
                case "or":
                    let filters = try all(member.value, depth: depth - 1, type)
                    if !filters.isEmpty { parts.append(.or(filters)) }
                case "not": parts.append(.not(try condition(member.value, depth: depth - 1, type)))
                default: parts.append(try field(member.name, member.value, type))
                }
            } catch {
                throw error.inMember(member.name)
            }
        }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    private func all(
        _ filters: JSONValue, depth: Int, _ type: (String) -> FieldType?
    ) throws(WireError) -> [FilterCondition] {
        // As everywhere in GraphQL, one value is allowed in place of a list of one.
        var parts: [FilterCondition] = []
        for (index, filter) in (filters.array ?? [filters]).enumerated() {
            do throws(WireError) { parts.append(try condition(filter, depth: depth, type)) } catch {
                throw error.inElement(index)
            }
        }
        return parts
    }

    // MARK: - Operators

    private func field(
        _ name: String, _ operators: JSONValue, _ type: (String) -> FieldType?
    ) throws(WireError) -> FilterCondition {
        guard let type = type(name) else { throw WireError(.unsupported, "a field that the model does not have") }
        guard let object = operators.object else {
            throw WireError(.mismatch, "a value other than an object of operators")
        }
        var parts: [FilterCondition] = []
        for member in object.members {
            do throws(WireError) {
                if let part = try comparison(name, type, member.name, member.value) { parts.append(part) }
            } catch {
                throw error.inMember(member.name)
            }
        }
        if dialect == .subscription, parts.count > 1 { return .or(parts) }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    /// The condition of an operator; `nil` for one that demands nothing.
    private func comparison(
        _ field: String, _ type: FieldType, _ name: String, _ operand: JSONValue
    ) throws(WireError) -> FilterCondition? {
        if let comparison = Predicate.Comparison(operatorName: name) {
            if operand.isNull {
                let isEquality = comparison == .equal || comparison == .notEqual
                return .predicate(isEquality ? .compare(field, comparison, .null) : .constant(false))
            }
            if type.isTemporal, let text = operand.string, (try? type.canonical(.text(text))) == nil {
                return .check(FilterCheck(field: field, question: .text(comparison, text)))
            }
            return .predicate(.compare(field, comparison, try value(operand, type)))
        }
        if operand.isNull { return nil }
        switch name {
        case "between":
            guard let bounds = operand.array, bounds.count == 2 else {
                throw WireError(.mismatch, "other than two bounds")
            }
            return .predicate(.between(field, try value(bounds[0], type), try value(bounds[1], type)))
        case "beginsWith":
            let text = try self.text(operand)
            if type == .date, text.utf8.count == 10, let day = try? type.canonical(.text(text)) {
                return .predicate(.compare(field, .equal, day))
            }
            if type.isTemporal { return .check(FilterCheck(field: field, question: .beginsWith(text))) }
            return .predicate(.beginsWith(field, text))
        case "contains": return try contains(field, type, operand)
        case "notContains":
            // Of a missing attribute the service says neither.
            return .and([.not(try contains(field, type, operand)), .predicate(.compare(field, .notEqual, .null))])
        case "in", "notIn":
            var values: [Value] = []
            for element in operand.array ?? [operand] { values.append(try value(element, type)) }
            return .predicate(name == "in" ? .isIn(field, values) : .not(.isIn(field, values)))
        case "attributeExists":
            guard let exists = operand.boolean else { throw WireError(.mismatch, "a value other than true or false") }
            return .predicate(.compare(field, exists ? .notEqual : .equal, .null))
        case "attributeType": return .check(FilterCheck(field: field, question: .attributeType(try text(operand))))
        case "size": return try sizes(field, operand)
        default: throw WireError(.unsupported, "an operator that is not known")
        }
    }

    private func contains(_ field: String, _ type: FieldType, _ operand: JSONValue) throws(WireError) -> FilterCondition
    {
        if type.isTemporal { return .check(FilterCheck(field: field, question: .contains(try text(operand)))) }
        var element = type
        if case .list(let inner, _) = type { element = inner }
        return .predicate(.contains(field, try value(operand, element)))
    }

    private func sizes(_ field: String, _ operand: JSONValue) throws(WireError) -> FilterCondition {
        guard let object = operand.object else {
            throw WireError(.mismatch, "a value other than an object of operators")
        }
        var checks: [FilterCondition] = []
        for member in object.members where !member.value.isNull {
            if let comparison = Predicate.Comparison(operatorName: member.name), let size = member.value.integer {
                checks.append(.check(FilterCheck(field: field, question: .size(comparison, size))))
            } else if member.name == "between", let lower = member.value[0]?.integer,
                let upper = member.value[1]?.integer
            {
                checks.append(.check(FilterCheck(field: field, question: .size(.greaterOrEqual, lower))))
                checks.append(.check(FilterCheck(field: field, question: .size(.lessOrEqual, upper))))
            } else {
                throw WireError(.mismatch, "a comparison that sizes do not have").inMember(member.name)
            }
        }
        return .and(checks)
    }

    private func value(_ operand: JSONValue, _ type: FieldType) throws(WireError) -> Value {
        try operand.cell(of: type, isLenient: true)
    }

    private func text(_ operand: JSONValue) throws(WireError) -> String {
        guard let text = operand.string else { throw WireError(.mismatch, "a value other than a string") }
        return text
    }
}

extension FieldType {
    fileprivate var isTemporal: Bool {
        switch self {
        case .date, .time, .dateTime: true
        default: false
        }
    }
}
