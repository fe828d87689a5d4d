#if SQLite
internal import CSQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Opens a file as a store: recognizes it, creates or changes its tables, and leaves alone what is not a store.
struct SQLiteOpening {
    let configuration: SQLiteConfiguration
    let file: SQLiteFile
    let request: OpenRequest

    /// Written as `user_version`; a store with a greater one is refused.
    static let formatVersion: Int64 = 1
    /// Held so that no one in this process has a file open when its creator closes it.
    private static let connecting = Mutex<Void>(())

    /// A connection for writing, or for reading if the file cannot be written, and what the store holds.
    func open() throws(StorageError) -> (connection: SQLiteConnection, catalog: SQLiteCatalog) {
        let isEmpty = try file.isEmpty()
        if isEmpty && !request.createsStore { throw OpenRequest.missingStore }
        if isEmpty && configuration.isReadOnly {
            throw StorageError(
                .io, "There is no store at the path; open it for writing once, or check the path.",
                nativeCode: "errno \(ENOENT)")
        }
        let connection = try Self.connecting.withLock { _ throws(StorageError) in
            if isEmpty { try file.create(mode: configuration.fileMode) }
            return try SQLiteConnection(
                path: file.path, flags: configuration.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
        }
        if !isEmpty {
            guard try SQLiteFile.mayBeStore(connection) else { throw Self.foreign() }
        }
        connection.setBusyTimeout(configuration.busyTimeout)
        // As long as the file may belong to another program, not even its log is copied into it.
        let hadLog = file.hasLog
        _ = holdfast_sqlite3_db_config(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, hadLog ? 1 : 0)
        do {
            let catalog = try prepare(connection)
            _ = holdfast_sqlite3_db_config(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
            return (connection, catalog)
        } catch {
            connection.rollBack()
            connection.clearCache()
            throw error
        }
    }

    private static func foreign() -> StorageError {
        StorageError(
            .incompatibleStore,
            "The file is not a Holdfast store; choose another path. It was left as it was.")
    }

    private func prepare(_ connection: SQLiteConnection) throws(StorageError) -> SQLiteCatalog {
        let isStore = try recognize(connection)
        if !isStore && !request.createsStore { throw OpenRequest.missingStore }
        if !isStore && connection.isReadOnly {
            throw StorageError(
                .readOnly, "The file is empty and cannot be written; allow writing to create a store.")
        }
        try connection.configure(configuration)
        if !connection.isReadOnly { try useWriteAheadLog(connection) }
        if isStore {
            // Most times nothing has changed, and the check then needs no write lock.
            let catalog = try read(connection) { () throws(StorageError) in try SQLiteCatalog(reading: connection) }
            let stored = try catalog.schema()
            let change = SchemaChange(from: stored, to: request.schema)
            if change.differences.isEmpty { return catalog }
            let migration = try request.migration(from: stored, change)
            if connection.isReadOnly {
                throw StorageError(
                    .readOnly, "The store needs changes of its schema and cannot be written: \(Self.list(change)).")
            }
            return try write(connection, migration.map { ($0, stored) })
        }
        return try write(connection, nil)
    }

    /// Whether the database is a store of this format; `false` if it is empty.
    ///
    /// - Throws: ``StorageError`` `.incompatibleStore` if it is something else or newer.
    private func recognize(_ connection: SQLiteConnection) throws(StorageError) -> Bool {
        try read(connection) { () throws(StorageError) in
            let identifier = try connection.integer("PRAGMA application_id") ?? 0
            let version = try connection.integer("PRAGMA user_version") ?? 0
            if identifier == 0 {
                let count = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
                if count > 0 || version != 0 { throw Self.foreign() }
                return false
            }
            guard identifier == Int64(SQLiteFile.applicationID) else { throw Self.foreign() }
            if version > Self.formatVersion { throw StorageError.newerFormat(version) }
            let encoding = try connection.text("PRAGMA encoding")
            if encoding != "UTF-8" { throw Self.foreign() }
            return true
        }
    }

    /// Runs a closure in a read transaction.
    private func read<Success>(
        _ connection: SQLiteConnection, _ body: () throws(StorageError) -> Success
    ) throws(StorageError) -> Success {
        try connection.execute("BEGIN")
        do {
            let result = try body()
            try connection.execute("COMMIT")
            return result
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Switches to a write-ahead log.
    ///
    /// SQLite does not wait here when another process is doing the same, so this tries until the time is over.
    private func useWriteAheadLog(_ connection: SQLiteConnection) throws(StorageError) {
        let start = ContinuousClock.now
        while true {
            do throws(StorageError) {
                let mode = try connection.text("PRAGMA journal_mode = WAL")
                if mode == "wal" { return }
                throw StorageError(
                    .unsupported, "The file system cannot hold a write-ahead log; put the store on a local disk.")
            } catch  where error.kind == .busy && ContinuousClock.now - start < configuration.busyTimeout {
                usleep(2_000)
            }
        }
    }

    /// Creates the store or changes its schema, whichever is needed now that no other process can.
    ///
    /// - Parameters:
    ///   - connection: The connection to write with; no transaction is open.
    ///   - planned: The migration, and the stored schema it was made for; `nil` if there is no migration.
    /// - Returns: The catalog as it was written.
    /// - Throws: ``StorageError`` `.busy` if another process changed the schema in the meantime; otherwise what
    ///   reading or writing failed with. The transaction is rolled back first.
    private func write(
        _ connection: SQLiteConnection, _ planned: (migration: SchemaMigration, stored: StorageSchema)?
    ) throws(StorageError) -> SQLiteCatalog {
        try connection.execute("BEGIN IMMEDIATE")
        do throws(StorageError) {
            let isNew = try connection.integer("PRAGMA application_id") == 0
            var writer = SQLiteSchemaWriter(
                connection: connection, catalog: isNew ? SQLiteCatalog() : try SQLiteCatalog(reading: connection))
            let stored = try writer.catalog.schema()
            let change = SchemaChange(from: stored, to: request.schema)
            if isNew { try writer.createCatalog() }
            if let planned, planned.stored == stored {
                try writer.run(planned.migration, to: request.schema)
            } else if change.differences.isEmpty || planned == nil && change.isAdditive {
                try writer.apply(change, to: request.schema)
            } else {
                throw StorageError.schemaChanged()
            }
            try connection.executeOnce("PRAGMA application_id = \(SQLiteFile.applicationID)")
            try connection.executeOnce("PRAGMA user_version = \(Self.formatVersion)")
            try connection.execute("COMMIT")
            // So that the first page, by which the file is recognized, is in the file itself; and so that the log
            // of a migration does not stay.
            if isNew || planned != nil { connection.checkpoint() }
            return writer.catalog
        } catch {
            connection.rollBack()
            throw error
        }
    }

    private static func list(_ change: SchemaChange) -> String {
        change.differences.map(\.description).joined(separator: "; ")
    }
}
#endif
