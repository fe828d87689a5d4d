#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// The statements that put records into a table, written once: they are long, and every commit has some.
///
/// Parameter 1 is the sequences' base. The cells of a row follow, or an array for each column; then the versions that the
/// records must have, where that is demanded.
struct PostgreSQLPuts: Sendable {
    /// A statement for one row, and one for many.
    private struct Pair {
        var one: String
        var many: String
    }

    private let insert: Pair
    private let upsert: Pair
    private let update: Pair
    private let replacement: Pair

    /// Writes the statements.
    ///
    /// - Parameters:
    ///   - table: The quoted name of the table.
    ///   - entity: What it holds.
    ///   - versionName: The quoted name of the version column.
    ///   - columns: The columns of the fields.
    init(into table: String, of entity: EntitySchema, versionName: String, columns: [SQLColumn]) {
        let names = PostgreSQLTable.writtenNames(versionName, columns)
        let keys = PostgreSQLTable.keyParameterNumbers(entity, columns)
        insert = Self.insert(into: table, names, conflictClause: "")
        upsert = Self.insert(
            into: table, names, conflictClause: PostgreSQLTable.replacingClause(keys.map { names[$0 - 1] }, names))
        update = Self.update(table, names, keys: keys, demandsVersions: false)
        replacement = Self.update(table, names, keys: keys, demandsVersions: true)
    }

    /// Puts one row or many; of many that are not inserted, none may occur twice.
    subscript(_ mode: WriteOperation.PutMode, isMany isMany: Bool) -> String {
        let pair =
            switch mode {
            case .insert: insert
            case .upsert: upsert
            case .update: update
            }
        return isMany ? pair.many : pair.one
    }

    /// Replaces one row or many, which must be there in the versions given.
    func replace(isMany: Bool) -> String { isMany ? replacement.many : replacement.one }

    private static func insert(into table: String, _ names: [String], conflictClause: String) -> Pair {
        let head = "INSERT INTO \(table) (\(names.joined(separator: ", "))) "
        let cells = names.indices.dropFirst().map { "$\($0 + 1)" }.joined(separator: ", ")
        let aliases = names.indices.dropFirst().map { "c\($0)" }.joined(separator: ", ")
        return Pair(
            one: head + "VALUES (\(PostgreSQLTable.sequence), \(cells))" + conflictClause,
            many: head + "SELECT (SELECT \(PostgreSQLTable.sequence)), u.* FROM unnest(\(cells)) AS u(\(aliases))"
                + conflictClause)
    }

    /// Statements that fail as a check does if a row is not there.
    private static func update(_ table: String, _ names: [String], keys: [Int], demandsVersions: Bool) -> Pair {
        let parameters = 2...names.count + (demandsVersions ? 1 : 0)
        func statement(_ source: String, sequence: String, count: String, cell: (_ parameter: Int) -> String) -> String
        {
            let assignments = names.indices.dropFirst().filter { !keys.contains($0 + 1) }.map {
                ", \(names[$0]) = \(cell($0 + 1))"
            }
            var conditions = keys.map { "t.\(names[$0 - 1]) = \(cell($0))" }
            if demandsVersions { conditions.append("t.\(names[0]) = \(cell(parameters.upperBound))") }
            return "WITH u AS (UPDATE \(table) AS t SET \(names[0]) = \(sequence)\(assignments.joined())\(source) "
                + "WHERE \(conditions.joined(separator: " AND ")) RETURNING 1) "
                + "SELECT 1 / (CASE WHEN (SELECT count(*) FROM u) = \(count) THEN 1 ELSE 0 END)"
        }
        let arrays = parameters.map { "$\($0)" }.joined(separator: ", ")
        let aliases = parameters.map { "c\($0)" }.joined(separator: ", ")
        return Pair(
            one: statement("", sequence: PostgreSQLTable.sequence, count: "1") { "$\($0)" },
            many: statement(
                " FROM unnest(\(arrays)) AS k(\(aliases))", sequence: "(SELECT \(PostgreSQLTable.sequence))",
                count: "cardinality($2)"
            ) { "k.c\($0)" })
    }
}
#endif
