#if SQLite
internal import CSQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// How SQLite creates and changes the tables of a store.
struct SQLiteSchemaWriter: SQLSchemaWriter {
    let connection: SQLiteConnection
    var catalog: SQLiteCatalog

    /// Creates the catalog of an empty store.
    func createCatalog() throws(StorageError) {
        for table in SQLiteCatalog.tables { try execute(table) }
        try connection.execute("INSERT INTO holdfast_store(id, sequence) VALUES (1, 0)")
    }

    func execute(_ sql: String) throws(StorageError) { try connection.executeOnce(sql) }

    func failure(_ error: StorageError) -> StorageError { error }

    // MARK: Tables

    static func columnType(_ type: StorageType) -> String { type.sqliteColumnType }
    static let tailType = "TEXT"
    static let versionType = "INTEGER"
    static let databaseName = "SQLite"
    var maximumColumnCount: Int { connection.limit(SQLITE_LIMIT_COLUMN) }

    func qualified(_ name: String) -> String { name.quotedIdentifier }

    func createTable(of entity: SQLiteCatalog.Entity, columns: [String], key: [String]) throws(StorageError) {
        let declarations = columns + ["PRIMARY KEY (\(key.joined(separator: ", ")))"]
        try execute(
            "CREATE TABLE \(entity.table.quotedIdentifier)(\n    \(declarations.joined(separator: ",\n    "))\n)"
                + " STRICT, WITHOUT ROWID")
    }

    func createIndex(_ index: SQLiteCatalog.Index, of entity: SQLiteCatalog.Entity) throws(StorageError) {
        let columns =
            index.schema.isVersionOrder
            ? entity.versionOrderColumns
            : index.schema.fields.compactMap { entity.field(named: $0)?.column.quotedIdentifier }
        do {
            try execute(
                "CREATE \(index.schema.isUnique ? "UNIQUE " : "")INDEX \(index.nativeName.quotedIdentifier)"
                    + " ON \(entity.table.quotedIdentifier)(\(columns.joined(separator: ", ")))")
        } catch  where error.isNative(SQLiteCode.uniqueConstraint) {
            throw duplicates(index, in: entity, nativeCode: error.nativeCode)
        }
    }

    // MARK: Catalog tables

    /// The entity is the last in the catalog's order.
    func recordEntity(_ entity: SQLiteCatalog.Entity) throws(StorageError) {
        try connection.execute(
            """
            INSERT INTO holdfast_entity(name, position, native_table, version_column, primary_key)
            VALUES (?, (SELECT coalesce(max(position) + 1, 0) FROM holdfast_entity), ?, ?, ?)
            """,
            [
                .text(entity.name), .text(entity.table), .text(entity.versionColumn),
                .text(SQLiteCatalog.text(entity.primaryKey)),
            ])
    }

    func recordField(
        _ field: SQLiteCatalog.Field, of entity: SQLiteCatalog.Entity, position: Int
    ) throws(StorageError) {
        try connection.execute(
            """
            INSERT INTO holdfast_field(entity, name, position, type, is_required, native_column, tail_column)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(entity.name), .text(field.name), .integer(Int64(position)), .text(field.type.catalogName),
                .integer(field.isRequired ? 1 : 0), .text(field.column),
                field.tailColumn.map { .text($0) } ?? .null,
            ])
    }

    func recordIndex(
        _ index: SQLiteCatalog.Index, of entity: SQLiteCatalog.Entity, position: Int
    ) throws(StorageError) {
        try connection.execute(
            """
            INSERT INTO holdfast_index(entity, name, position, fields, is_unique, native_index)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .text(entity.name), .text(index.schema.name), .integer(Int64(position)),
                .text(SQLiteCatalog.text(index.schema.fields)), .integer(index.schema.isUnique ? 1 : 0),
                .text(index.nativeName),
            ])
    }

    func forgetIndex(_ name: String, of entity: SQLiteCatalog.Entity) throws(StorageError) {
        try connection.execute(
            "DELETE FROM holdfast_index WHERE entity = ? AND name = ?", [.text(entity.name), .text(name)])
    }

    func forgetEntity(_ entity: SQLiteCatalog.Entity) throws(StorageError) {
        try connection.execute("DELETE FROM holdfast_index WHERE entity = ?", [.text(entity.name)])
        try connection.execute("DELETE FROM holdfast_field WHERE entity = ?", [.text(entity.name)])
        try connection.execute("DELETE FROM holdfast_entity WHERE name = ?", [.text(entity.name)])
    }

    func markDeletion(in entity: SQLiteCatalog.Entity) throws(StorageError) {
        try connection.execute(
            "UPDATE holdfast_entity SET last_deletion = (SELECT sequence FROM holdfast_store) WHERE name = ?",
            [.text(entity.name)])
    }
}
#endif
