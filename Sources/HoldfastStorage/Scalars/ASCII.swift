/// Classes of ASCII bytes.
enum ASCII {
    /// Whether a byte is a decimal digit.
    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }

    /// Whether a byte is a hexadecimal digit of either case.
    @inline(__always)
    static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 <= 5 }

    /// Whether a byte is a letter of either case.
    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 <= 25 }

    /// Whether a byte is a space, a control character or DEL.
    @inline(__always)
    static func isSpaceOrControl(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F }
}
