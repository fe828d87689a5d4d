#if PostgreSQL
    internal import HoldfastStorage

    /// Writes predicates as SQL conditions.
    ///
    /// SQL's logic has a third value and ours has not. Negations are therefore carried down to the comparisons, and every
    /// comparison is written so that it is true exactly when it should be; whether it is false or null otherwise cannot
    /// matter below `AND` and `OR` alone. Plain comparisons stay plain, so that indexes serve them.
    struct PostgreSQLPredicateWriter {
        var sql = ""
        var parameters: PostgreSQLParameters
        /// Whether the condition cannot be said in SQL; it must not be used then.
        private(set) var isInexpressible = false

        let table: PostgreSQLTable
        /// The protocol counts parameters with 16 bits.
        private static let maximumParameterCount = 60_000

        /// Begins behind parameters that are there already.
        init(table: PostgreSQLTable, parameters: PostgreSQLParameters = PostgreSQLParameters()) {
            self.table = table
            self.parameters = parameters
        }

        /// Appends a parameter and returns its name.
        mutating func bind(_ value: Value, _ column: PostgreSQLTable.Column) -> String {
            parameters.append(value, as: column.type)
            return "$\(parameters.count)"
        }

        // MARK: - Groups

        /// Writes a predicate or its complement.
        mutating func write(_ predicate: BoundPredicate, isNegated: Bool = false) {
            if parameters.count > Self.maximumParameterCount { isInexpressible = true }
            if isInexpressible { return }
            switch predicate {
            case .constant(let truth): sql += truth != isNegated ? "TRUE" : "FALSE"
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
            case .beginsWith(let position, let text): writeBegins(table.columns[position], text, isNegated)
            case .containsText(let position, let text):
                let column = table.columns[position]
                let call = "strpos(\(column.name), \(bind(.text(text), column)))"
                writeTest(column, isNegated, "\(call) > 0", "\(call) = 0")
            case .containsElement(let position, let value):
                writeHas(table.columns[position], value, isNegated)
            }
        }

        /// Writes terms joined by `AND` or `OR`; none is true or false.
        mutating func writeGroup<Term>(
            _ terms: [Term], isConjunction: Bool, _ writeTerm: (inout Self, Term) -> Void
        ) {
            if terms.isEmpty { sql += isConjunction ? "TRUE" : "FALSE" }
            if terms.count == 1 { return writeTerm(&self, terms[0]) }
            for (index, term) in terms.enumerated() {
                sql += index == 0 ? "(" : isConjunction ? " AND " : " OR "
                writeTerm(&self, term)
            }
            if !terms.isEmpty { sql += ")" }
        }

        // MARK: - Comparisons

        /// Writes a test that is null on a null column, or its complement.
        private mutating func writeTest(
            _ column: PostgreSQLTable.Column, _ isNegated: Bool, _ test: String, _ complement: String
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
            _ column: PostgreSQLTable.Column, _ comparison: Predicate.Comparison, _ value: Value, _ isNegated: Bool
        ) {
            let isEqual: Bool
            switch comparison {
            case .equal: isEqual = !isNegated
            case .notEqual: isEqual = isNegated
            default:
                if value.isNull {
                    sql += isNegated ? "TRUE" : "FALSE"
                    return
                }
                let (test, complement) = Self.operators(comparison)
                let operand = bind(value, column)
                writeTest(
                    column, isNegated, "\(column.name) \(test) \(operand)", "\(column.name) \(complement) \(operand)")
                return
            }
            if value.isNull {
                sql += isEqual ? "\(column.name) IS NULL" : "\(column.name) IS NOT NULL"
            } else {
                let operand = bind(value, column)
                sql += isEqual ? "\(column.name) = \(operand)" : "\(column.name) IS DISTINCT FROM \(operand)"
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
            _ column: PostgreSQLTable.Column, _ lower: Value, _ upper: Value, _ isNegated: Bool
        ) {
            if lower.isNull || upper.isNull {
                sql += isNegated ? "TRUE" : "FALSE"
                return
            }
            let bounds = "\(bind(lower, column)) AND \(bind(upper, column))"
            writeTest(column, isNegated, "\(column.name) BETWEEN \(bounds)", "\(column.name) NOT BETWEEN \(bounds)")
        }

        /// Texts that begin with a prefix are a contiguous range: from the prefix itself to the next text that does not.
        private mutating func writeBegins(_ column: PostgreSQLTable.Column, _ text: String, _ isNegated: Bool) {
            if text.isEmpty {
                sql += "\(column.name) IS \(isNegated ? "" : "NOT ")NULL"
                return
            }
            let name = column.name
            let lower = bind(.text(text), column)
            guard let end = Self.firstText(behindPrefix: text) else {
                return writeTest(column, isNegated, "\(name) >= \(lower)", "\(name) < \(lower)")
            }
            let upper = bind(.text(end), column)
            writeTest(
                column, isNegated, "(\(name) >= \(lower) AND \(name) < \(upper))",
                "(\(name) < \(lower) OR \(name) >= \(upper))")
        }

        /// The least text greater than all that begin with a prefix, `nil` if there is none.
        ///
        /// The order of UTF-8 bytes is that of the scalars, so the last scalar that has a successor is raised.
        static func firstText(behindPrefix text: String) -> String? {
            var scalars = Array(text.unicodeScalars)
            while let last = scalars.popLast() {
                guard last.value < 0x10FFFF else { continue }
                let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
                guard let scalar = Unicode.Scalar(next) else { continue }
                scalars.append(scalar)
                var result = String.UnicodeScalarView()
                result.append(contentsOf: scalars)
                return String(result)
            }
            return nil
        }

        private mutating func writeIn(_ column: PostgreSQLTable.Column, _ values: [Value], _ isNegated: Bool) {
            let operands = values.filter { !$0.isNull }
            let hasNull = operands.count < values.count
            if operands.isEmpty {
                if hasNull {
                    sql += "\(column.name) IS \(isNegated ? "NOT " : "")NULL"
                } else {
                    sql += isNegated ? "TRUE" : "FALSE"
                }
                return
            }
            if case .list = column.type {
                // The server knows no array of arrays of different lengths.
                let terms = hasNull ? operands + [.null] : operands
                return writeGroup(terms, isConjunction: isNegated) { writer, value in
                    writer.write(column, .equal, value, isNegated)
                }
            }
            parameters.append(operands, asArrayOf: column.type)
            let list = "$\(parameters.count)"
            switch (isNegated, hasNull) {
            case (false, false): sql += "\(column.name) = ANY (\(list))"
            case (false, true): sql += "(\(column.name) IS NULL OR \(column.name) = ANY (\(list)))"
            case (true, true): sql += "(\(column.name) IS NOT NULL AND \(column.name) <> ALL (\(list)))"
            case (true, false): writeTest(column, true, "", "\(column.name) <> ALL (\(list))")
            }
        }

        private mutating func writeHas(_ column: PostgreSQLTable.Column, _ value: Value, _ isNegated: Bool) {
            guard case .list(let element) = column.type, !element.isList else {
                isInexpressible = true
                return
            }
            parameters.append(value, as: element)
            writeTest(
                column, isNegated, "array_position(\(column.name), $\(parameters.count)) IS NOT NULL",
                "array_position(\(column.name), $\(parameters.count)) IS NULL")
        }
    }
#endif
