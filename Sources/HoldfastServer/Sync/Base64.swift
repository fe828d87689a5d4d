/// Text for bytes, in the alphabet that addresses can carry.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The text of bytes, without padding.
    package static func text(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count * 4 + 2) / 3)
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                result.append(alphabet[Int(bits >> UInt32(count) & 63)])
            }
        }
        if count > 0 { result.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
        return String(decoding: result, as: UTF8.self)
    }

    /// The bytes of a text in this or in the usual alphabet, with or without padding; `nil` for any other text.
    package static func bytes(_ text: String) -> [UInt8]? {
        var result: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in text.utf8 where byte != UInt8(ascii: "=") {
            let digit: UInt32
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = UInt32(byte) - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = UInt32(byte) - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte) + 4
            case UInt8(ascii: "-"), UInt8(ascii: "+"): digit = 62
            case UInt8(ascii: "_"), UInt8(ascii: "/"): digit = 63
            default: return nil
            }
            bits = bits << 6 | digit
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return result
    }
}
