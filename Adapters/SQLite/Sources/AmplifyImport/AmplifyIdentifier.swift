#if SQLite
internal import HoldfastStorage

/// Identifiers of records as amplify-swift writes them.
enum AmplifyIdentifier {
    /// The values of an identifier, `nil` if there are not as many as types or one is not of its type.
    ///
    /// A single value is itself; of several, each stands in quotes, with `#` between them.
    static func values(of identifier: String, types: [StorageType]) -> [Value]? {
        if types.count == 1 { return value(of: identifier, type: types[0]).map { [$0] } }
        let bytes = Array(identifier.utf8)
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return nil
        }
        let texts = parts(bytes[1..<bytes.count - 1])
        guard texts.count == types.count else { return nil }
        var values: [Value] = []
        for (text, type) in zip(texts, types) {
            guard let value = value(of: text, type: type) else { return nil }
            values.append(value)
        }
        return values
    }

    private static func parts(_ bytes: ArraySlice<UInt8>) -> [String] {
        let separator = Array("\"#\"".utf8)
        var parts: [String] = []
        var start = bytes.startIndex
        var index = start
        while index < bytes.endIndex {
            if bytes[index...].starts(with: separator) {
                parts.append(String(decoding: bytes[start..<index], as: UTF8.self))
                index += separator.count
                start = index
            } else {
                index += 1
            }
        }
        return parts + [String(decoding: bytes[start...], as: UTF8.self)]
    }

    private static func value(of text: String, type: StorageType) -> Value? {
        switch type {
        case .integer: Int64(text).map { .integer($0) }
        case .double: Double(text).map { .double($0) }
        case .boolean: Bool(text).map { .boolean($0) }
        case .text, .json, .date, .time, .timestamp: .text(text)
        case .bytes, .list: nil
        }
    }
}
#endif
