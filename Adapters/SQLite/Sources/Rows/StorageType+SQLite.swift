#if SQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

extension StorageType {
    /// The declared type of the main column.
    var sqliteColumnType: String {
        switch self {
        case .boolean, .integer: "INTEGER"
        case .double: "REAL"
        case .bytes: "BLOB"
        case .text, .json, .date, .time, .timestamp, .list: "TEXT"
        }
    }

    /// The column in words, for ``Capabilities/nativeTypes``.
    var sqliteDescription: String {
        switch self {
        case .boolean: "INTEGER (0 or 1)"
        case .date: "TEXT (YYYY-MM-DD) and TEXT (tail)"
        case .time: "TEXT (hh:mm:ss[.f]) and TEXT (tail)"
        case .timestamp: "TEXT (YYYY-MM-DDThh:mm:ss[.f] in UTC) and TEXT (tail)"
        case .list: hasTail ? "TEXT (JSON array) and TEXT (tails)" : "TEXT (JSON array)"
        default: sqliteColumnType
        }
    }
}

extension String {
    /// The name as SQLite compares it: ASCII letters in lower case.
    package var foldedIdentifier: [UInt8] {
        utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
#endif
