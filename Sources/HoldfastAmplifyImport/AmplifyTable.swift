#if SQLite
import HoldfastAdapterKit
import HoldfastEngine
import HoldfastSQLite
import HoldfastStorage

/// A table in which amplify-swift keeps the records of a model.
struct AmplifyTable: Sendable {
    let name: String
    /// All columns, in their order.
    let columns: [String]
    /// The column that holds the record's identifier.
    let identifierColumn: String

    /// The tables that are not those of models.
    static let systemNames: Set<String> = ["MutationEvent", "MutationSyncMetadata", "ModelSyncMetadata"]

    private static let identifierOfSeveral = "@@primaryKey"

    /// Looks at a table of the file.
    init(_ name: String, in file: SQLiteForeignFile) throws(StorageError) {
        self.name = name
        var columns: [String] = []
        var keyColumn: String?
        try file.forEachRow("SELECT name, pk FROM pragma_table_info(?)", [.text(name)]) { row in
            columns.append(row.text(0))
            if row.integer(1) == 1 { keyColumn = row.text(0) }
        }
        self.columns = columns
        identifierColumn =
            columns.contains(Self.identifierOfSeveral) ? Self.identifierOfSeveral : keyColumn ?? "id"
    }

    /// The name under which SQL finds the row number, `nil` if columns have taken all of them.
    var rowNumber: String? {
        let taken = Set(columns.map(\.foldedIdentifier))
        return ["rowid", "_rowid_", "oid"].first { !taken.contains($0.foldedIdentifier) }
    }

    /// The column that holds the key of a relation to a model whose key has several fields.
    static func column(ofRelation name: String) -> String { "@@\(name)ForeignKey" }

    /// The table as an importer sees it.
    func entity(recordCount: Int) -> ForeignEntity {
        let suffix = "ForeignKey"
        let relations = columns.filter { $0.hasPrefix("@@") && $0.hasSuffix(suffix) }
        return ForeignEntity(
            name: name, fields: columns.filter { !$0.hasPrefix("@@") },
            relations: relations.map { String($0.dropFirst(2).dropLast(suffix.count)) }, recordCount: recordCount)
    }
}
#endif
