#if SQLite
internal import CSQLite
internal import HoldfastStorage

/// Limits of the SQLite library in use.
struct SQLiteLimits: Sendable {
    /// Parameters of one statement.
    var parameterCount: Int
    /// Bytes of one statement's text.
    var sqlByteCount: Int
    /// Bytes of one row, text or blob.
    var rowByteCount: Int

    /// What the library was built with; a connection with lower limits is never made.
    static let library: SQLiteLimits = {
        let connection = try? SQLiteConnection(path: ":memory:", flags: SQLITE_OPEN_READWRITE)
        return SQLiteLimits(
            parameterCount: connection?.limit(SQLITE_LIMIT_VARIABLE_NUMBER) ?? 999,
            sqlByteCount: connection?.limit(SQLITE_LIMIT_SQL_LENGTH) ?? 1_000_000,
            rowByteCount: connection?.limit(SQLITE_LIMIT_LENGTH) ?? 1_000_000)
    }()
}
#endif
