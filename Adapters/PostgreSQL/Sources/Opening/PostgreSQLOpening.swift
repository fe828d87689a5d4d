#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Opens a schema of a database as a store: recognizes it, creates or changes its tables, and leaves alone what is not
/// a store.
struct PostgreSQLOpening {
    let configuration: PostgreSQLConfiguration
    let request: OpenRequest

    /// Written into the store; one with a greater number is refused.
    static let formatVersion: Int64 = 1
    /// How long a table is waited for at a time.
    ///
    /// Everything that needs the table after that waits behind it. If something long reads the table, such as a backup,
    /// opening fails, and is tried again after a pause in which the others continue.
    private static let tableWaitMilliseconds = 500

    private var schema: String { configuration.schema.quotedIdentifier }

    /// A connection and what the store holds; blocks.
    ///
    /// - Returns: Also whether commits are logged for change feeds.
    func open() throws(StorageError) -> (
        connection: PostgreSQLConnection, catalog: PostgreSQLCatalog, hasChangeLog: Bool
    ) {
        guard (1...63).contains(configuration.schema.utf8.count), !configuration.schema.utf8.contains(0) else {
            throw StorageError(.misuse, "The schema name must be 1 to 63 UTF-8 bytes and must not contain NUL.")
        }
        if configuration.directConnectionString != nil {
            guard configuration.pooling == .transaction, let listening = configuration.listening else {
                throw StorageError(
                    .misuse, "A direct address is for a store behind a pool: declare `pooling=transaction`, or omit it."
                )
            }
            do throws(StorageError) {
                _ = try PostgreSQLPool.connect(listening)
            } catch {
                // Without it, commits of others are only noticed later. The listener tries again.
                guard [.connectionLost, .busy].contains(error.kind) else { throw error }
            }
        }
        let connection = try PostgreSQLPool.connect(configuration)
        guard connection.serverVersion >= 130_000 else {
            throw StorageError(.unsupported, "The server is older than PostgreSQL 13; use a newer one.")
        }
        guard connection.reported("server_encoding") == "UTF8" else {
            throw StorageError(
                .incompatibleStore,
                "The database is not encoded in UTF-8; create one that is. It was left as it was.")
        }
        do {
            let catalog = try prepare(connection)
            try connection.readSequenceBase(schema: schema)
            return (connection, catalog, try prepareChangeLog(connection))
        } catch {
            _ = connection.rollBack()
            guard let native = error.native, native.isTransient else { throw error.error }
            // A snapshot, for one, locks tables in the order in which it reads them.
            throw StorageError(
                .busy, "Opening the store and another transaction waited for each other; try again later.",
                nativeCode: error.error.nativeCode, nativeDetail: native.detail)
        }
    }

    /// Begins the change log if the configuration asks for it, and if this handle can write.
    ///
    /// - Returns: Whether the store has one.
    private func prepareChangeLog(_ connection: PostgreSQLConnection) throws(PostgreSQLStoreFailure) -> Bool {
        let wanted = Int64(clamping: configuration.changeLogCommitCount)
        let kept = try connection.perform([
            PostgreSQLCommand("SELECT change_log_count FROM \(schema).holdfast_store", isKept: false)
        ])[0].integer(0, 0)
        if wanted > kept {
            var parameters = PostgreSQLParameters()
            parameters.append(wanted)
            do throws(PostgreSQLStoreFailure) {
                _ = try connection.perform([
                    PostgreSQLCommand(
                        "UPDATE \(schema).holdfast_store SET change_log_count = greatest(change_log_count, $1)",
                        parameters, isKept: false)
                ])
            } catch {
                guard error.native?.isRefusedWrite == true else { throw error }
                // Commits would fail as well, but this handle can read. Behind a pool a transaction is open.
                _ = connection.rollBack()
                return kept > 0
            }
        }
        return max(wanted, kept) > 0
    }

    private func prepare(
        _ connection: PostgreSQLConnection
    ) throws(PostgreSQLStoreFailure) -> PostgreSQLCatalog {
        guard let tables = try recognize(connection) else {
            guard request.createsStore else { throw PostgreSQLStoreFailure(OpenRequest.missingStore) }
            return try write(connection, nil)
        }
        // Most of the time nothing has changed, and the check then blocks no other process.
        _ = try connection.perform([.beginSnapshot.onlyOnce])
        let catalog = try PostgreSQLCatalog(reading: connection, schema: schema)
        _ = connection.rollBack()
        for entity in catalog.entities where !tables.contains(entity.table) {
            // Unless another process is changing the schema just now.
            guard try recognize(connection)?.contains(entity.table) == true else {
                throw PostgreSQLStoreFailure(
                    StorageError(
                        .corruption, "The table of entity '\(entity.name)' is missing; restore a backup."))
            }
        }
        let planned = try PostgreSQLStoreFailure.of { () throws(StorageError) in
            let stored = try catalog.schema()
            let change = SchemaChange(from: stored, to: request.schema)
            if change.differences.isEmpty { return nil as (migration: SchemaMigration?, stored: StorageSchema)? }
            return (try request.migration(from: stored, change), stored)
        }
        guard let planned else { return catalog }
        return try write(connection, planned.migration.map { ($0, planned.stored) })
    }

