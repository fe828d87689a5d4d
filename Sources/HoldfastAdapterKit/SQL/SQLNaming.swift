/// Which names an SQL database takes for equal, keeps for itself, or finds too long.
///
/// Tables, columns and indexes get the plain name where it is free and short enough, and one with a number otherwise.
package struct SQLNaming: Sendable {
    private let maximumByteCount: Int
    private let reservedPrefixes: [String]
    private let systemColumns: Set<String>
    private let fold: @Sendable (String) -> [UInt8]

    /// Creates the rules of a database.
    ///
    /// - Parameters:
    ///   - maximumByteCount: The longest name; any by default.
    ///   - reservedPrefixes: How names of tables and indexes must not begin, beside `holdfast_`; none by default.
    ///   - systemColumns: Columns that every table has already; none by default.
    ///   - fold: What is the same for names that the database takes for equal; their bytes by default.
    package init(
        maximumByteCount: Int = .max, reservedPrefixes: [String] = [], systemColumns: Set<String> = [],
        fold: @escaping @Sendable (String) -> [UInt8] = { Array($0.utf8) }
    ) {
        self.maximumByteCount = maximumByteCount
        self.reservedPrefixes = reservedPrefixes + ["holdfast_"]
        self.systemColumns = systemColumns
        self.fold = fold
    }

    /// A name for a table or an index.
    func freeObjectName(_ wanted: String, beside used: [String]) -> String {
        let isReserved = reservedPrefixes.contains { fold(wanted).starts(with: $0.utf8) }
        return freeName(isReserved ? "entity_" + wanted : wanted, beside: used)
    }

    /// A name for a column of a table.
    func freeColumn(_ wanted: String, beside used: [String]) -> String {
        freeName(systemColumns.contains(wanted) ? "field_" + wanted : wanted, beside: used)
    }

    private func freeName(_ wanted: String, beside used: [String]) -> String {
        let used = Set(used.map(fold))
        var name = Self.cut(wanted, to: maximumByteCount)
        var number = 2
        while used.contains(fold(name)) {
            let suffix = "_\(number)"
            name = Self.cut(wanted, to: maximumByteCount - suffix.utf8.count) + suffix
            number += 1
        }
        return name
    }

    /// The beginning of a name that fits in a number of bytes.
    private static func cut(_ name: String, to byteCount: Int) -> String {
        var result = String.UnicodeScalarView()
        var count = 0
        for scalar in name.unicodeScalars {
            count += UTF8.width(scalar)
            if count > byteCount { break }
            result.append(scalar)
        }
        return String(result)
    }
}

extension String {
    /// The text as an SQL identifier; any characters are allowed.
    package var quotedIdentifier: String {
        if !utf8.contains(UInt8(ascii: "\"")) { return "\"\(self)\"" }
        var quoted = "\""
        // By scalars: a quote with a combining mark is another character, and still ends a name.
        for scalar in unicodeScalars {
            if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
