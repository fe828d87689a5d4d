package import HoldfastStorage

extension Clause {
    /// Every cell of the type-mapping table on every path: one clause per type.
    static let mapping: [Clause] = MappedType.all.map { type in
        let row = type.row
        return Clause(
            type.clause,
            "`\(type.name)` is kept \(row.map { "as the table of types says (\($0.valueClass.rawValue); stored form: \($0.canonicalForm))" } ?? "byte for byte") "
                + "on every path: as a column, a key, an index entry, a list element, an operand, a sort field, a cursor "
                + "and an aggregate; its order is \(row?.order ?? "that of unsigned bytes"). Rejected: \(row?.rejects ?? "nothing").",
            catches:
                "A path has a conversion of its own: the index, the key encoding or the list codec rounds, folds or sorts "
                + "otherwise than the column.",
            witness: "values of the type on every path", protectsData: true
        ) { context in try await MappingCheck(type, context).run() }
    }
}

/// A type of the table, with the values that are tried.
package struct MappedType: Sendable {
    /// The id of the clause about the type.
    package let clause: String
    package let type: FieldType
    package let name: String
    /// In canonical form, in ascending order; values that are equal in order are written differently.
    package let values: [Value]
    /// What is written and what must be read.
    let canonicalized: [(Value, Value)]
    /// What must be refused.
    let rejected: [Value]

    /// The type's row in the table; `nil` for bytes, which GraphQL does not have.
    var row: TypeMapping? { Self.row(of: type) }

    /// The types of the table, then bytes.
    package static let all = [
        MappedType("MAP-001", .id),
        MappedType("MAP-002", .string),
        MappedType("MAP-003", .int),
        MappedType("MAP-004", .float),
        MappedType("MAP-005", .boolean),
        MappedType("MAP-006", .date),
        MappedType("MAP-007", .time),
        MappedType("MAP-008", .dateTime),
        MappedType("MAP-009", .timestamp),
        MappedType("MAP-010", .email),
        MappedType("MAP-011", .json),
        MappedType("MAP-012", .url),
        MappedType("MAP-013", .phone),
        MappedType("MAP-014", .ipAddress),
        MappedType("MAP-015", .enumeration("Colour")),
        MappedType("MAP-016", .embedded("Address")),
        MappedType("MAP-017", .bytes),
    ]

    private init(_ clause: String, _ type: FieldType) {
        self.clause = clause
        self.type = type
        name =
            switch type {
            case .enumeration: "enumeration"
            case .embedded: "embedded type"
            default: Self.row(of: type)?.graphQLName ?? "Bytes"
            }
        var distinct: [Value] = []
        for value in ValuePool.values(of: type) where !distinct.contains(value) { distinct.append(value) }
        values = distinct.enumerated().sorted { left, right in
            let ordering = ValueOrder.compare(left.element, right.element)
            return ordering == .equal ? left.offset < right.offset : ordering == .ascending
        }.map(\.element)
        canonicalized = Self.canonicalized(type)
        rejected = Self.rejected(type)
    }

    private static func canonicalized(_ type: FieldType) -> [(Value, Value)] {
        let texts: [String] =
            switch type {
            case .date: ["2024-02-29", "0001-01-01", "2024-02-29Z", "2024-02-29-11:30"]
            case .time: ["23:59", "12:30:00.500", "00:00:00.000000001", "12:30+02:00"]
            case .dateTime:
                ["2024-02-29T12:00Z", "2024-02-29T12:00:00.50+01:00", "1969-12-31T23:59:59.999999999-17:59"]
            default: []
            }
        var pairs = texts.compactMap { text in (try? type.canonical(.text(text))).map { (Value.text(text), $0) } }
        if type == .float { pairs.append((.double(-0.0), .double(0))) }
        return pairs
    }

    private static func rejected(_ type: FieldType) -> [Value] {
        let wrong: [Value] =
            switch type.storageType {
            case .text, .json: [.integer(1), .bytes([65]), .list([]), .boolean(true), .text("a\0b")]
            case .integer: [.double(1), .text("1"), .boolean(true), .list([.integer(1)])]
            case .double: [.integer(1), .text("1.0"), .double(.nan), .double(.infinity), .double(-.infinity)]
            case .boolean: [.integer(1), .text("true"), .double(0)]
            case .bytes: [.text("a"), .integer(0), .list([])]
            case .date: [.text("2023-02-29"), .text("0000-01-01"), .text("10000-01-01"), .text(""), .integer(0)]
            case .time: [.text("24:00"), .text("12:00:60"), .text("12:00:00.0000000001"), .text(""), .integer(0)]
            case .timestamp:
                [.text("2024-01-01T00:00"), .text("2024-01-01T24:00Z"), .text("2024-01-01T00:00:60Z"), .integer(0)]
            case .list: []
            }
        let malformed: [String] =
            switch type {
            case .email: ["", "a", "a@", "@b", "a b@c"]
            case .url: ["", "a.b", "https:"]
            case .phone: ["", "+", "12", "call me"]
            case .ipAddress: ["", "1.2.3", "256.1.1.1", "1.2.3.4/33", "fe80::1%eth0"]
            case .json: ["", "{", "{a:1}", "[1,]", "NaN"]
            case .embedded: ["", "[]", "1", "{\"a\":}"]
            default: []
            }
        return wrong + malformed.map { .text($0) }
    }

    private static func row(of type: FieldType) -> TypeMapping? {
        TypeMapping.table.first { row in
            switch (row.fieldType, type) {
            case (.enumeration, .enumeration), (.embedded, .embedded): true
            default: row.fieldType == type
            }
        }
    }
}
