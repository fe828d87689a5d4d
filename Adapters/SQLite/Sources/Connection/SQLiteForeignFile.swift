#if SQLite
internal import CSQLite
package import HoldfastStorage

/// A database file that another product wrote: read within one transaction and never changed.
///
/// What is in a write-ahead log beside it is seen. If SQLite would have to write to the file first, because its last
/// writer died in the middle of a transaction or the directory cannot be written, a private copy is read.
///
/// Has one user at a time.
package struct SQLiteForeignFile: Sendable {
    private let connection: SQLiteConnection
    /// The private copy that is read instead of the file, if one had to be made.
    private let copy: SQLiteFile?

    /// Opens a file.
    ///
    /// - Throws: ``StorageError`` `.io` if there is no file or it cannot be read, `.incompatibleStore` if the file is not
    ///   a database, or is a Holdfast store, `.corruption`, `.busy` if another process is writing to it.
    package init(path: String) throws(StorageError) {
        let file = try SQLiteFile(.file(path))
        if try file.isEmpty() {
            throw StorageError(.io, "There is no file at the path, or it is empty; check the path.")
        }
        do {
            try self.init(file, copy: nil)
        } catch {
            guard error.kind == .readOnly || error.kind == .io else { throw error }
            let copy = try SQLiteFile(.temporary)
            do {
                try file.copy(to: copy)
                try self.init(copy, copy: copy)
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
        guard try SQLiteFile.mayBeStore(connection) else { throw Self.unknownFile() }
        connection.setBusyTimeout(.seconds(5))
        // Keys may be random: pages are wanted again and again.
        try connection.execute("PRAGMA cache_size = -32768")
        _ = holdfast_sqlite3_db_config(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        try connection.execute("BEGIN")
        // The first read begins the transaction, and fails where the file has to be written first.
        _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
        guard try connection.integer("PRAGMA application_id") == 0 else { throw Self.unknownFile() }
    }

    private static func unknownFile() -> StorageError {
        StorageError(.incompatibleStore, "The file is not a database of another product; check the path.")
    }

    /// The names of the tables, in their order, without those of SQLite.
    package func tableNames() throws(StorageError) -> [String] {
        var names: [String] = []
        try forEachRow(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
                + "ORDER BY name"
        ) { row in names.append(row.text(0)) }
        return names
    }

    /// Calls a closure for each row of a query.
    package func forEachRow(
        _ sql: String, _ parameters: [Value] = [], _ body: (SQLiteForeignRow) throws(StorageError) -> Void
    ) throws(StorageError) {
        try connection.forEachRow(sql, parameters.map { SQLiteParameter($0) }) { statement throws(StorageError) in
            try body(SQLiteForeignRow(statement: statement))
        }
    }

    /// The first cell of the first row of a query, or `nil` without rows.
    package func integer(_ sql: String, _ parameters: [Value] = []) throws(StorageError) -> Int64? {
        try connection.integer(sql, parameters.map { SQLiteParameter($0) })
    }

    /// Ends the transaction and the connection, and deletes the copy.
    package func close() {
        connection.clearCache()
        connection.rollBack()
        connection.close()
        copy?.deleteIfTemporary()
    }
}

/// A row of a ``SQLiteForeignFile``, until the next one is read; columns are counted from 0.
package struct SQLiteForeignRow {
    /// What a cell holds, regardless of the declared type of its column.
    package enum Kind {
        case null, integer, double, text, bytes
    }

    fileprivate let statement: SQLiteStatement

    /// What a cell holds.
    package func kind(_ column: Int32) -> Kind {
        switch sqlite3_column_type(statement.handle, column) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .double
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .bytes
        default: .null
        }
    }

    /// Whether a cell is null.
    package func isNull(_ column: Int32) -> Bool { statement.isNull(column) }

    /// An integer cell; another is converted.
    package func integer(_ column: Int32) -> Int64 { statement.integer(column) }

    /// A double cell; another is converted.
    package func double(_ column: Int32) -> Double { statement.double(column) }

    /// A text cell, repaired if it is not valid UTF-8; another is converted.
    package func text(_ column: Int32) -> String { statement.text(column) }

    /// A text cell, `nil` if it is not valid UTF-8.
    package func validText(_ column: Int32) -> String? { statement.validText(column) }
}
#endif
