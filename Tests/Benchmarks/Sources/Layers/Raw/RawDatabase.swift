import CSQLiteRaw

/// What SQLite refused.
struct RawError: Error, CustomStringConvertible {
    /// SQLite's words and, if there is one, the statement.
    var description: String
}

/// A connection that closes itself; used by one thread at a time.
final class RawDatabase {
    private let handle: OpaquePointer

    init(path: String) throws {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw RawError(description: "cannot open \(path)")
        }
        self.handle = handle
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs statements without results.
    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error(sql) }
    }

    /// Prepares a statement to be used again and again.
    func prepare(_ sql: String) throws -> RawStatement {
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        guard sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil) == SQLITE_OK, let statement else {
            throw error(sql)
        }
        return RawStatement(handle: statement, database: self)
    }

    /// The statements that make tables and their indexes, as the database keeps them; none if it is empty.
    func definitions(of tables: [String] = ["Item"]) throws -> [String] {
        let names = tables.map { "'\($0)'" }.joined(separator: ", ")
        let statement = try prepare(
            "select sql from sqlite_master where tbl_name in (\(names)) and sql is not null order by rowid")
        var definitions: [String] = []
        while try statement.step() { definitions.append(statement.text(0)) }
        return definitions
    }

    /// How many rows the last statement changed.
    var changeCount: Int { Int(sqlite3_changes(handle)) }

    /// Runs `body` between two statements.
    func transaction<Result>(_ begin: RawStatement, _ commit: RawStatement, _ body: () throws -> Result) throws
        -> Result
    {
        try begin.run()
        let result = try body()
        try commit.run()
        return result
    }

    fileprivate func error(_ sql: String) -> RawError {
        RawError(description: String(cString: sqlite3_errmsg(handle)) + ": " + sql)
    }
}

/// A prepared statement that finalizes itself; parameters and columns count from 0.
final class RawStatement {
    private let handle: OpaquePointer
    private let database: RawDatabase

    fileprivate init(handle: OpaquePointer, database: RawDatabase) {
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    @inline(__always)
    func bind(_ value: Int64, at position: Int32) { sqlite3_bind_int64(handle, position + 1, value) }

    @inline(__always)
    func bind(double value: Double, at position: Int32) { sqlite3_bind_double(handle, position + 1, value) }

    @inline(__always)
    func bindNull(at position: Int32) { sqlite3_bind_null(handle, position + 1) }

    @inline(__always)
    func bind(_ text: String, at position: Int32) {
        var text = text
        text.withUTF8 { utf8 in
            _ = utf8.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(handle, position + 1, $0.baseAddress, Int32($0.count), Self.transient)
            }
        }
    }

    /// Moves to the next row; `false` at the end, which also resets.
    @inline(__always)
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(handle)
            return false
        default: throw database.error(String(cString: sqlite3_sql(handle)))
        }
    }

    /// Runs a statement without results, or leaves the rest of them.
    @inline(__always)
    func run() throws { if try step() { reset() } }

    @inline(__always)
    func reset() { sqlite3_reset(handle) }

    var columnCount: Int32 { sqlite3_column_count(handle) }

    @inline(__always)
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// The bytes of a text, valid until the next step.
    @inline(__always)
    func utf8(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_column_text(handle, column)
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    @inline(__always)
    func text(_ column: Int32) -> String { String(decoding: utf8(column), as: UTF8.self) }

    /// Makes SQLite copy what is bound.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
