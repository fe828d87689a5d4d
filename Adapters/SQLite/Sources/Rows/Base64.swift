#if SQLite
/// Bytes as text in the alphabet of RFC 4648 section 4, padded.
enum Base64 {
    private static let alphabet: [UInt8] = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Appends the text of some bytes.
    static func encode(_ bytes: [UInt8], into output: inout [UInt8]) {
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var group: UInt32 = 0
            for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(bytes[index + offset]) : 0) }
            for position in 0..<4 {
                let digit = Int(group >> UInt32(18 - 6 * position) & 0x3F)
                output.append(position <= count ? alphabet[digit] : UInt8(ascii: "="))
            }
            index += 3
        }
    }

    /// The bytes of a text, or `nil` if it is not of this form.
    static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(text.count / 4 * 3)
        var index = 0
        while index < text.count {
            let isLast = index + 4 == text.count
            var padding = 0
            if isLast && text[index + 3] == UInt8(ascii: "=") {
                padding = text[index + 2] == UInt8(ascii: "=") ? 2 : 1
            }
            var group: UInt32 = 0
            for position in 0..<4 {
                let value = position < 4 - padding ? values[Int(text[index + position])] : 0
                if value == 0xFF { return nil }
                group = group << 6 | UInt32(value)
            }
            for position in 0..<(3 - padding) {
                output.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * position)))
            }
            index += 4
        }
        return output
    }
}
#endif
