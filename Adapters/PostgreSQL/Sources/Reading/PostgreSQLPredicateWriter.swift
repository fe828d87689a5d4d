#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Writes predicates as SQL conditions.
struct PostgreSQLPredicateWriter: SQLConditionWriter {
    typealias Dialect = PostgreSQLDialect

    var sql = ""
    var parameters: PostgreSQLParameters
    /// Whether the condition cannot be written in SQL; it must not be used then.
    private(set) var isInexpressible = false

    let table: PostgreSQLTable
    /// The protocol counts parameters with 16 bits.
    private static let maximumParameterCount = 60_000

    /// Begins after the parameters that exist already.
    init(table: PostgreSQLTable, parameters: PostgreSQLParameters = PostgreSQLParameters()) {
        self.table = table
        self.parameters = parameters
    }

    mutating func hasRoom() -> Bool {
        if parameters.count > Self.maximumParameterCount { isInexpressible = true }
        return !isInexpressible
    }

    mutating func bind(_ value: Value, _ column: SQLColumn) -> String {
        parameters.append(value, as: column.type)
        return "$\(parameters.count)"
    }

    // MARK: - Groups

    mutating func writeGroup<Term>(
        _ terms: [Term], isConjunction: Bool, _ writeTerm: (inout Self, Term) -> Void
    ) {
        if terms.isEmpty { sql += Dialect.constant(isConjunction) }
        if terms.count == 1 { return writeTerm(&self, terms[0]) }
        for (index, term) in terms.enumerated() {
            sql += index == 0 ? "(" : isConjunction ? " AND " : " OR "
            writeTerm(&self, term)
        }
        if !terms.isEmpty { sql += ")" }
    }

    // MARK: - Comparisons

    /// Texts that begin with a prefix are a contiguous range: from the prefix itself to the next text that does not.
    mutating func writeBegins(_ column: SQLColumn, _ text: String, _ isNegated: Bool) {
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

    mutating func writeContains(_ column: SQLColumn, _ text: String, _ isNegated: Bool) {
        let call = "strpos(\(column.name), \(bind(.text(text), column)))"
        writeTest(column, isNegated, "\(call) > 0", "\(call) = 0")
    }

    mutating func writeIn(_ column: SQLColumn, _ values: [Value], _ isNegated: Bool) {
        if case .list = column.type {
            // The server knows no array of arrays of different lengths, so each value is a parameter.
            return writeGroup(values, isConjunction: isNegated) { writer, value in
                guard writer.hasRoom() else { return }
                writer.write(column, .equal, value, isNegated)
            }
        }
        writeIn(column, values, isNegated) { writer, operands in
            writer.parameters.append(operands, asArrayOf: column.type)
            let list = "$\(writer.parameters.count)"
            return ("\(column.name) = ANY (\(list))", "\(column.name) <> ALL (\(list))")
        }
    }

    mutating func writeHas(_ column: SQLColumn, _ value: Value, _ isNegated: Bool) {
        guard case .list(let element) = column.type, !element.isList else {
            isInexpressible = true
            return
        }
        parameters.append(value, as: element)
        let position = "array_position(\(column.name), $\(parameters.count))"
        writeTest(column, isNegated, "\(position) IS NOT NULL", "\(position) IS NULL")
    }
}
#endif
