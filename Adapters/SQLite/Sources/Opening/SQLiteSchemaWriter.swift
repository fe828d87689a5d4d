#if SQLite
internal import CSQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Creates and changes the tables of a store; runs inside a write transaction of its caller.
struct SQLiteSchemaWriter {
    let connection: SQLiteConnection
    var catalog: SQLiteCatalog

    init(connection: SQLiteConnection, catalog: SQLiteCatalog) {
        self.connection = connection
        self.catalog = catalog
    }

    /// Creates the catalog of an empty store.
    func createCatalog() throws(StorageError) {
        for table in SQLiteCatalog.tables { try connection.executeOnce(table) }
        try connection.execute("INSERT INTO holdfast_store(id, sequence) VALUES (1, 0)")
    }

    /// Makes additive differences in place.
    mutating func apply(_ change: SchemaChange, to schema: StorageSchema) throws(StorageError) {
        for difference in change.differences {
            if case .indexRemoved(let entity, let index) = difference { try drop(index, of: entity) }
        }
        for difference in change.differences {
            switch difference {
            case .entityAdded(let name): try create(schema.entity(named: name))
            case .fieldAdded(let entity, let field, _):
                if let field = try schema.entity(named: entity).field(named: field) { try add(field, to: entity) }
            default: break
            }
        }
        for difference in change.differences {
            guard case .indexAdded(let entity, let name) = difference else { continue }
            for index in try schema.entity(named: entity).indexes where index.name == name {
                try create(index, of: entity)
            }
        }
    }

    private mutating func create(_ schema: EntitySchema) throws(StorageError) {
        let entity = catalog.add(schema)
        try createTable(of: entity)
        try record(entity)
        for index in schema.indexes { try create(index, of: entity.name) }
    }

    /// Creates the table of an entity, without its indexes.
    func createTable(of entity: SQLiteCatalog.Entity) throws(StorageError) {
        var columns: [String] = []
        for field in entity.fields {
            columns.append(Self.declaration(field))
            if let tail = Self.tailDeclaration(field) { columns.append(tail) }
        }
        columns.append("\(entity.versionColumn.quotedIdentifier) INTEGER NOT NULL")
        let limit = connection.limit(SQLITE_LIMIT_COLUMN)
        if columns.count > limit {
            throw StorageError(
                .limitExceeded, "Entity '\(entity.name)' needs \(columns.count) columns; SQLite allows \(limit).")
        }
        let key = entity.primaryKey.compactMap { entity.field(named: $0)?.column.quotedIdentifier }
        columns.append("PRIMARY KEY (\(key.joined(separator: ", ")))")
        try connection.executeOnce(
            "CREATE TABLE \(entity.table.quotedIdentifier)(\n    \(columns.joined(separator: ",\n    "))\n)"
                + " STRICT, WITHOUT ROWID")
    }

    /// Writes an entity, without its indexes, into the catalog, behind all others.
    func record(_ entity: SQLiteCatalog.Entity) throws(StorageError) {
        try connection.execute(
            """
            INSERT INTO holdfast_entity(name, position, native_table, version_column, primary_key)
            VALUES (?, (SELECT coalesce(max(position) + 1, 0) FROM holdfast_entity), ?, ?, ?)
            """,
            [
                .text(entity.name), .text(entity.table), .text(entity.versionColumn),
                .text(SQLiteCatalog.text(entity.primaryKey)),
            ])
        for (position, field) in entity.fields.enumerated() {
            try record(field, of: entity.name, position: position)
        }
    }

    private mutating func add(_ schema: FieldSchema, to entityName: String) throws(StorageError) {
        guard let field = catalog.add(schema, to: entityName), let entity = catalog.entity(named: entityName)
        else { return }
        let alter = "ALTER TABLE \(entity.table.quotedIdentifier) ADD COLUMN "
        try connection.executeOnce(alter + Self.declaration(field))
        if let tail = Self.tailDeclaration(field) { try connection.executeOnce(alter + tail) }
        try record(field, of: entityName, position: entity.fields.count - 1)
    }

    private func record(
        _ field: SQLiteCatalog.Field, of entity: String, position: Int
    ) throws(StorageError) {
        try connection.execute(
            """
            INSERT INTO holdfast_field(entity, name, position, type, is_required, native_column, tail_column)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(entity), .text(field.name), .integer(Int64(position)), .text(field.type.catalogName),
                .integer(field.isRequired ? 1 : 0), .text(field.column),
                field.tailColumn.map { .text($0) } ?? .null,
            ])
    }

    private static func declaration(_ field: SQLiteCatalog.Field) -> String {
        "\(field.column.quotedIdentifier) \(field.type.sqliteColumnType)" + (field.isRequired ? " NOT NULL" : "")
    }

    private static func tailDeclaration(_ field: SQLiteCatalog.Field) -> String? {
        field.tailColumn.map { "\($0.quotedIdentifier) TEXT" + (field.isRequired ? " NOT NULL" : "") }
    }

    mutating func create(_ schema: IndexSchema, of entityName: String) throws(StorageError) {
        guard let index = catalog.add(schema, to: entityName), let entity = catalog.entity(named: entityName)
        else { return }
        let columns = schema.fields.compactMap { entity.field(named: $0)?.column.quotedIdentifier }
        do {
            try connection.executeOnce(
                "CREATE \(schema.isUnique ? "UNIQUE " : "")INDEX \(index.nativeName.quotedIdentifier)"
                    + " ON \(entity.table.quotedIdentifier)(\(columns.joined(separator: ", ")))")
        } catch  where error.isNative(SQLiteCode.uniqueConstraint) {
            throw StorageError(
                .schemaMismatch,
                "Unique index '\(schema.name)' of '\(entityName)' cannot be made: records with equal values exist; "
                    + "open the store without it and change them first.", nativeCode: error.nativeCode)
        }
        try connection.execute(
            """
            INSERT INTO holdfast_index(entity, name, position, fields, is_unique, native_index)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .text(entityName), .text(schema.name), .integer(Int64(entity.indexes.count - 1)),
                .text(SQLiteCatalog.text(schema.fields)), .integer(schema.isUnique ? 1 : 0),
                .text(index.nativeName),
            ])
    }

    private mutating func drop(_ name: String, of entity: String) throws(StorageError) {
        guard let index = catalog.removeIndex(name, from: entity) else { return }
        try connection.executeOnce("DROP INDEX \(index.nativeName.quotedIdentifier)")
        try connection.execute(
            "DELETE FROM holdfast_index WHERE entity = ? AND name = ?", [.text(entity), .text(name)])
    }
}
#endif
