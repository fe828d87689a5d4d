/// The values of a key as one text.
func identifierText(of values: [String]) -> String {
    if values.count == 1 { return values[0] }
    return values.map { "\"\($0)\"" }.joined(separator: ModelIdentifierFormat.Custom.separator)
}

/// The values in the text of a key of several fields, or `nil` if it is not such a text.
///
/// A value that contains `"#"` is taken for two.
package func identifierTexts(in identifier: String) -> [String]? {
    let bytes = Array(identifier.utf8)
    let quote = UInt8(ascii: "\"")
    guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return nil }
    let separator = [quote] + ModelIdentifierFormat.Custom.separator.utf8 + [quote]
    let end = bytes.count - 1
    var texts: [String] = []
    var (start, index) = (1, 1)
    while index < end {
        if bytes[index..<end].starts(with: separator) {
            texts.append(String(decoding: bytes[start..<index], as: UTF8.self))
            index += separator.count
            start = index
        } else {
            index += 1
        }
    }
    return texts + [String(decoding: bytes[start..<end], as: UTF8.self)]
}
