#if SQLite
internal import CSQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Reads amplify-swift's file within one read transaction.
///
/// Used on the queue of its ``AmplifyStoreFile`` only.
struct AmplifyFileReader: Sendable {
    private let connection: SQLiteConnection
    /// The private copy that is read instead of the file, if one had to be made.
    private let copy: SQLiteFile?
    private let tables: [AmplifyTable]
    private let systemTables: [String: AmplifyTable]

    /// Opens a file, or a copy of it if SQLite would have to write to it first.
    static func open(_ path: String) throws(StorageError) -> AmplifyFileReader {
        let file = try SQLiteFile(.file(path))
        switch try file.content() {
        case .empty:
            throw StorageError(.io, "There is no file to be imported at the path, or it is empty.")
        case .foreign: throw unknownFile()
        case .database: break
        }
        do {
            return try AmplifyFileReader(file, copy: nil)
        } catch {
            guard error.kind == .readOnly || error.kind == .io else { throw error }
            let copy = try SQLiteFile(.temporary)
            do {
                try file.copy(to: copy)
                return try AmplifyFileReader(copy, copy: copy)
            } catch {
                copy.deleteIfTemporary()
                throw error
            }
        }
    }

    private init(_ file: SQLiteFile, copy: SQLiteFile?) throws(StorageError) {
        self.copy = copy
        connection = try SQLiteConnection(
            path: file.path, flags: copy == nil ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
        connection.setBusyTimeout(.seconds(5))
        // Metadata is found by random identifiers: pages of it are wanted again and again.
        try connection.execute("PRAGMA cache_size = -32768")
        _ = holdfast_sqlite3_db_config(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        try connection.execute("BEGIN")
        var names: [String] = []
        try connection.forEachRow(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
                + "ORDER BY name"
        ) { row in names.append(row.text(0)) }
        let identifier = try connection.integer("PRAGMA application_id")
        guard identifier == 0, !AmplifyTable.systemNames.isDisjoint(with: names) else { throw Self.unknownFile() }
        var (tables, systemTables): ([AmplifyTable], [String: AmplifyTable]) = ([], [:])
        for name in names {
            let table = try AmplifyTable(name, in: connection)
            if AmplifyTable.systemNames.contains(name) {
                systemTables[name] = table
            } else {
                tables.append(table)
            }
        }
        (self.tables, self.systemTables) = (tables, systemTables)
    }

    private static func unknownFile() -> StorageError {
        StorageError(
            .incompatibleStore, "The file is not one of amplify-swift's DataStore; check the path.")
    }

    /// Ends the transaction and the connection, and deletes the copy.
    func close() {
        connection.clearCache()
        connection.rollBack()
        connection.close()
        copy?.deleteIfTemporary()
    }

    // MARK: - Records

    func entities() throws(StorageError) -> [ForeignEntity] {
        var entities: [ForeignEntity] = []
        for table in tables {
            let count = try connection.integer("SELECT count(*) FROM \(table.name.quotedIdentifier)") ?? 0
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
        var parameters: [SQLiteParameter] = [.integer(request.position ?? .min), .integer(Int64(request.limit))]
        if hasMetadata { parameters.append(.text(table.name + "|")) }
        var records: [ForeignRecord] = []
        records.reserveCapacity(request.limit)
        try connection.forEachRow(sql, parameters) { row throws(StorageError) in
            records.append(try layout.record(row, connection))
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
        try connection.forEachRow(
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
        try connection.forEachRow(
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
        try connection.forEachRow(sql) { row in
            // One whose time cannot be read comes right behind the one before it.
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
