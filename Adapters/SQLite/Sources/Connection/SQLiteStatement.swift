#if SQLite
internal import CSQLite
internal import HoldfastStorage

/// A prepared statement; owns the `sqlite3_stmt`.
///
/// Used only by the holder of its connection.
final class SQLiteStatement {
    let handle: OpaquePointer
    /// What it is cached under: its text unless that is very long.
    let key: String
    private let connection: OpaquePointer
    private var hasKnownSchema = false
    /// Whether a copy of a large value may be bound.
    private var hasLargeCopy = false
    /// A longer text, or more bytes, is large.
    private static let largestSmallByteCount = 64 << 10

    init(_ sql: String, connection: OpaquePointer, key: String? = nil) throws(StorageError) {
        var handle: OpaquePointer?
        var text = sql
        let code = text.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) {
                sqlite3_prepare_v3(
                    connection, $0.baseAddress, Int32($0.count), UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
            }
        }
        guard code == SQLITE_OK, let handle else {
            throw SQLiteErrorMapping.error(
                code == SQLITE_OK ? SQLITE_MISUSE : code, detail: String(cString: sqlite3_errmsg(connection)))
        }
        self.handle = handle
        self.key = key ?? sql
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs to the next row.
    ///
    /// - Returns: Whether there is one; at the end the statement is reset.
    /// - Throws: ``StorageError`` as SQLite reports it; the statement is reset.
    @inline(__always)
    func step() throws(StorageError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE {
            sqlite3_reset(handle)
            return false
        }
        throw failure(code)
    }

    @inline(never)
    private func failure(_ code: Int32) -> StorageError {
        let error = SQLiteErrorMapping.error(code, detail: String(cString: sqlite3_errmsg(connection)))
        sqlite3_reset(handle)
        return error
    }

    /// Ends the run; bindings stay.
    func reset() { sqlite3_reset(handle) }

    /// Frees the copies of large values: they would stay for as long as the statement does.
    func freeLargeCopies() {
        if !hasLargeCopy { return }
        sqlite3_clear_bindings(handle)
        hasLargeCopy = false
    }

    /// Whether the statement was prepared since ``noteSchema()``: by this program, or by SQLite for another schema.
    @inline(__always)
    var isNewlyPrepared: Bool {
        !hasKnownSchema || sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0) != 0
    }

    /// Notes that the statement fits the schema.
    func noteSchema() {
        hasKnownSchema = true
        _ = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 1)
    }

    // MARK: Binding, parameters counted from 1

    /// Checks the result code of a binding: a parameter that was not bound is null.
    ///
    /// - Throws: ``StorageError`` `.limitExceeded` for what no cell could hold; `.io` without memory.
    @inline(__always)
    static func check(_ code: Int32) throws(StorageError) {
        if code != SQLITE_OK { throw SQLiteErrorMapping.error(code, detail: nil) }
    }

    /// Binds an integer.
    @inline(__always)
    @discardableResult
    func bind(_ value: Int64, at index: Int32) -> Int32 { sqlite3_bind_int64(handle, index, value) }

    /// Binds a double.
    @inline(__always)
    @discardableResult
    func bind(_ value: Double, at index: Int32) -> Int32 { sqlite3_bind_double(handle, index, value) }

    /// Binds null.
    @inline(__always)
    @discardableResult
    func bindNull(at index: Int32) -> Int32 { sqlite3_bind_null(handle, index) }

    /// Binds text; SQLite copies it.
    ///
    /// - Returns: A result code, which is an error only beyond the adapter's limits and without memory.
    @inline(__always)
    func bind(_ value: String, at index: Int32) -> Int32 {
        var value = value
        return value.withUTF8 { bind(text: $0, at: index) }
    }

    /// Binds bytes as text, even if they are not valid UTF-8; SQLite copies them.
    @inline(__always)
    func bind(text: UnsafeBufferPointer<UInt8>, at index: Int32) -> Int32 {
        guard let base = text.baseAddress else { return holdfast_sqlite3_bind_empty_text(handle, index) }
        if text.count > Self.largestSmallByteCount { hasLargeCopy = true }
        return holdfast_sqlite3_bind_text_copy(handle, index, base, text.count)
    }

    /// Binds bytes; SQLite copies them.
    func bind(bytes: [UInt8], at index: Int32) -> Int32 {
        if bytes.count > Self.largestSmallByteCount { hasLargeCopy = true }
        return bytes.withUnsafeBufferPointer { bytes in
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : holdfast_sqlite3_bind_blob_copy(handle, index, bytes.baseAddress, bytes.count)
        }
    }

    /// Binds all parameters of a query.
    ///
    /// - Throws: As ``check(_:)``.
    func bind(_ parameters: [SQLiteParameter]) throws(StorageError) {
        for (index, parameter) in parameters.enumerated() { try Self.check(bind(parameter, at: Int32(index + 1))) }
    }

    /// Binds a parameter.
    func bind(_ parameter: SQLiteParameter, at index: Int32) -> Int32 {
        switch parameter {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let value): sqlite3_bind_int64(handle, index, value)
        case .double(let value): sqlite3_bind_double(handle, index, value)
        case .text(let value): bind(value, at: index)
        case .rawText(let value): value.withUnsafeBufferPointer { bind(text: $0, at: index) }
        case .bytes(let value): bind(bytes: value, at: index)
        }
    }

    // MARK: Reading, columns counted from 0

    /// Whether a cell is null.
    @inline(__always)
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// An integer cell.
    @inline(__always)
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// A double cell.
    @inline(__always)
    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    /// The UTF-8 bytes of a text cell, valid until the next step.
    @inline(__always)
    func utf8(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
        guard let text = sqlite3_column_text(handle, column) else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// A text cell, repaired if it is not valid UTF-8.
    @inline(__always)
    func text(_ column: Int32) -> String { String(decoding: utf8(column), as: UTF8.self) }

    /// A text cell, or `nil` if it is not UTF-8.
    @inline(__always)
    func validText(_ column: Int32) -> String? { String(validUTF8: utf8(column)) }

    /// A bytes cell.
    func bytes(_ column: Int32) -> [UInt8] {
        guard let blob = sqlite3_column_blob(handle, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_column_bytes(handle, column))))
    }
}

/// A value bound to a statement in the form that columns hold.
enum SQLiteParameter: Sendable {
    case null
    case integer(Int64)
    case double(Double)
    case text(String)
    /// Bytes compared as text.
    case rawText([UInt8])
    case bytes([UInt8])

    /// The operand as the main column of its type holds it, without the tails of dates and times.
    init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .boolean(let value): self = .integer(value ? 1 : 0)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .text(let value): self = .text(value)
        case .bytes(let value): self = .bytes(value)
        case .date(let value): self = .text(value.dayText)
        case .time(let value): self = .text(value.clockText)
        case .timestamp(let value): self = .text(value.utcText)
        case .list(let value): self = .text(SQLiteListCodec.json(value))
        }
    }
}
#endif
