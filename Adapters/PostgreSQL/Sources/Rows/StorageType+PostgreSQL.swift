#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

extension StorageType {
    /// The declared type of the main column.
    var postgreSQLColumnType: String {
        switch self {
        case .boolean: "boolean"
        case .integer: "bigint"
        case .double: "double precision"
        case .bytes: "bytea"
        case .date: "date"
        case .text, .json, .time, .timestamp: "text COLLATE \"C\""
        case .list(.list): "bytea"
        case .list(.date): "date[]"
        case .list(.boolean): "boolean[]"
        case .list(.integer): "bigint[]"
        case .list(.double): "double precision[]"
        case .list(.bytes): "bytea[]"
        case .list: "text[] COLLATE \"C\""
        }
    }

    /// The server's number for the type of the main column.
    var postgreSQLTypeID: UInt32 {
        switch self {
        case .boolean: PostgreSQLTypeID.boolean
        case .integer: PostgreSQLTypeID.integer
        case .double: PostgreSQLTypeID.double
        case .bytes, .list(.list): PostgreSQLTypeID.bytes
        case .date: PostgreSQLTypeID.date
        case .text, .json, .time, .timestamp: PostgreSQLTypeID.text
        case .list(let element): PostgreSQLTypeID.array(of: element.postgreSQLTypeID)
        }
    }

    /// The column in words, for ``Capabilities/nativeTypes``.
    var postgreSQLDescription: String {
        let type = postgreSQLColumnType.split(separator: " COLLATE").first.map(String.init) ?? ""
        return switch self {
        case .date: "date and text (tail)"
        case .time: "text (hh:mm:ss[.f]) and text (tail)"
        case .timestamp: "text (YYYY-MM-DDThh:mm:ss[.f] in UTC) and text (tail)"
        case .list: hasTail ? "\(type) and text (tails)" : type
        default: type
        }
    }
}

extension Value {
    /// How a date or time, or those in a list, were written; `nil` for null and other kinds.
    var tailText: String? {
        switch self {
        case .date(let date): date.tail.text
        case .time(let time): time.tail.text
        case .timestamp(let timestamp): timestamp.tail.text
        case .list(let elements): elements.compactMap(\.tailText).filter { !$0.isEmpty }.joined(separator: ",")
        default: nil
        }
    }

    /// Days from 1970-01-01, where ``CalendarDate/daysSinceEpoch`` begins, to 2000-01-01, where PostgreSQL begins.
    static var dateShift: Int32 { 10_957 }
}

extension [UInt8] {
    /// Appends a cell, not null, in the binary form of its main column.
    mutating func append(_ value: Value, as type: StorageType) {
        switch value {
        case .null: break
        case .boolean(let truth): append(truth ? 1 : 0)
        case .integer(let integer): appendBigEndian(integer)
        case .double(let double): appendBigEndian(double.bitPattern)
        case .text(let text): append(contentsOf: text.utf8)
        case .bytes(let bytes): append(contentsOf: bytes)
        case .date(let date): appendBigEndian(date.daysSinceEpoch - Value.dateShift)
        case .time(let time): append(contentsOf: time.clockText.utf8)
        case .timestamp(let timestamp): append(contentsOf: timestamp.utcText.utf8)
        case .list(let elements):
            guard case .list(let element) = type else { return }
            if element.isList {
                // Arrays of the server have no ragged ones within.
                append(contentsOf: KeyCodec.encode([value]))
                return
            }
            appendArray(element.postgreSQLTypeID, elements.count, elements) { bytes, value in
                if value.isNull { return false }
                bytes.append(value, as: element)
                return true
            }
        }
    }
}
#endif
