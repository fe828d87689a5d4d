#if SQLite
import HoldfastAdapterKit
import HoldfastEngine
import HoldfastSQLite
import HoldfastStorage

/// Reads amplify-swift's file.
///
/// Used on the queue of its ``AmplifyStoreFile`` only.
struct AmplifyFileReader: Sendable {
    private let file: SQLiteForeignFile
    private let tables: [AmplifyTable]
    private let systemTables: [String: AmplifyTable]

    /// Opens a file.
    init(path: String) throws(StorageError) {
        let file = try SQLiteForeignFile(path: path)
        do throws(StorageError) {
            let names = try file.tableNames()
            guard !AmplifyTable.systemNames.isDisjoint(with: names) else {
                throw StorageError(
                    .incompatibleStore, "The file is not one of amplify-swift's DataStore; check the path.")
            }
            var (tables, systemTables): ([AmplifyTable], [String: AmplifyTable]) = ([], [:])
            for name in names {
                let table = try AmplifyTable(name, in: file)
                if AmplifyTable.systemNames.contains(name) {
                    systemTables[name] = table
                } else {
                    tables.append(table)
                }
            }
            (self.file, self.tables, self.systemTables) = (file, tables, systemTables)
        } catch {
            file.close()
            throw error
        }
    }

    func close() { file.close() }

    // MARK: - Records

    func entities() throws(StorageError) -> [ForeignEntity] {
        var entities: [ForeignEntity] = []
        for table in tables {
            let count = try file.integer("SELECT count(*) FROM \(table.name.quotedIdentifier)") ?? 0
            entities.append(table.entity(recordCount: Int(count)))
        }
        return entities
    }

    func records(_ request: ForeignRecordRequest) throws(StorageError) -> [ForeignRecord] {
        guard let table = tables.first(where: { $0.name == request.entity.name }), let rowNumber = table.rowNumber
        else {
            throw StorageError(
                .schemaMismatch, "The file has no table '\(request.entity.name)' that can be read in order.")
        }
        let layout = AmplifyRowLayout(request, table)
        let identifier = "CAST(r.\(table.identifierColumn.quotedIdentifier) AS TEXT)"
        let hasMetadata = systemTables["MutationSyncMetadata"] != nil
        let columns = ["r.\(rowNumber)", identifier] + AmplifyRowLayout.metadataColumns(hasMetadata)
        let sql =
            "SELECT \((columns + layout.columns.map { "r." + $0.quotedIdentifier }).joined(separator: ", ")) "
            + "FROM \(table.name.quotedIdentifier) AS r "
            + (hasMetadata ? "LEFT JOIN \"MutationSyncMetadata\" AS m ON m.\"id\" = ?3 || \(identifier) " : "")
            + "WHERE r.\(rowNumber) > ?1 ORDER BY r.\(rowNumber) LIMIT ?2"
        var parameters: [Value] = [.integer(request.position ?? .min), .integer(Int64(request.limit))]
        if hasMetadata { parameters.append(.text(table.name + "|")) }
        var records: [ForeignRecord] = []
        records.reserveCapacity(request.limit)
        try file.forEachRow(sql, parameters) { row throws(StorageError) in
            records.append(try layout.record(row, file))
        }
        return records
    }

    // MARK: - What the service said

    func tombstones(after position: Int64?, limit: Int) throws(StorageError) -> [ForeignMetadata] {
        guard systemTables["MutationSyncMetadata"] != nil else { return [] }
        let unsent =
            systemTables["MutationEvent"] == nil
            ? ""
            : " OR \"id\" IN (SELECT \"modelName\" || '|' || \"modelId\" FROM \"MutationEvent\" "
                + "WHERE \"mutationType\" = 'delete')"
        var tombstones: [ForeignMetadata] = []
        try file.forEachRow(
            "SELECT rowid, \"id\", \"version\", \"lastChangedAt\", \"deleted\" FROM \"MutationSyncMetadata\" "
                + "WHERE rowid > ? AND (\"deleted\" = 1\(unsent)) ORDER BY rowid LIMIT ?",
            [.integer(position ?? .min), .integer(Int64(limit))]
        ) { row in
            // Names of models have no bar, identifiers may.
            let id = row.text(1)
            let bar = id.firstIndex(of: "|")
            tombstones.append(
                ForeignMetadata(
                    position: row.integer(0), entity: bar.map { String(id[..<$0]) } ?? "",
                    identifier: bar.map { String(id[id.index(after: $0)...]) } ?? id, version: row.integer(2),
                    lastChangedAt: row.integer(3), isDeleted: row.integer(4) != 0))
        }
        return tombstones
    }

    func states() throws(StorageError) -> [ForeignState] {
        guard let table = systemTables["ModelSyncMetadata"] else { return [] }
        let predicate = table.columns.contains("syncPredicate") ? "\"syncPredicate\"" : "NULL"
        var states: [ForeignState] = []
        try file.forEachRow(
            "SELECT \"id\", \"lastSync\", \(predicate) FROM \"ModelSyncMetadata\" ORDER BY \"id\""
        ) { row in
            states.append(
                ForeignState(
                    entity: row.text(0), lastSync: row.isNull(1) ? nil : row.integer(1),
                    syncPredicate: row.isNull(2) ? nil : row.text(2)))
        }
        return states
    }

    // MARK: - Unsent changes

    func mutations() throws(StorageError) -> [ForeignMutation] {
        guard let table = systemTables["MutationEvent"] else { return [] }
        let condition = table.columns.contains("graphQLFilterJSON") ? "e.\"graphQLFilterJSON\" IS NOT NULL" : "0"
        let hasMetadata = systemTables["MutationSyncMetadata"] != nil
        let sql =
            "SELECT e.rowid, e.\"modelName\", e.\"modelId\", e.\"mutationType\", e.\"createdAt\", "
            + "e.\"version\", \(hasMetadata ? "m.\"version\"" : "NULL"), \(condition) FROM \"MutationEvent\" AS e "
            + (hasMetadata
                ? "LEFT JOIN \"MutationSyncMetadata\" AS m ON m.\"id\" = e.\"modelName\" || '|' || e.\"modelId\" "
                : "")
            + "ORDER BY e.rowid"
        var mutations: [ForeignMutation] = []
        try file.forEachRow(sql) { row in
            // One whose time cannot be read comes right after the one before it.
            let time = (try? Timestamp(parsing: row.text(4))).map {
                $0.secondsSinceEpoch * 1_000_000 + Int64($0.nanoseconds) / 1_000
            }
            let versions = [Int32(5), 6].compactMap { row.isNull($0) ? nil : row.integer($0) }
            mutations.append(
                ForeignMutation(
                    position: row.integer(0), entity: row.text(1), identifier: row.text(2),
                    operation: ForeignMutation.Operation(rawValue: row.text(3)),
                    madeAt: time ?? mutations.last?.madeAt ?? 0, baseVersion: versions.max(),
                    hasCondition: row.integer(7) != 0))
        }
        return mutations.sorted { ($0.madeAt, $0.position) < ($1.madeAt, $1.position) }
    }
}
#endif
