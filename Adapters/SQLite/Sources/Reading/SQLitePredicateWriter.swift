#if SQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

extension SQLiteQueryWriter {
    /// Writes queries of a table.
    init(table: SQLiteTable, limits: SQLiteLimits) {
        self.init(SQLitePredicateWriter(table: table, limits: limits))
    }
}

/// Writes predicates as SQL conditions.
struct SQLitePredicateWriter: SQLConditionWriter {
    typealias Dialect = SQLiteDialect
    typealias Table = SQLiteTable
    typealias Parameters = [SQLiteParameter]

    var sql = ""
    var parameters: [SQLiteParameter] = []
    /// Whether the condition is nested or long beyond what SQLite's parser takes.
    private var isTooLarge = false

    let table: SQLiteTable
    private let limits: SQLiteLimits
    private var nesting = 0

    /// Longer groups are split, since the depth of SQLite's expressions is limited and a chain of n terms is n deep.
    private static let groupSize = 40
    /// SQLite's parser has a stack of 100 entries and spends up to three on a parenthesis.
    private static let maximumNesting = 20
    /// Longer `IN` lists are passed as one JSON array.
    private static let longestList = 24
    /// Longer texts are not looked for with SQLite's own function.
    private static let longestInstr = 64

    init(table: SQLiteTable, limits: SQLiteLimits) {
        self.table = table
        self.limits = limits
    }

    /// Also whether the condition with the rest of a statement might be longer than SQLite takes.
    var isInexpressible: Bool {
        isTooLarge || sql.utf8.count > limits.sqlByteCount / 4 * 3
            || parameters.count > limits.parameterCount / 4 * 3
    }

    mutating func hasRoom() -> Bool {
        if sql.utf8.count >= limits.sqlByteCount / 2 || parameters.count >= limits.parameterCount / 2 {
            isTooLarge = true
            return false
        }
        return true
    }

    mutating func bind(_ value: Value, _ column: SQLColumn) -> String {
        parameters.append(SQLiteParameter(value))
        return "?"
    }

    // MARK: - Groups

    mutating func writeGroup<Term>(
        _ terms: [Term], isConjunction: Bool, _ writeTerm: (inout Self, Term) -> Void
    ) {
        writeGroup(terms[...], isConjunction: isConjunction, writeTerm)
    }

    private mutating func writeGroup<Term>(
        _ terms: ArraySlice<Term>, isConjunction: Bool, _ writeTerm: (inout Self, Term) -> Void
    ) {
        guard let first = terms.first else {
            sql += Dialect.constant(isConjunction)
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

    /// Texts that begin with a prefix are a contiguous range of UTF-8 bytes: from the prefix itself to the prefix with
    /// its last byte, which is never 0xFF, raised by one.
    mutating func writeBegins(_ column: SQLColumn, _ text: String, _ isNegated: Bool) {
        var end = Array(text.utf8)
        end[end.count - 1] += 1
        let name = column.name
        writeTest(column, isNegated, "(\(name) >= ? AND \(name) < ?)", "(\(name) < ? OR \(name) >= ?)")
        parameters.append(.text(text))
        parameters.append(.rawText(end))
    }

    mutating func writeContains(_ column: SQLColumn, _ text: String, _ isNegated: Bool) {
        let function = text.utf8.count > Self.longestInstr ? "holdfast_contains" : "instr"
        writeTest(column, isNegated, "\(function)(\(column.name), ?) > 0", "\(function)(\(column.name), ?) = 0")
        parameters.append(.text(text))
    }

    mutating func writeHas(_ column: SQLColumn, _ value: Value, _ isNegated: Bool) {
        let call = "holdfast_has_element(\(column.name), ?)"
        sql += isNegated ? "\(call) = 0" : call
        parameters.append(.text(SQLiteListCodec.json(element: value)))
    }

    mutating func writeIn(_ column: SQLColumn, _ values: [Value], _ isNegated: Bool) {
        writeIn(column, values, isNegated) { writer, operands in
            let list = writer.writeList(operands, for: column)
            return ("\(column.name) IN \(list)", "\(column.name) NOT IN \(list)")
        }
    }

    private mutating func writeList(_ operands: [Value], for column: SQLColumn) -> String {
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
