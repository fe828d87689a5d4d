import HoldfastStorage

/// How the cells of a type are read and written, as a byte that costs nothing to look at.
enum CellKind: UInt8, Sendable {
    case text, checkedText, json, integer, double, boolean, date, time, timestamp, embedded, list, bytes

    init(_ type: FieldType) {
        self =
            switch type {
            case .id, .string, .enumeration: .text
            case .email, .url, .phone, .ipAddress: .checkedText
            case .json: .json
            case .int, .timestamp: .integer
            case .float: .double
            case .boolean: .boolean
            case .date: .date
            case .time: .time
            case .dateTime: .timestamp
            case .embedded: .embedded
            case .list: .list
            case .bytes: .bytes
            }
    }
}
