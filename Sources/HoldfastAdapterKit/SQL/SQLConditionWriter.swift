package import HoldfastStorage

/// Writes conditions on the records of a table as SQL.
///
/// SQL's logic has a third value, and ours does not. Negations are therefore carried down to the comparisons, and every
/// comparison is written so that it is true exactly when it should be; whether it is false or null otherwise cannot
/// matter below `AND` and `OR` alone. Plain comparisons stay plain, so that indexes serve them.
package protocol SQLConditionWriter {
    associatedtype Dialect: SQLDialect
    associatedtype Table: SQLTable
    associatedtype Parameters: Sendable

    var table: Table { get }
    /// What was written so far.
    var sql: String { get set }
    /// What is bound to it, in the order in which it was written.
    var parameters: Parameters { get }
    /// Whether the database cannot run the condition, for instance because it is too long; it must not be used then.
    var isInexpressible: Bool { get }

    /// Whether there is room for another predicate; if there is none, the condition becomes inexpressible.
    mutating func hasRoom() -> Bool

    /// Appends a parameter and returns what stands for it; parameters are bound in the order in which they are written.
    mutating func bind(_ value: Value, _ column: SQLColumn) -> String

    /// Writes terms joined by `AND` or `OR`; none is true or false.
    mutating func writeGroup<Term>(
        _ terms: [Term], isConjunction: Bool, _ writeTerm: (inout Self, Term) -> Void)

    /// Writes that a column has one of some values, or its complement.
    mutating func writeIn(_ column: SQLColumn, _ values: [Value], _ isNegated: Bool)
    /// Writes that a text begins with a prefix that is not empty, or its complement.
    mutating func writeBegins(_ column: SQLColumn, _ text: String, _ isNegated: Bool)
    /// Writes that a text contains another, or its complement.
    mutating func writeContains(_ column: SQLColumn, _ text: String, _ isNegated: Bool)
    /// Writes that a list has an element, or its complement.
    mutating func writeHas(_ column: SQLColumn, _ value: Value, _ isNegated: Bool)

    /// Statements that deliver a part of a query faster than one statement with this condition would.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - position: Which of its records the statements deliver.
    ///   - select: The beginning of each statement, up to the table.
    ///   - order: The criteria of the query's order.
    /// - Returns: The statements, in the order in which they run; `nil` (the default) if there are none.
    func pageParts(
        of query: BoundQuery, _ position: SQLPositionPart, select: String, order: [String]
    ) -> [SQLQuery<Table.Layout, Parameters>.Part]?
}

extension SQLConditionWriter {
    /// One statement serves every query.
    package func pageParts(
        of query: BoundQuery, _ position: SQLPositionPart, select: String, order: [String]
    ) -> [SQLQuery<Table.Layout, Parameters>.Part]? { nil }

    /// Writes a separator between conditions.
    package mutating func writeAnd() { sql += " AND " }

    /// Writes a test that is null on a null column, or its complement.
    package mutating func writeTest(
        _ column: SQLColumn, _ isNegated: Bool, _ test: @autoclosure () -> String,
        _ complement: @autoclosure () -> String
    ) {
        if !isNegated {
            sql += test()
        } else if column.isRequired {
            sql += complement()
        } else {
            sql += "(\(column.name) IS NULL OR \(complement()))"
        }
    }

    /// Writes a comparison of a column with a value, or its complement.
    package mutating func write(
        _ column: SQLColumn, _ comparison: Predicate.Comparison, _ value: Value, _ isNegated: Bool
    ) {
        let isEqual: Bool
        switch comparison {
        case .equal: isEqual = !isNegated
        case .notEqual: isEqual = isNegated
        default:
            if value.isNull {
                sql += Dialect.constant(isNegated)
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
            sql += "\(column.name) \(isEqual ? "=" : Dialect.isDistinct) \(operand)"
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

    /// Writes that a column lies between two values, or its complement.
    package mutating func writeBetween(_ column: SQLColumn, _ lower: Value, _ upper: Value, _ isNegated: Bool) {
        if lower.isNull || upper.isNull {
            sql += Dialect.constant(isNegated)
            return
        }
        let bounds = "\(bind(lower, column)) AND \(bind(upper, column))"
        writeTest(column, isNegated, "\(column.name) BETWEEN \(bounds)", "\(column.name) NOT BETWEEN \(bounds)")
    }

    /// Writes that a column has one of some values, or its complement.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - values: The values; null may be among them.
    ///   - isNegated: Whether the complement is written.
    ///   - tests: Binds values, none of them null; says that the column has one of them, and that it has none.
    package mutating func writeIn(
        _ column: SQLColumn, _ values: [Value], _ isNegated: Bool,
        _ tests: (inout Self, [Value]) -> (test: String, complement: String)
    ) {
        let operands = values.filter { !$0.isNull }
        let hasNull = operands.count < values.count
        if operands.isEmpty {
            sql += hasNull ? "\(column.name) IS \(isNegated ? "NOT " : "")NULL" : Dialect.constant(isNegated)
            return
        }
        let (test, complement) = tests(&self, operands)
        switch (isNegated, hasNull) {
        case (_, false): writeTest(column, isNegated, test, complement)
        case (false, true): sql += "(\(column.name) IS NULL OR \(test))"
        case (true, true): sql += "(\(column.name) IS NOT NULL AND \(complement))"
        }
    }
}
