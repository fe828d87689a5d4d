#if SQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

typealias SQLiteCatalog = SQLCatalog

extension SQLNaming {
    /// SQLite folds the case of ASCII letters and keeps some names for itself.
    ///
    /// A table hides the function of its name that returns rows: long lists are read with `json_each`, and `verify()`
    /// uses `pragma_table_info`.
    fileprivate static let sqlite = SQLNaming(
        reservedPrefixes: ["sqlite_", "json_", "pragma_"], fold: \.foldedIdentifier)
}

extension SQLiteCatalog {
    /// Creates the catalog of an empty store.
    init() { self.init(naming: .sqlite) }

    /// The tables that hold the catalog; made to be read by people too.
    static let tables = [
        """
        CREATE TABLE holdfast_store(
            id INTEGER PRIMARY KEY CHECK (id = 1),
            sequence INTEGER NOT NULL,
            migration_count INTEGER NOT NULL DEFAULT 0
        ) STRICT
        """,
        """
        CREATE TABLE holdfast_entity(
            name TEXT NOT NULL PRIMARY KEY,
            position INTEGER NOT NULL,
            native_table TEXT NOT NULL,
            version_column TEXT NOT NULL,
            primary_key TEXT NOT NULL,
            last_deletion INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE holdfast_field(
            entity TEXT NOT NULL,
            name TEXT NOT NULL,
            position INTEGER NOT NULL,
            type TEXT NOT NULL,
            is_required INTEGER NOT NULL,
            native_column TEXT NOT NULL,
            tail_column TEXT,
            PRIMARY KEY (entity, name)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE holdfast_index(
            entity TEXT NOT NULL,
            name TEXT NOT NULL,
            position INTEGER NOT NULL,
            fields TEXT NOT NULL,
            is_unique INTEGER NOT NULL,
            native_index TEXT NOT NULL,
            PRIMARY KEY (entity, name)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// Reads the catalog of a store.
    init(reading connection: SQLiteConnection) throws(StorageError) {
        var entities: [Entity] = []
        try connection.forEachRow(
            "SELECT name, native_table, version_column, primary_key FROM holdfast_entity ORDER BY position"
        ) { row throws(StorageError) in
            entities.append(
                Entity(
                    name: row.text(0), table: row.text(1), versionColumn: row.text(2),
                    primaryKey: try Self.names(row.utf8(3))))
        }
        // One statement for all entities: opening a store is mostly the preparing of statements.
        let positions = Dictionary(zip(entities.map(\.name), entities.indices)) { first, _ in first }
        try connection.forEachRow(
            """
            SELECT entity, name, type, is_required, native_column, tail_column FROM holdfast_field
            ORDER BY entity, position
            """
        ) { row throws(StorageError) in
            guard let position = positions[row.text(0)] else { return }
            guard let type = StorageType(catalogName: row.text(2)[...]) else { throw StorageError.damagedCatalog() }
            entities[position].fields.append(
                Field(
                    name: row.text(1), type: type, isRequired: row.integer(3) != 0, column: row.text(4),
                    tailColumn: row.isNull(5) ? nil : row.text(5)))
        }
        try connection.forEachRow(
            "SELECT entity, name, fields, is_unique, native_index FROM holdfast_index ORDER BY entity, position"
        ) { row throws(StorageError) in
            guard let position = positions[row.text(0)] else { return }
            let schema = IndexSchema(row.text(1), on: try Self.names(row.utf8(2)), isUnique: row.integer(3) != 0)
            entities[position].indexes.append(Index(schema: schema, nativeName: row.text(4)))
        }
        self.init()
        self.entities = entities
        migrationCount = try connection.storeLine()?.migrationCount ?? 0
    }

    private static func names(_ json: UnsafeBufferPointer<UInt8>) throws(StorageError) -> [String] {
        let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        return try names(SQLiteListCodec.decode(json, tails: none, of: .text))
    }

    /// A list of names as the catalog keeps it.
    static func text(_ names: [String]) -> String { SQLiteListCodec.json(names.map { .text($0) }) }
}
#endif
