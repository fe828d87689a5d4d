#if SQLite
internal import CSQLite

/// A connection without the adapter, as another program would have it.
public final class RawDatabase {
    private var handle: OpaquePointer?

    /// Opens a file, or creates it.
    public init(_ path: String) {
        sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    }

    deinit { close() }

    /// Runs statements.
    @discardableResult
    public func execute(_ sql: String) -> Int32 { sqlite3_exec(handle, sql, nil, nil, nil) }

    /// The rows of a statement as text, cells joined by `|`.
    public func rows(_ sql: String) -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            return [String(cString: sqlite3_errmsg(handle))]
        }
        defer { sqlite3_finalize(statement) }
        var rows: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            let cells = (0..<sqlite3_column_count(statement)).map { column in
                sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
            }
            rows.append(cells.joined(separator: "|"))
        }
        return rows
    }

    /// Closes the connection.
    public func close() {
        sqlite3_close_v2(handle)
        handle = nil
    }
}
#endif
