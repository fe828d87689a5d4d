package import HoldfastStorage

extension Predicate {
    /// The predicate with operands of the kinds of their fields, as far as they read as such: numbers that are compared
    /// with text as text, and text that is compared with numbers, dates or times, or looked for in a list, as what it
    /// says.
    ///
    /// The columns of SQLite convert operands so, or keep dates as text, and code relies on it. What stays of another
    /// kind than its field is refused when the plan is checked.
    package func convertingOperands(for entity: EntitySchema) -> Predicate {
        switch self {
        case .compare(let field, let comparison, let value):
            if let start = entity.start(ofDay: value, comparedWith: field) {
                comparison.of(field, withDayFrom: start)
            } else {
                .compare(field, comparison, entity.operand(value, of: field))
            }
        case .between(let field, let lower, let upper):
            if [lower, upper].contains(where: { entity.start(ofDay: $0, comparedWith: field) != nil }) {
                Predicate.and([.compare(field, .greaterOrEqual, lower), .compare(field, .lessOrEqual, upper)])
                    .convertingOperands(for: entity)
            } else {
                .between(field, entity.operand(lower, of: field), entity.operand(upper, of: field))
            }
        case .isIn(let field, let values): .isIn(field, values.map { entity.operand($0, of: field) })
        case .contains(let field, let value): .contains(field, entity.element(value, of: field))
        case .not(let inner): .not(inner.convertingOperands(for: entity))
        case .and(let all): .and(all.map { $0.convertingOperands(for: entity) })
        case .or(let any): .or(any.map { $0.convertingOperands(for: entity) })
        case .constant, .beginsWith: self
        }
    }
}

extension Predicate.Comparison {
    /// The comparison of a date-time with a day, as their texts compare: the day comes before all its instants.
    fileprivate func of(_ field: String, withDayFrom start: Value) -> Predicate {
        switch self {
        case .equal: .constant(false)
        case .notEqual: .constant(true)
        case .less, .lessOrEqual: .compare(field, .less, start)
        case .greater, .greaterOrEqual: .compare(field, .greaterOrEqual, start)
        }
    }
}

extension EntitySchema {
    /// An operand of the kind of its field, as far as it reads as such; a bare day that is compared with a date-time
    /// stays a text.
    package func comparable(_ value: Value, with name: String) -> Value {
        start(ofDay: value, comparedWith: name) == nil ? operand(value, of: name) : value
    }

    fileprivate func operand(_ value: Value, of name: String) -> Value {
        operand(value, as: field(named: name)?.type.storageType)
    }

    /// An element of the kind of those of a list, as far as it reads as such; any other field stays compared with text.
    fileprivate func element(_ value: Value, of name: String) -> Value {
        guard case .list(let element) = field(named: name)?.type.storageType else { return value }
        // Only text can be asked for, so it stands for booleans too.
        guard element == .boolean, case .text(let text) = value else { return operand(value, as: element) }
        return Bool(text).map { .boolean($0) } ?? value
    }

    private func operand(_ value: Value, as type: StorageType?) -> Value {
        switch (type, value) {
        case (.text, .integer), (.text, .double): .text(value.identifierText)
        case (.integer, .text(let text)), (.double, .text(let text)):
            Int64(text).map { .integer($0) } ?? Double(text).map { .double($0) } ?? value
        case (.date, .text(let text)): (try? Temporal.Date(iso8601String: text))?.storageValue ?? value
        case (.time, .text(let text)): (try? Temporal.Time(iso8601String: text))?.storageValue ?? value
        case (.timestamp, .text(let text)): (try? Temporal.DateTime(iso8601String: text))?.storageValue ?? value
        default: value
        }
    }

    /// The beginning in UTC of a bare day with which a date-time is compared; `nil` for any other operand.
    fileprivate func start(ofDay value: Value, comparedWith name: String) -> Value? {
        guard case .timestamp = field(named: name)?.type.storageType, case .text(let day) = value,
            let start = try? Timestamp(parsing: day + "T00:00Z")
        else { return nil }
        return .timestamp(start)
    }
}
