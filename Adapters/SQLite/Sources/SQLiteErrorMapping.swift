#if SQLite
internal import CSQLite
internal import HoldfastStorage

/// SQLite's result codes as ``StorageError``s.
///
/// *Source:* https://www.sqlite.org/rescode.html
enum SQLiteErrorMapping {
    /// The error for a result code.
    ///
    /// - Parameters:
    ///   - code: An extended result code that is an error.
    ///   - detail: SQLite's words, which may contain values.
    /// - Returns: An error with the name of the code as its native code.
    static func error(_ code: Int32, detail: String?) -> StorageError {
        let (kind, message) = meaning(of: code, detail)
        return StorageError(kind, message, nativeCode: name(of: code), nativeDetail: detail)
    }

    private static func meaning(of code: Int32, _ detail: String?) -> (StorageError.Kind, String) {
        // Repeating the commit at once would fail again.
        if isOutdated(code, detail) { return (.busy, StorageError.schemaChanged().message) }
        return switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_PROTOCOL:
            (.busy, "Another connection holds the store for writing; try again later or raise busyTimeout.")
        case SQLITE_LOCKED:
            (.locked, "Another connection of this process holds the table; try again later.")
        case SQLITE_FULL: (.full, "The disk or the allowed size of the store is full; free space and try again.")
        case SQLITE_READONLY:
            (.readOnly, "The store can only be read; allow writing to the file and its directory, or open it so.")
        case SQLITE_CANTOPEN:
            (.io, "The file cannot be opened; check that the directory exists and permissions allow it.")
        case SQLITE_PERM, SQLITE_AUTH: (.io, "Access to the file was refused; check its permissions.")
        case SQLITE_NOTADB:
            (.corruption, "The file is no longer an SQLite database; restore it from a backup.")
        case SQLITE_CORRUPT: (.corruption, "The store is damaged; restore it from a backup.")
        case SQLITE_IOERR:
            (.io, "The operating system reported an error on the store's file; check the disk and its mount.")
        case SQLITE_NOMEM: (.io, "SQLite ran out of memory.")
        case SQLITE_TOOBIG:
            (.limitExceeded, "A row or statement is larger than SQLite allows; store or ask less at once.")
        case SQLITE_INTERRUPT: (.cancelled, "The task was cancelled.")
        case SQLITE_CONSTRAINT: (.corruption, "The stored tables refuse what the schema allows; verify the store.")
        case SQLITE_SCHEMA:
            (.conflict, StorageError.schemaChanged().message)
        case SQLITE_MISMATCH:
            (.corruption, "A stored cell has another type than its column; verify the store.")
        case SQLITE_NOLFS: (.io, "The file system does not support files of this size; move the store.")
        default:
            (.misuse, "SQLite refused a statement of the adapter; report this as a bug of Holdfast.")
        }
    }

    /// Whether the error shows that the tables have changed since this handle was opened.
    ///
    /// SQLite prepares a statement again after a change of the schema, and fails as if it were wrong from the beginning.
    private static func isOutdated(_ code: Int32, _ detail: String?) -> Bool {
        switch code {
        // No value is bound that the schema of this handle does not allow.
        case SQLiteCode.notNullConstraint, SQLiteCode.typeConstraint: return true
        case SQLITE_ERROR:
            guard let detail else { return false }
            return detail.hasPrefix("no such table:") || detail.hasPrefix("no such column:")
                || detail.hasPrefix(missingIndex) || detail.contains(" has no column named ")
                || detail.hasPrefix("ON CONFLICT clause does not match")
        default: return false
        }
    }

    fileprivate static let missingIndex = "no such index:"

    /// Name and number of a code, such as `SQLITE_IOERR_FSYNC (1034)`.
    static func name(of code: Int32) -> String {
        let name = names[code] ?? names[code & 0xFF] ?? "SQLITE_ERROR"
        return "\(name) (\(code))"
    }

    private static let names: [Int32: String] = [
        SQLITE_ERROR: "SQLITE_ERROR", SQLITE_INTERNAL: "SQLITE_INTERNAL", SQLITE_PERM: "SQLITE_PERM",
        SQLITE_ABORT: "SQLITE_ABORT", SQLITE_BUSY: "SQLITE_BUSY", SQLITE_LOCKED: "SQLITE_LOCKED",
        SQLITE_NOMEM: "SQLITE_NOMEM", SQLITE_READONLY: "SQLITE_READONLY", SQLITE_INTERRUPT: "SQLITE_INTERRUPT",
        SQLITE_IOERR: "SQLITE_IOERR", SQLITE_CORRUPT: "SQLITE_CORRUPT", SQLITE_NOTFOUND: "SQLITE_NOTFOUND",
        SQLITE_FULL: "SQLITE_FULL", SQLITE_CANTOPEN: "SQLITE_CANTOPEN", SQLITE_PROTOCOL: "SQLITE_PROTOCOL",
        SQLITE_SCHEMA: "SQLITE_SCHEMA", SQLITE_TOOBIG: "SQLITE_TOOBIG", SQLITE_CONSTRAINT: "SQLITE_CONSTRAINT",
        SQLITE_MISMATCH: "SQLITE_MISMATCH", SQLITE_MISUSE: "SQLITE_MISUSE", SQLITE_NOLFS: "SQLITE_NOLFS",
        SQLITE_AUTH: "SQLITE_AUTH", SQLITE_RANGE: "SQLITE_RANGE", SQLITE_NOTADB: "SQLITE_NOTADB",
        extended(SQLITE_BUSY, 1): "SQLITE_BUSY_RECOVERY", extended(SQLITE_BUSY, 2): "SQLITE_BUSY_SNAPSHOT",
        extended(SQLITE_BUSY, 3): "SQLITE_BUSY_TIMEOUT", extended(SQLITE_LOCKED, 1): "SQLITE_LOCKED_SHAREDCACHE",
        extended(SQLITE_READONLY, 1): "SQLITE_READONLY_RECOVERY",
        extended(SQLITE_READONLY, 2): "SQLITE_READONLY_CANTLOCK",
        extended(SQLITE_READONLY, 3): "SQLITE_READONLY_ROLLBACK",
        extended(SQLITE_READONLY, 4): "SQLITE_READONLY_DBMOVED",
        extended(SQLITE_READONLY, 5): "SQLITE_READONLY_CANTINIT",
        extended(SQLITE_READONLY, 6): "SQLITE_READONLY_DIRECTORY",
        extended(SQLITE_IOERR, 1): "SQLITE_IOERR_READ", extended(SQLITE_IOERR, 2): "SQLITE_IOERR_SHORT_READ",
        extended(SQLITE_IOERR, 3): "SQLITE_IOERR_WRITE", extended(SQLITE_IOERR, 4): "SQLITE_IOERR_FSYNC",
        extended(SQLITE_IOERR, 5): "SQLITE_IOERR_DIR_FSYNC", extended(SQLITE_IOERR, 6): "SQLITE_IOERR_TRUNCATE",
        extended(SQLITE_IOERR, 7): "SQLITE_IOERR_FSTAT", extended(SQLITE_IOERR, 10): "SQLITE_IOERR_DELETE",
        extended(SQLITE_IOERR, 12): "SQLITE_IOERR_NOMEM", extended(SQLITE_IOERR, 15): "SQLITE_IOERR_LOCK",
        extended(SQLITE_IOERR, 19): "SQLITE_IOERR_SHMSIZE", extended(SQLITE_IOERR, 24): "SQLITE_IOERR_MMAP",
        extended(SQLITE_CORRUPT, 1): "SQLITE_CORRUPT_VTAB", extended(SQLITE_CORRUPT, 2): "SQLITE_CORRUPT_SEQUENCE",
        extended(SQLITE_CORRUPT, 3): "SQLITE_CORRUPT_INDEX", extended(SQLITE_CANTOPEN, 2): "SQLITE_CANTOPEN_ISDIR",
        extended(SQLITE_CANTOPEN, 3): "SQLITE_CANTOPEN_FULLPATH",
        SQLiteCode.checkConstraint: "SQLITE_CONSTRAINT_CHECK",
        SQLiteCode.notNullConstraint: "SQLITE_CONSTRAINT_NOTNULL",
        SQLiteCode.primaryKeyConstraint: "SQLITE_CONSTRAINT_PRIMARYKEY",
        SQLiteCode.uniqueConstraint: "SQLITE_CONSTRAINT_UNIQUE",
        SQLiteCode.typeConstraint: "SQLITE_CONSTRAINT_DATATYPE",
    ]

    private static func extended(_ code: Int32, _ detail: Int32) -> Int32 { code | detail << 8 }
}

/// Extended codes whose macros Swift does not see.
enum SQLiteCode {
    static let checkConstraint = SQLITE_CONSTRAINT | 1 << 8
    static let notNullConstraint = SQLITE_CONSTRAINT | 5 << 8
    static let primaryKeyConstraint = SQLITE_CONSTRAINT | 6 << 8
    static let uniqueConstraint = SQLITE_CONSTRAINT | 8 << 8
    static let typeConstraint = SQLITE_CONSTRAINT | 12 << 8
}

extension StorageError {
    /// Whether the error came from SQLite with this code or an extended form of it.
    func isNative(_ code: Int32) -> Bool {
        nativeCode == SQLiteErrorMapping.name(of: code)
    }

    /// Whether a statement names an index that another process has removed.
    var isMissingIndex: Bool {
        isNative(SQLITE_ERROR) && nativeDetail?.hasPrefix(SQLiteErrorMapping.missingIndex) == true
    }
}
#endif
