#if SQLite
    internal import HoldfastStorage

    /// Writes predicates as SQL conditions.
    ///
    /// SQL's logic has a third value and ours has not. Negations are therefore carried down to the comparisons, and every
    /// comparison is written so that it is true exactly when it should be; whether it is false or null otherwise cannot
    /// matter below `AND` and `OR` alone. Plain comparisons stay plain, so that indexes serve them.
    struct SQLitePredicateWriter {
        var sql = ""
        var parameters: [SQLiteParameter] = []
        /// Whether the condition is nested or long beyond what SQLite's parser takes; it must not be used then.
        private(set) var isTooLarge = false

        let table: SQLiteTable
        private let limits: SQLiteLimits
        private var nesting = 0

        /// Longer groups are split, since the depth of SQLite's expressions is limited and a chain of n terms is n deep.
        private static let groupSize = 40
        /// SQLite's parser has a stack of 100 entries and spends up to three on a parenthesis.
        private static let maximumNesting = 20
        /// Longer `IN` lists are passed as one JSON array.
        private static let longestList = 24

        init(table: SQLiteTable, limits: SQLiteLimits) {
            self.table = table
            self.limits = limits
        }

        /// Whether the condition with the rest of a statement might be longer than SQLite takes.
        var exceedsLimits: Bool {
            sql.utf8.count > limits.sqlByteCount / 4 * 3 || parameters.count > limits.parameterCount / 4 * 3
        }

        // MARK: - Groups

        /// Writes a predicate or its complement.
        mutating func write(_ predicate: BoundPredicate, isNegated: Bool = false) {
            guard sql.utf8.count < limits.sqlByteCount / 2, parameters.count < limits.parameterCount / 2 else {
                isTooLarge = true
                return
            }
            switch predicate {
            case .constant(let truth): sql += truth != isNegated ? "1" : "0"
            case .not(let inner): write(inner, isNegated: !isNegated)
            case .and(let all): write(all, isConjunction: !isNegated, isNegated: isNegated)
            case .or(let any): write(any, isConjunction: isNegated, isNegated: isNegated)
            case .compare(let position, let comparison, let value):
                write(table.columns[position], comparison, value, isNegated)
            case .between(let position, let lower, let upper):
                writeBetween(table.columns[position], lower, upper, isNegated)
            case .isIn(let position, let values): writeIn(table.columns[position], values, isNegated)
            case .beginsWith(let position, let text): writeBegins(table.columns[position], text, isNegated)
            case .containsText(let position, let text):
                let column = table.columns[position]
                writeTest(column, isNegated, "instr(\(column.name), ?) > 0", "instr(\(column.name), ?) = 0")
                parameters.append(.text(text))
            case .containsElement(let position, let value):
                let call = "holdfast_has_element(\(table.columns[position].name), ?)"
                sql += isNegated ? "\(call) = 0" : call
                parameters.append(.text(SQLiteListCodec.json(element: value)))
            }
        }

        private mutating func write(_ predicates: [BoundPredicate], isConjunction: Bool, isNegated: Bool) {
            writeGroup(predicates[...], isConjunction: isConjunction) { $0.write($1, isNegated: isNegated) }
        }

        /// Writes terms joined by `AND` or `OR`; none is true or false.
        mutating func writeGroup<Term>(
            _ terms: ArraySlice<Term>, isConjunction: Bool, _ writeTerm: (inout Self, Term) -> Void
        ) {
            guard let first = terms.first else {
                sql += isConjunction ? "1" : "0"
                return
            }
            if terms.count == 1 { return writeTerm(&self, first) }
            nesting += 1
            if nesting > Self.maximumNesting { isTooLarge = true }
            defer { nesting -= 1 }
            if isTooLarge { return }
            var partSize = 1
            while partSize * Self.groupSize < terms.count { partSize *= Self.groupSize }
            sql += "("
            var start = terms.startIndex
            while start < terms.endIndex {
                let end = min(start + partSize, terms.endIndex)
                if start > terms.startIndex { sql += isConjunction ? " AND " : " OR " }
                writeGroup(terms[start..<end], isConjunction: isConjunction, writeTerm)
                start = end
            }
            sql += ")"
        }

        // MARK: - Comparisons

        /// Writes a test that is null on a null column, or its complement.
        private mutating func writeTest(
            _ column: SQLiteTable.Column, _ isNegated: Bool, _ test: String, _ complement: String
        ) {
            if !isNegated {
                sql += test
            } else if column.isRequired {
                sql += complement
            } else {
                sql += "(\(column.name) IS NULL OR \(complement))"
            }
        }

        mutating func write(
            _ column: SQLiteTable.Column, _ comparison: Predicate.Comparison, _ value: Value, _ isNegated: Bool
        ) {
            let isEqual: Bool
            switch comparison {
            case .equal: isEqual = !isNegated
            case .notEqual: isEqual = isNegated
            default:
                if value.isNull {
                    sql += isNegated ? "1" : "0"
                    return
                }
                let (test, complement) = Self.operators(comparison)
                writeTest(column, isNegated, "\(column.name) \(test) ?", "\(column.name) \(complement) ?")
                parameters.append(SQLiteParameter(value))
                return
            }
            if value.isNull {
                sql += isEqual ? "\(column.name) IS NULL" : "\(column.name) IS NOT NULL"
            } else {
                sql += isEqual ? "\(column.name) = ?" : "\(column.name) IS NOT ?"
                parameters.append(SQLiteParameter(value))
            }
        }

        private static func operators(_ comparison: Predicate.Comparison) -> (test: String, complement: String) {
            switch comparison {
            case .less: ("<", ">=")
            case .lessOrEqual: ("<=", ">")
            case .greater: (">", "<=")
            default: (">=", "<")
            }
        }

        private mutating func writeBetween(
            _ column: SQLiteTable.Column, _ lower: Value, _ upper: Value, _ isNegated: Bool
        ) {
            if lower.isNull || upper.isNull {
                sql += isNegated ? "1" : "0"
                return
            }
            writeTest(column, isNegated, "\(column.name) BETWEEN ? AND ?", "\(column.name) NOT BETWEEN ? AND ?")
            parameters.append(SQLiteParameter(lower))
            parameters.append(SQLiteParameter(upper))
        }

        /// Texts that begin with a prefix are a contiguous range of UTF-8 bytes: from the prefix itself to the prefix with
        /// its last byte, which is never 0xFF, raised by one.
        private mutating func writeBegins(_ column: SQLiteTable.Column, _ text: String, _ isNegated: Bool) {
            var end = Array(text.utf8)
            guard let last = end.last else {
                sql += "\(column.name) IS \(isNegated ? "" : "NOT ")NULL"
                return
            }
            end[end.count - 1] = last + 1
            let name = column.name
            writeTest(column, isNegated, "(\(name) >= ? AND \(name) < ?)", "(\(name) < ? OR \(name) >= ?)")
            parameters.append(.text(text))
            parameters.append(.rawText(end))
        }

        private mutating func writeIn(_ column: SQLiteTable.Column, _ values: [Value], _ isNegated: Bool) {
            let operands = values.filter { !$0.isNull }
            let hasNull = operands.count < values.count
            if operands.isEmpty {
                if hasNull {
                    sql += "\(column.name) IS \(isNegated ? "NOT " : "")NULL"
                } else {
                    sql += isNegated ? "1" : "0"
                }
                return
            }
            let list = writeList(operands, for: column)
            switch (isNegated, hasNull) {
            case (false, false): sql += "\(column.name) IN \(list)"
            case (false, true): sql += "(\(column.name) IS NULL OR \(column.name) IN \(list))"
            case (true, true): sql += "(\(column.name) IS NOT NULL AND \(column.name) NOT IN \(list))"
            case (true, false): writeTest(column, true, "", "\(column.name) NOT IN \(list)")
            }
        }

        private mutating func writeList(_ operands: [Value], for column: SQLiteTable.Column) -> String {
            if operands.count <= Self.longestList {
                parameters.append(contentsOf: operands.map { SQLiteParameter($0) })
                return "(" + repeatElement("?", count: operands.count).joined(separator: ", ") + ")"
            }
            switch column.type {
            case .double:
                let bits = operands.map { value in
                    if case .double(let double) = value {
                        Value.integer(Int64(bitPattern: double.bitPattern))
                    } else {
                        Value.null
                    }
                }
                parameters.append(.text(SQLiteListCodec.json(bits)))
                return "(SELECT holdfast_double(value) FROM json_each(?))"
            case .bytes:
                parameters.append(.text(SQLiteListCodec.json(operands)))
                return "(SELECT holdfast_bytes(value) FROM json_each(?))"
            case .boolean:
                parameters.append(.text(SQLiteListCodec.json(operands.map(Self.integer))))
            case .list:
                parameters.append(
                    .text(SQLiteListCodec.json(operands.map { .text(SQLiteListCodec.json(element: $0)) })))
            default: parameters.append(.text(SQLiteListCodec.json(operands)))
            }
            return "(SELECT value FROM json_each(?))"
        }

        private static func integer(_ value: Value) -> Value {
            if case .boolean(let truth) = value { .integer(truth ? 1 : 0) } else { value }
        }
    }
#endif