    /// The plain names of the tables and indexes of a store of this format; `nil` if the schema is empty or does not
    /// exist.
    ///
    /// - Throws: ``StorageError`` `.incompatibleStore` if it is something else or newer.
    private func recognize(_ connection: PostgreSQLConnection) throws(PostgreSQLStoreFailure) -> Set<String>? {
        var parameters = PostgreSQLParameters()
        parameters.append(configuration.schema)
        let tables = try connection.perform([
            PostgreSQLCommand(
                "SELECT c.relname::text FROM pg_catalog.pg_class c "
                    + "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1::text",
                parameters, isKept: false)
        ])[0]
        if tables.rowCount == 0 { return nil }
        let names = Set((0..<tables.rowCount).map { tables.text($0, 0) })
        guard names.contains("holdfast_store") else {
            throw PostgreSQLStoreFailure(
                StorageError(
                    .incompatibleStore,
                    "The schema contains tables that are not a Holdfast store; choose another. It was left as it was."
                ))
        }
        let format = try connection.perform([
            PostgreSQLCommand("SELECT format::int8 FROM \(schema).holdfast_store", isKept: false)
        ])[0]
        guard format.rowCount == 1 else {
            throw PostgreSQLStoreFailure(StorageError.damagedCatalog())
        }
        if format.integer(0, 0) > Self.formatVersion {
            throw PostgreSQLStoreFailure(StorageError.newerFormat(format.integer(0, 0)))
        }
        return names
    }

    /// Creates the store or changes its schema, whichever is needed now that no other process can.
    ///
    /// - Parameters:
    ///   - connection: The connection to write with; no transaction is open.
    ///   - planned: The migration, and the stored schema it was made for; `nil` if there is no migration.
    /// - Returns: The catalog as it was written.
    /// - Throws: ``PostgreSQLStoreFailure``: with ``StorageError`` `.busy` if another process changed the schema in
    ///   the meantime, otherwise with what reading or writing failed with.
    private func write(
        _ connection: PostgreSQLConnection, _ planned: (migration: SchemaMigration, stored: StorageSchema)?
    ) throws(PostgreSQLStoreFailure) -> PostgreSQLCatalog {
        // Building an index takes as long as it takes.
        connection.silenceMilliseconds = -1
        defer { connection.silenceMilliseconds = configuration.silenceMilliseconds }
        var parameters = PostgreSQLParameters()
        parameters.append("holdfast " + configuration.schema)
        _ = try connection.perform([
            .begin("READ COMMITTED").onlyOnce,
            // What an administrator set is meant for statements of every day.
            PostgreSQLCommand(
                "SET LOCAL statement_timeout = \(configuration.statementTimeout?.milliseconds ?? 0)", isKept: false),
            PostgreSQLCommand("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", parameters, isKept: false),
        ])
        let isNew = try recognize(connection) == nil
        var writer = PostgreSQLSchemaWriter(
            connection: connection, schemaName: configuration.schema, catalog: PostgreSQLCatalog())
        if isNew {
            // The schema may exist already, created by a role with more rights.
            let existing = try connection.perform([
                PostgreSQLCommand(
                    "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1::text", schemaParameter, isKept: false
                )
            ])[0]
            if existing.rowCount == 0 { try writer.execute("CREATE SCHEMA \(schema)") }
            try writer.createCatalog()
        } else {
            writer.catalog = try PostgreSQLCatalog(reading: connection, schema: schema)
        }
        let catalog = writer.catalog
        let (stored, change) = try PostgreSQLStoreFailure.of { () throws(StorageError) in
            let stored = try catalog.schema()
            return (stored, SchemaChange(from: stored, to: request.schema))
        }
        if let planned, planned.stored == stored {
            try writer.run(planned.migration, to: request.schema)
        } else if change.differences.isEmpty || planned == nil && change.isAdditive {
            let wait = configuration.waitTimeout.milliseconds
            try writer.execute("SET LOCAL lock_timeout = \(min(wait, Self.tableWaitMilliseconds))")
            try writer.lockTables(of: change)
            try writer.execute("SET LOCAL lock_timeout = \(wait)")
            try writer.apply(change, to: request.schema)
        } else {
            throw PostgreSQLStoreFailure(StorageError.schemaChanged())
        }
        try writer.saveCounter()
        // Now with the server's numbers of new tables.
        let written = try PostgreSQLCatalog(reading: connection, schema: schema)
        _ = try connection.perform([.commit.onlyOnce])
        return written
    }

    private var schemaParameter: PostgreSQLParameters {
        var parameters = PostgreSQLParameters()
        parameters.append(configuration.schema)
        return parameters
    }
}

extension PostgreSQLConnection {
    /// Reads what is added to transaction numbers, and raises it if the server started counting again.
    ///
    /// A server that the store was copied to has numbers of its own; sequences must continue where they ended.
    ///
    /// - Parameter schema: The quoted name of the store's schema.
    /// - Throws: ``PostgreSQLStoreFailure`` if a query fails or the catalog is damaged.
    func readSequenceBase(schema: String) throws(PostgreSQLStoreFailure) {
        let query = PostgreSQLCommand(
            "SELECT sequence_base, "
                + "(SELECT coalesce(max(sequence), 0) FROM \(schema).holdfast_commit) AS last, "
                + "pg_snapshot_xmax(pg_current_snapshot())::text::int8 FROM \(schema).holdfast_store",
            isKept: false)
        var row = try perform([query])[0]
        if row.rowCount == 1, row.integer(0, 0) + row.integer(0, 2) <= row.integer(0, 1) {
            _ = try perform([
                PostgreSQLCommand(
                    "UPDATE \(schema).holdfast_store SET sequence_base = greatest(sequence_base, "
                        + "(SELECT coalesce(max(sequence), 0) FROM \(schema).holdfast_commit) + 1 "
                        + "- pg_snapshot_xmax(pg_current_snapshot())::text::int8)", isKept: false)
            ])
            row = try perform([query])[0]
        }
        guard row.rowCount == 1 else {
            throw PostgreSQLStoreFailure(StorageError.damagedCatalog())
        }
        sequenceBase = row.integer(0, 0)
    }
}
#endif
