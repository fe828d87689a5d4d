import Foundation
import HoldfastStorage

/// The JSON forms of embedded values and of whole models.
enum JSONCoding {
    /// Reads dates as RFC 3339 text.
    static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = ModelDateFormatting.decodingStrategy
        return decoder
    }()

    /// Writes sorted keys, and dates as RFC 3339 text.
    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = ModelDateFormatting.encodingStrategy
        return encoder
    }()

    /// A cell as JSON text; text as it is if it already is JSON.
    static func text(of cell: Value, type: FieldType) -> String {
        switch cell {
        case .null: return "null"
        case .boolean(let value): return String(value)
        case .integer(let value): return String(value)
        case .double(let value): return String(value)
        case .text(let value):
            if case .embedded = type { return value }
            return quoted(value)
        case .bytes(let value): return "[" + value.map { String($0) }.joined(separator: ",") + "]"
        case .date(let value): return quoted(value.text)
        case .time(let value): return quoted(value.text)
        case .timestamp(let value): return quoted(value.text)
        case .list(let values):
            var element = type
            if case .list(let inner, _) = type { element = inner }
            return "[" + values.map { text(of: $0, type: element) }.joined(separator: ",") + "]"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = ""
        text.appendJSON(to: &result)
        return result
    }
}

extension CodingUserInfoKey {
    /// Where decoded references and lists load from: `any ModelLoader` in a decoder's `userInfo`.
    public static let modelLoader = CodingUserInfoKey(name: "holdfast.modelLoader")

    private init(name: String) {
        // The initializer of the standard library never returns nil.
        self = CodingUserInfoKey(rawValue: name).unsafelyUnwrapped
    }
}
