/// GraphQL text and what to call it in messages.
///
/// The bytes need not be valid UTF-8: reading them then fails with a syntax error.
public struct Source: Sendable {
    /// The name for messages, usually a path.
    public let name: String
    /// The number of this source among those that are read together; every location carries it.
    public let index: UInt32
    /// The text as UTF-8.
    public let bytes: [UInt8]

    /// Makes a source from bytes.
    public init(bytes: [UInt8], name: String = "GraphQL", index: UInt32 = 0) {
        self.bytes = bytes
        self.name = name
        self.index = index
    }

    /// Makes a source from text.
    public init(_ text: String, name: String = "GraphQL", index: UInt32 = 0) {
        self.init(bytes: Array(text.utf8), name: name, index: index)
    }

    /// The line of a location, and a caret under its column.
    ///
    /// Tabs stay tabs under tabs so that the caret is in the right place in a terminal. Lines longer than 160 bytes
    /// are cut around the location. Empty for ``Location/none`` and for locations beyond the end.
    ///
    /// - Complexity: O(length of the line).
    public func excerpt(at location: Location) -> String {
        let offset = Int(location.offset)
        guard location.line > 0, offset <= bytes.count else { return "" }
        let isLineEnd = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
        var start = offset
        while start > 0, offset - start < 80, !isLineEnd(bytes[start - 1]) { start -= 1 }
        var end = offset
        while end < bytes.count, end - offset < 80, !isLineEnd(bytes[end]) { end += 1 }
        // A cut never falls inside a character.
        while start < offset, bytes[start] & 0xC0 == 0x80 { start += 1 }
        while end > offset, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        var caret = ""
        for byte in bytes[start..<offset] where byte & 0xC0 != 0x80 {
            caret += byte == 0x09 ? "\t" : " "
        }
        return String(decoding: bytes[start..<end], as: UTF8.self) + "\n" + caret + "^"
    }
}
