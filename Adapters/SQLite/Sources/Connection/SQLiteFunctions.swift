#if SQLite
internal import CSQLite
internal import HoldfastStorage

/// SQL functions that push-down needs beyond SQLite's own.
///
/// - `holdfast_has_element(list, element)`: whether a JSON array as ``SQLiteListCodec`` writes it has an element of
///   exactly this JSON text; exact because equal elements have one text.
/// - `holdfast_contains(text, needle)`: whether a text contains a long one; SQLite's `instr` takes time for the
///   product of their lengths.
/// - `holdfast_double(integer)`: the double of a bit pattern, to pass doubles through JSON unrounded.
/// - `holdfast_bytes(text)`: the bytes of a base64 text.
enum SQLiteFunctions {
    static func register(on connection: OpaquePointer) throws(StorageError) {
        try register("holdfast_has_element", 2, on: connection) { context, _, arguments in
            guard let arguments, let list = SQLiteFunctions.utf8(arguments[0]),
                let element = SQLiteFunctions.utf8(arguments[1])
            else {
                sqlite3_result_int(context, 0)
                return
            }
            sqlite3_result_int(context, SQLiteListCodec.hasElement(element, in: list) ? 1 : 0)
        }
        try register("holdfast_contains", 2, on: connection) { context, _, arguments in
            guard let arguments, let text = SQLiteFunctions.utf8(arguments[0]),
                let needle = SQLiteFunctions.utf8(arguments[1])
            else { return }
            sqlite3_result_int(context, TextSearch.contains(text, needle) ? 1 : 0)
        }
        try register("holdfast_double", 1, on: connection) { context, _, arguments in
            guard let arguments else { return }
            let bits = UInt64(bitPattern: sqlite3_value_int64(arguments[0]))
            sqlite3_result_double(context, Double(bitPattern: bits))
        }
        try register("holdfast_bytes", 1, on: connection) { context, _, arguments in
            guard let arguments, let text = SQLiteFunctions.utf8(arguments[0]),
                let bytes = Base64.decode(text)
            else { return }
            bytes.withUnsafeBytes { bytes in
                if bytes.isEmpty {
                    sqlite3_result_zeroblob(context, 0)
                } else {
                    holdfast_sqlite3_result_blob_copy(context, bytes.baseAddress, bytes.count)
                }
            }
        }
    }

    private static func register(
        _ name: String, _ argumentCount: Int32, on connection: OpaquePointer,
        _ function:
            @convention(c) (
                OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
            ) -> Void
    ) throws(StorageError) {
        let code = sqlite3_create_function_v2(
            connection, name, argumentCount, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil, function,
            nil, nil, nil)
        if code != SQLITE_OK { throw SQLiteErrorMapping.error(code, detail: nil) }
    }

    /// The bytes of a text argument, `nil` if it is null.
    static func utf8(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
        guard let text = sqlite3_value_text(value) else { return nil }
        return UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
    }
}
#endif
