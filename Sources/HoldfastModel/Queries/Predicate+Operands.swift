package import HoldfastStorage

extension Predicate {
    /// The predicate with numbers that are compared with text as text, and text that is compared with numbers as
    /// numbers, if it reads as one.
    ///
    /// The columns of SQLite convert operands so, and code relies on it. What stays of another kind than its field is
    /// refused when the plan is checked.
    package func convertingOperands(for entity: EntitySchema) -> Predicate {
        switch self {
        case .compare(let field, let comparison, let value):
            .compare(field, comparison, entity.operand(value, of: field))
        case .between(let field, let lower, let upper):
            .between(field, entity.operand(lower, of: field), entity.operand(upper, of: field))
        case .isIn(let field, let values): .isIn(field, values.map { entity.operand($0, of: field) })
        case .not(let inner): .not(inner.convertingOperands(for: entity))
        case .and(let all): .and(all.map { $0.convertingOperands(for: entity) })
        case .or(let any): .or(any.map { $0.convertingOperands(for: entity) })
        case .constant, .beginsWith, .contains: self
        }
    }
}

extension EntitySchema {
    fileprivate func operand(_ value: Value, of name: String) -> Value {
        switch (field(named: name)?.type.storageType, value) {
        case (.text, .integer), (.text, .double): .text(value.identifierText)
        case (.integer, .text(let text)), (.double, .text(let text)):
            Int64(text).map { .integer($0) } ?? Double(text).map { .double($0) } ?? value
        default: value
        }
    }
}
