/// Base64, in both of its alphabets.
package enum Base64 {
    private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text of bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to encode.
    ///   - isForURLs: Whether `-` and `_` take the places of `+` and `/`, and nothing is padded.
    /// - Returns: The bytes in Base64, without line breaks.
    package static func text(_ bytes: [UInt8], isForURLs: Bool = false) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for byte in group { bits = bits << 8 | UInt32(byte) }
            bits <<= UInt32(8 * (3 - group.count))
            for index in 0..<4 {
                if index <= group.count {
                    result.append(letter(Int(bits >> UInt32(18 - 6 * index) & 0x3F), isForURLs))
                } else if !isForURLs {
                    result.append(UInt8(ascii: "="))
                }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The bytes of a text in either alphabet, with or without padding, or `nil` if the text is not base64.
    package static func bytes(_ text: String) -> [UInt8]? {
        var letters = Array(text.utf8)
        var padding = 0
        while padding < 2, letters.last == UInt8(ascii: "=") {
            letters.removeLast()
            padding += 1
        }
        guard letters.count % 4 != 1, padding == 0 || (letters.count + padding) % 4 == 0 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(letters.count * 3 / 4)
        var (bits, count) = (UInt32(0), 0)
        for letter in letters {
            guard let value = value(letter) else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return result
    }

    private static func letter(_ value: Int, _ isForURLs: Bool) -> UInt8 {
        switch value {
        case 62 where isForURLs: UInt8(ascii: "-")
        case 63 where isForURLs: UInt8(ascii: "_")
        default: standard[value]
        }
    }

    private static func value(_ letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter &- UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter &- UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter &- UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
