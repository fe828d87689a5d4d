#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// The statements that put records into a table, written once: they are long, and every commit has some.
///
/// Parameter 1 is the sequences' base. The cells of a row follow, or an array for each column; then the versions that
/// the records must have, where that is demanded.
///
/// The server keeps a plan for a statement only if one for known values is not estimated to be better. If it sees an
/// array it knows how many records are updated, and assumes ten otherwise: it makes a new plan for each commit of
/// fewer, which costs more than updating them. It does not look into a subquery.
///
/// A plan that is kept must suit a table that grows, so the transaction allows only ``keptPlanSettings``.
struct PostgreSQLPuts: Sendable {
    /// How many rows a statement puts, and how it is planned.
    enum Form {
        case one
        case many
        /// Many, with a plan that is kept.
        case manyWithKeptPlan
    }

    /// A statement in each form.
    private struct Forms {
        var one: String
        var many: String
        var manyWithKeptPlan: String

        subscript(_ form: Form) -> String {
            switch form {
            case .one: one
            case .many: many
            case .manyWithKeptPlan: manyWithKeptPlan
            }
        }
    }

    /// What a transaction sets in which plans are made that are kept: each record is found by its key.
    ///
    /// While a table is small, reading all of it is estimated to be cheaper.
    static let keptPlanSettings = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin"]

    private let insert: Forms
    private let upsert: Forms
    private let update: Forms
    private let replacement: Forms

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
    subscript(_ mode: WriteOperation.PutMode, _ form: Form) -> String {
        switch mode {
        case .insert: insert[form]
        case .upsert: upsert[form]
        case .update: update[form]
        }
    }

    /// Replaces one row or many, which must be there in the versions given.
    func replace(_ form: Form) -> String { replacement[form] }

    private static func insert(into table: String, _ names: [String], conflictClause: String) -> Forms {
        // Without the alias an entity named like the row that was not inserted, `excluded`, would be ambiguous.
        let head = "INSERT INTO \(table) AS holdfast_target (\(names.joined(separator: ", "))) "
        let cells = names.indices.dropFirst().map { "$\($0 + 1)" }.joined(separator: ", ")
        let aliases = names.indices.dropFirst().map { "c\($0)" }.joined(separator: ", ")
        // How many rows there are makes no difference to the plan, which is kept in any case.
        let many =
            head + "SELECT (SELECT \(PostgreSQLTable.sequence)), u.* FROM unnest(\(cells)) AS u(\(aliases))"
            + conflictClause
        return Forms(
            one: head + "VALUES (\(PostgreSQLTable.sequence), \(cells))" + conflictClause, many: many,
            manyWithKeptPlan: many)
    }

    /// Statements that fail as a check does if a row is not there.
    private static func update(_ table: String, _ names: [String], keys: [Int], demandsVersions: Bool) -> Forms {
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
        let aliases = parameters.map { "c\($0)" }.joined(separator: ", ")
        func many(_ array: (_ parameter: Int) -> String) -> String {
            let arrays = parameters.map(array).joined(separator: ", ")
            return statement(
                " FROM unnest(\(arrays)) AS k(\(aliases))", sequence: "(SELECT \(PostgreSQLTable.sequence))",
                count: "cardinality($2)"
            ) { "k.c\($0)" }
        }
        return Forms(
            one: statement("", sequence: PostgreSQLTable.sequence, count: "1") { "$\($0)" },
            many: many { "$\($0)" }, manyWithKeptPlan: many { "(SELECT $\($0))" })
    }
}
#endif
