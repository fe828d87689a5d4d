/// Renames members in JSON text that the engine wrote.
enum JSONNames {
    /// The text with other names for members.
    ///
    /// GraphQL names need no escapes, so a name is one if it is in the text as it is, before a colon.
    static func renamed(_ names: [String: String], in text: String) -> String {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        let quote = UInt8(ascii: "\"")
        while let start = rest.firstIndex(of: quote) {
            let end = endOfString(rest[(start + 1)...])
            let content = rest[(start + 1)..<end]
            result += rest[..<start]
            rest = rest[min(end + 1, rest.endIndex)...]
            let name = rest.first == UInt8(ascii: ":") ? names[String(decoding: content, as: UTF8.self)] : nil
            result.append(quote)
            if let name { result += Array(name.utf8) } else { result += content }
            result.append(quote)
        }
        return String(decoding: result + rest, as: UTF8.self)
    }

    /// Where the quotation mark is that ends a string.
    private static func endOfString(_ text: ArraySlice<UInt8>) -> Int {
        var isEscaped = false
        for index in text.indices {
            if isEscaped {
                isEscaped = false
            } else if text[index] == UInt8(ascii: "\\") {
                isEscaped = true
            } else if text[index] == UInt8(ascii: "\"") {
                return index
            }
        }
        return text.endIndex
    }
}
