package import HoldfastModel
package import HoldfastStorage

extension ModelSchema {
    /// A condition as the service is asked for it: AppSync filter JSON, each operator as it was written.
    ///
    /// One text for each condition as it was made: its members have a fixed order, and there are no spaces.
    ///
    /// - Parameters:
    ///   - predicate: The condition as it was made.
    ///   - entity: What keeps the records, if operands are to be of the kinds of their fields, as the store compares
    ///     them; `nil` for those that were given.
    /// - Returns: The condition, with the names that columns have in the store and without constants; `nil` for none, for
    ///   one that holds for every record or for none, and for one that a service cannot decide, because it asks for more
    ///   than the record's own fields, or for an element of a list of numbers or booleans.
    package func serviceCondition(
        _ predicate: (any QueryPredicate)?, of entity: EntitySchema? = nil
    ) -> String? {
        guard let predicate, predicate.constantValue == nil else { return nil }
        var json = JSONText()
        return write(predicate, of: entity, to: &json) ? json.text : nil
    }

    private func write(
        _ predicate: any QueryPredicate, of entity: EntitySchema?, to json: inout JSONText
    ) -> Bool {
        switch predicate {
        case let operation as QueryPredicateOperation:
            let columns = columns(named: operation.field)
            guard path(operation.field).count == 1, columns.count == 1 else { return false }
            if operation.operator.asksForElement, entity?.hasNumbersOrBooleans(columns[0]) ?? false { return false }
            json.object([columns[0]]) { json, column in
                json.name(column)
                json.comparison(operation.operator) { entity?.comparable($0, with: column) ?? $0 }
            }
            return true
        case let group as QueryPredicateGroup:
            var isWhole = true
            // As the group itself can be true and false, what is left out holds in an `and`, and does not elsewhere.
            let parts = group.predicates.filter { $0.constantValue == nil }
            json.object([group.type]) { json, type in
                json.name(type.rawValue)
                if type == .not, let only = parts.first, parts.count == 1 {
                    isWhole = write(only, of: entity, to: &json)
                } else if type == .not {
                    json.object(["or"]) { json, name in
                        json.name(name)
                        isWhole = write(parts, of: entity, to: &json)
                    }
                } else {
                    isWhole = write(parts, of: entity, to: &json)
                }
            }
            return isWhole
        default: return false
        }
    }

    private func write(
        _ parts: [any QueryPredicate], of entity: EntitySchema?, to json: inout JSONText
    ) -> Bool {
        var isWhole = true
        json.array(parts) { json, part in
            if !write(part, of: entity, to: &json) { isWhole = false }
        }
        return isWhole
    }
}

extension QueryOperator {
    fileprivate var asksForElement: Bool {
        switch self {
        case .contains, .notContains: true
        default: false
        }
    }
}

extension EntitySchema {
    /// Whether a field is a list for whose elements the service has no `contains`.
    fileprivate func hasNumbersOrBooleans(_ name: String) -> Bool {
        guard case .list(let element) = field(named: name)?.type.storageType else { return false }
        return [.integer, .double, .boolean].contains(element)
    }
}

extension QueryPredicate {
    /// Whether the condition holds for every record or for none, because of constants; `nil` if the record matters.
    fileprivate var constantValue: Bool? {
        switch self {
        case is QueryPredicateConstant: return true
        case let group as QueryPredicateGroup:
            let values = group.predicates.map { $0.constantValue }
            let isAnd = group.type == .and
            // One false part decides an `and`, one true part all others.
            if values.contains(!isAnd) { return group.type == .or }
            return values.contains(nil) ? nil : group.type != .or
        default: return nil
        }
    }
}

extension JSONText {
    /// Writes an object with one operator of AppSync's filters.
    ///
    /// - Parameters:
    ///   - comparison: The operator.
    ///   - converted: An operand as the service should see it.
    fileprivate mutating func comparison(_ comparison: QueryOperator, converted: (Value) -> Value) {
        let (name, value): (String, Value) =
            switch comparison {
            case .notEqual(let value): ("ne", converted(value?.storageValue ?? .null))
            case .equals(let value): ("eq", converted(value?.storageValue ?? .null))
            case .lessOrEqual(let value): ("le", converted(value.storageValue).inUTC)
            case .lessThan(let value): ("lt", converted(value.storageValue).inUTC)
            case .greaterOrEqual(let value): ("ge", converted(value.storageValue).inUTC)
            case .greaterThan(let value): ("gt", converted(value.storageValue).inUTC)
            case .contains(let text): ("contains", .text(text))
            case .notContains(let text): ("notContains", .text(text))
            case .between(let start, let end):
                ("between", .list([start, end].map { converted($0.storageValue).inUTC }))
            case .beginsWith(let text): ("beginsWith", .text(text))
            case .attributeExists(let exists): ("attributeExists", .boolean(exists))
            }
        object([name]) { $0.member($1, value) }
    }
}

extension Value {
    /// An instant with at least milliseconds in UTC, as the service writes its own, since it compares texts; any other
    /// value as it is.
    fileprivate var inUTC: Value {
        guard case .timestamp(var timestamp) = self else { return self }
        timestamp.tail = WrittenForm(offset: 0, fractionDigits: 3)
        return (try? FieldType.dateTime.canonical(.timestamp(timestamp))) ?? self
    }
}
