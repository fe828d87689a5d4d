#if SQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Lists as JSON arrays that a person can read and that lose nothing.
///
/// Numbers are written so that they read back exactly, bytes as base64, dates and times in the sortable form of their
/// columns, nested lists as arrays. How dates and times were written (``WrittenForm``) goes into a second text, one
/// tail for each date or time that is not null, in order, separated by commas. Equal elements have one JSON text.
enum SQLiteListCodec {
    /// The JSON array of a list.
    static func json(_ elements: [Value]) -> String {
        var writer = Writer()
        writer.write(elements)
        return String(decoding: writer.json, as: UTF8.self)
    }

    /// The JSON text of one element.
    static func json(element: Value) -> String {
        var writer = Writer()
        writer.write(element)
        return String(decoding: writer.json, as: UTF8.self)
    }

    /// The JSON array of a list, and the tails of the dates and times in it.
    static func encode(_ elements: [Value]) -> (json: String, tails: String) {
        var writer = Writer()
        writer.write(elements)
        return (String(decoding: writer.json, as: UTF8.self), String(decoding: writer.tails, as: UTF8.self))
    }

    /// The list of a JSON array.
    ///
    /// - Parameters:
    ///   - json: As written by ``encode(_:)``; white space between tokens is skipped.
    ///   - tails: As written by ``encode(_:)``; empty if the element type has none.
    ///   - type: The element type.
    /// - Returns: `nil` when a text is malformed.
    static func decode(
        _ json: UnsafeBufferPointer<UInt8>, tails: UnsafeBufferPointer<UInt8>, of type: StorageType
    ) -> [Value]? {
        var reader = SQLiteListReader(json: json, tails: tails)
        guard let elements = reader.list(of: type), reader.isAtEnd else { return nil }
        return elements
    }

    /// Whether an array has an element of exactly this text.
    ///
    /// - Complexity: O(n) in the bytes of the array; allocates nothing.
    static func hasElement(_ element: UnsafeBufferPointer<UInt8>, in json: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < json.count, json[index] != UInt8(ascii: "[") { index += 1 }
        index += 1
        while index < json.count {
            while index < json.count, json[index] == 0x20 || json[index] == UInt8(ascii: ",") { index += 1 }
            let start = index
            index = endOfElement(in: json, from: start)
            guard index > start else { return false }
            if index - start == element.count,
                UnsafeBufferPointer(rebasing: json[start..<index]).elementsEqual(element)
            {
                return true
            }
        }
        return false
    }

    private static func endOfElement(in json: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var depth = 0
        var isInString = false
        var index = start
        while index < json.count {
            let byte = json[index]
            if isInString {
                if byte == UInt8(ascii: "\\") {
                    index += 1
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "]") where depth > 0: depth -= 1
                case UInt8(ascii: "]"): return index
                case UInt8(ascii: ",") where depth == 0: return index
                case 0x20 where depth == 0: return index
                default: break
                }
            }
            index += 1
        }
        return min(index, json.count)
    }

    // MARK: - Writing

    private struct Writer {
        var json: [UInt8] = []
        var tails: [UInt8] = []

        mutating func write(_ elements: [Value]) {
            json.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                write(element)
            }
            json.append(UInt8(ascii: "]"))
        }

        mutating func write(_ element: Value) {
            switch element {
            case .null: json.append(contentsOf: "null".utf8)
            case .boolean(let value): json.append(contentsOf: (value ? "true" : "false").utf8)
            case .integer(let value): json.append(contentsOf: value.description.utf8)
            case .double(let value): json.append(contentsOf: (value == 0 ? 0.0 : value).description.utf8)
            case .text(let value): write(text: value)
            case .bytes(let value):
                json.append(UInt8(ascii: "\""))
                Base64.encode(value, into: &json)
                json.append(UInt8(ascii: "\""))
            case .date(let value): write(value.dayText, value.tail)
            case .time(let value): write(value.clockText, value.tail)
            case .timestamp(let value): write(value.utcText, value.tail)
            case .list(let values): write(values)
            }
        }

        private mutating func write(_ text: String, _ tail: WrittenForm) {
            json.append(UInt8(ascii: "\""))
            json.append(contentsOf: text.utf8)
            json.append(UInt8(ascii: "\""))
            if !tails.isEmpty { tails.append(UInt8(ascii: ",")) }
            tails.append(contentsOf: tail.text.utf8)
        }

        private mutating func write(text: String) {
            json.append(UInt8(ascii: "\""))
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                    json.append(UInt8(ascii: "\\"))
                    json.append(byte)
                case 0x0A: json.append(contentsOf: "\\n".utf8)
                case 0x09: json.append(contentsOf: "\\t".utf8)
                case 0x0D: json.append(contentsOf: "\\r".utf8)
                case 0..<0x20:
                    json.append(contentsOf: "\\u00".utf8)
                    json.append(UInt8(ascii: "0") + byte >> 4)
                    json.append(hexadecimal(byte & 0x0F))
                default: json.append(byte)
                }
            }
            json.append(UInt8(ascii: "\""))
        }

        private func hexadecimal(_ digit: UInt8) -> UInt8 {
            digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        }
    }
}
#endif
