extension BoundPredicate {
    /// Whether a record satisfies the predicate.
    ///
    /// This is the definition; adapters must agree with it.
    ///
    /// - Parameter row: All cells of a record, in the order of its entity's fields.
    /// - Returns: `true` if the predicate is true of these cells.
    /// - Complexity: O(size of the predicate × length of the texts compared).
    public func matches(_ row: UnsafeBufferPointer<Value>) -> Bool {
        switch self {
        case .constant(let truth): truth
        case .compare(let position, let comparison, let operand):
            Self.compare(row[position], comparison, operand)
        case .between(let position, let lower, let upper):
            Self.compare(row[position], .greaterOrEqual, lower) && Self.compare(row[position], .lessOrEqual, upper)
        case .isIn(let position, let operands): Self.contains(operands, row[position])
        case .beginsWith(let position, let needle): Self.text(row[position], needle, Self.hasPrefix)
        case .containsText(let position, let needle): Self.text(row[position], needle, TextSearch.contains)
        case .containsElement(let position, let operand):
            if case .list(let elements) = row[position] {
                elements.contains { ValueOrder.areEqual($0, operand) }
            } else {
                false
            }
        case .not(let predicate): !predicate.matches(row)
        case .and(let predicates): predicates.allSatisfy { $0.matches(row) }
        case .or(let predicates): predicates.contains { $0.matches(row) }
        }
    }

    /// Whether a record given as an array satisfies the predicate.
    public func matches(_ row: [Value]) -> Bool { row.withUnsafeBufferPointer(matches) }

    /// The rows that satisfy the predicate.
    ///
    /// One comparison after the other, each for all rows: the parts of the predicate are taken out of it once.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the rows that are looked at.
    ///   - rows: The rows, with all cells of a record.
    /// - Returns: The numbers of those that satisfy it, in their order.
    func matches(among numbers: [Int], of rows: RowBuffer) -> [Int] {
        switch self {
        case .constant(let truth): truth ? numbers : []
        case .and(let predicates): predicates.reduce(numbers) { $1.matches(among: $0, of: rows) }
        case .compare(let position, let comparison, let operand):
            numbers.filter { row in rows.withRow(row) { Self.compare($0[position], comparison, operand) } }
        default: numbers.filter { rows.withRow($0, matches) }
        }
    }

    private static func compare(_ cell: Value, _ comparison: Predicate.Comparison, _ operand: Value) -> Bool {
        // Nothing comes before or after null.
        let isAboutOrder = comparison != .equal && comparison != .notEqual
        if isAboutOrder && (cell.isNull || operand.isNull) { return false }
        return comparison.isTrue(of: ValueOrder.compare(cell, operand))
    }

    /// Binary search among ascending operands.
    private static func contains(_ operands: [Value], _ cell: Value) -> Bool {
        var low = 0
        var high = operands.count
        while low < high {
            let middle = (low + high) / 2
            switch ValueOrder.compare(operands[middle], cell) {
            case .equal: return true
            case .ascending: low = middle + 1
            case .descending: high = middle
            }
        }
        return false
    }

    private typealias Bytes = TextSearch.Bytes

    private static func text(_ cell: Value, _ needle: String, _ test: (Bytes, Bytes) -> Bool) -> Bool {
        guard case .text(var text) = cell else { return false }
        var needle = needle
        return text.withUTF8 { text in needle.withUTF8 { test(text, $0) } }
    }

    private static func hasPrefix(_ text: Bytes, _ needle: Bytes) -> Bool {
        text.starts(with: needle)
    }
}
