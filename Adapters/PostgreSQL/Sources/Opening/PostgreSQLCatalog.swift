#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

typealias PostgreSQLCatalog = SQLCatalog

extension SQLNaming {
    /// PostgreSQL cuts names after 63 bytes.
    fileprivate static let postgreSQL = SQLNaming(
        maximumByteCount: 63, systemColumns: ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid", "oid"])
}

extension SQLCatalog.Entity {
    /// The native name of the primary key.
    var keyName: String { "holdfast_key_\(number)" }
}

extension PostgreSQLCatalog {
    /// Creates the catalog of an empty store.
    init() { self.init(naming: .postgreSQL) }

    /// The tables that hold the catalog and the history; made to be read by people too.
    ///
    /// - Parameter schema: The quoted name of the store's schema.
    /// - Returns: The statements that create them, in order.
    static func tables(in schema: String) -> [String] {
        [
            """
            CREATE TABLE \(schema).holdfast_store (
                id integer PRIMARY KEY CHECK (id = 1),
                format integer NOT NULL,
                sequence_base bigint NOT NULL,
                next_entity bigint NOT NULL,
                change_log_count bigint NOT NULL DEFAULT 0,
                forgotten_through bigint NOT NULL DEFAULT 0
            )
            """,
            """
            CREATE TABLE \(schema).holdfast_commit (
                sequence bigint NOT NULL CONSTRAINT holdfast_commit_sequence PRIMARY KEY,
                token bytea NOT NULL CONSTRAINT holdfast_commit_token UNIQUE,
                put_count bigint NOT NULL,
                changes bytea,
                committed_at timestamp with time zone NOT NULL DEFAULT now()
            )
            """,
            """
            CREATE TABLE \(schema).holdfast_deletion (
                entity bigint NOT NULL,
                sequence bigint NOT NULL,
                record_count bigint NOT NULL
            )
            """,
            "CREATE INDEX holdfast_deletion_entity ON \(schema).holdfast_deletion (entity, sequence)",
            """
            CREATE TABLE \(schema).holdfast_entity (
                number bigint NOT NULL PRIMARY KEY,
                name text COLLATE "C" NOT NULL UNIQUE,
                native_table text COLLATE "C" NOT NULL,
                version_column text COLLATE "C" NOT NULL,
                primary_key text[] COLLATE "C" NOT NULL
            )
            """,
            """
            CREATE TABLE \(schema).holdfast_field (
                entity bigint NOT NULL REFERENCES \(schema).holdfast_entity ON DELETE CASCADE,
                name text COLLATE "C" NOT NULL,
                position bigint NOT NULL,
                type text NOT NULL,
                is_required boolean NOT NULL,
                native_column text COLLATE "C" NOT NULL,
                tail_column text COLLATE "C",
                PRIMARY KEY (entity, name)
            )
            """,
            """
            CREATE TABLE \(schema).holdfast_index (
                entity bigint NOT NULL REFERENCES \(schema).holdfast_entity ON DELETE CASCADE,
                name text COLLATE "C" NOT NULL,
                position bigint NOT NULL,
                fields text[] COLLATE "C" NOT NULL,
                is_unique boolean NOT NULL,
                native_index text COLLATE "C" NOT NULL,
                PRIMARY KEY (entity, name)
            )
            """,
        ]
    }

    /// How many numbers for entities a migration leaves out; so the next number also counts the migrations.
    static let numbersPerMigration: Int64 = 1 << 32

    /// A query for the number of migrations that a store has had.
    ///
    /// - Parameter schema: The quoted name of the store's schema.
    /// - Returns: A query without parameters, in parentheses.
    static func migrationQuery(in schema: String) -> String {
        "(SELECT next_entity / \(numbersPerMigration) FROM \(schema).holdfast_store)"
    }

    /// Reads the catalog of a store.
    ///
    /// - Parameters:
    ///   - connection: A connection to the store's database.
    ///   - schema: The quoted name of the store's schema.
    /// - Throws: ``PostgreSQLStoreFailure`` if a query fails or the catalog is damaged.
    init(reading connection: PostgreSQLConnection, schema: String) throws(PostgreSQLStoreFailure) {
        var parameters = PostgreSQLParameters()
        parameters.append(schema)
        let results = try connection.perform([
            PostgreSQLCommand("SELECT next_entity FROM \(schema).holdfast_store"),
            PostgreSQLCommand(
                "SELECT e.number, e.name, e.native_table, e.version_column, e.primary_key, c.oid::int8 "
                    + "FROM \(schema).holdfast_entity AS e LEFT JOIN pg_catalog.pg_class AS c "
                    + "ON c.relname = e.native_table::name AND c.relnamespace = to_regnamespace($1) ORDER BY e.number",
                parameters),
            PostgreSQLCommand(
                "SELECT entity, name, type, is_required, native_column, tail_column "
                    + "FROM \(schema).holdfast_field ORDER BY entity, position"),
            PostgreSQLCommand(
                "SELECT entity, name, fields, is_unique, native_index "
                    + "FROM \(schema).holdfast_index ORDER BY entity, position"),
        ])
        self.init()
        do {
            if results[0].rowCount == 1 { nextNumber = results[0].integer(0, 0) }
            migrationCount = nextNumber / Self.numbersPerMigration
            try read(entities: results[1], fields: results[2], indexes: results[3])
        } catch {
            throw PostgreSQLStoreFailure(error)
        }
    }

    private mutating func read(
        entities: PostgreSQLResult, fields: PostgreSQLResult, indexes: PostgreSQLResult
    ) throws(StorageError) {
        var positions: [Int64: Int] = [:]
        for row in 0..<entities.rowCount {
            positions[entities.integer(row, 0)] = row
            var entity = Entity(
                number: entities.integer(row, 0), name: entities.text(row, 1), table: entities.text(row, 2),
                versionColumn: entities.text(row, 3), primaryKey: try Self.names(entities, row, 4))
            entity.tableNumber = UInt32(truncatingIfNeeded: entities.integer(row, 5))
            self.entities.append(entity)
        }
        for row in 0..<fields.rowCount {
            guard let position = positions[fields.integer(row, 0)],
                let type = StorageType(catalogName: fields.text(row, 2)[...])
            else { throw StorageError.damagedCatalog() }
            self.entities[position].fields.append(
                Field(
                    name: fields.text(row, 1), type: type, isRequired: fields.boolean(row, 3),
                    column: fields.text(row, 4),
                    tailColumn: fields.isNull(row, 5) ? nil : fields.text(row, 5)))
        }
        for row in 0..<indexes.rowCount {
            guard let position = positions[indexes.integer(row, 0)] else { throw StorageError.damagedCatalog() }
            let schema = IndexSchema(
                indexes.text(row, 1), on: try Self.names(indexes, row, 2), isUnique: indexes.boolean(row, 3))
            self.entities[position].indexes.append(Index(schema: schema, nativeName: indexes.text(row, 4)))
        }
    }

    private static func names(
        _ result: PostgreSQLResult, _ row: Int, _ column: Int
    ) throws(StorageError) -> [String] {
        guard case .list(let values) = try PostgreSQLRowLayout.value(.list(.text), result, row, column) else {
            throw StorageError.damagedCatalog()
        }
        return try names(values)
    }
}
#endif
