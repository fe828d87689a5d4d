package import HoldfastStorage

extension SQLConditionWriter {
    /// Writes a predicate or its complement.
    package mutating func write(_ predicate: BoundPredicate, isNegated: Bool = false) {
        guard hasRoom() else { return }
        switch predicate {
        case .constant(let truth): sql += Dialect.constant(truth != isNegated)
        case .not(let inner): write(inner, isNegated: !isNegated)
        case .and(let all):
            writeGroup(all, isConjunction: !isNegated) { $0.write($1, isNegated: isNegated) }
        case .or(let any):
            writeGroup(any, isConjunction: isNegated) { $0.write($1, isNegated: isNegated) }
        case .compare(let position, let comparison, let value):
            write(table.columns[position], comparison, value, isNegated)
        case .between(let position, let lower, let upper):
            writeBetween(table.columns[position], lower, upper, isNegated)
        case .isIn(let position, let values): writeIn(table.columns[position], values, isNegated)
        case .beginsWith(let position, let text):
            let column = table.columns[position]
            if text.isEmpty {
                sql += "\(column.name) IS \(isNegated ? "" : "NOT ")NULL"
            } else {
                writeBegins(column, text, isNegated)
            }
        case .containsText(let position, let text): writeContains(table.columns[position], text, isNegated)
        case .containsElement(let position, let value): writeHas(table.columns[position], value, isNegated)
        }
    }
}
