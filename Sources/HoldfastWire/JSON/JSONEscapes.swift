/// The escapes of JSON strings.
enum JSONEscapes {
    /// The text of a string's content, or `nil` if an escape is half of a surrogate pair.
    ///
    /// - Parameter content: The bytes between the quotes of a string that was checked.
    /// - Returns: The text with characters in place of the escapes, or `nil`.
    static func decoded(_ content: UnsafeBufferPointer<UInt8>) -> String? {
        var isText = true
        // No escape is shorter than its character.
        let text = String(unsafeUninitializedCapacity: content.count) { bytes in
            var (index, count) = (0, 0)
            while index < content.count {
                let byte = content[index]
                guard byte == UInt8(ascii: "\\"), index + 1 < content.count else {
                    bytes[count] = byte
                    (index, count) = (index &+ 1, count &+ 1)
                    continue
                }
                let letter = content[index + 1]
                index += 2
                guard letter == UInt8(ascii: "u") else {
                    bytes[count] = character(letter)
                    count &+= 1
                    continue
                }
                guard let scalar = scalar(in: content, at: &index), let encoded = UTF8.encode(scalar) else {
                    isText = false
                    return 0
                }
                for byte in encoded {
                    bytes[count] = byte
                    count &+= 1
                }
            }
            return count
        }
        return isText ? text : nil
    }

    /// The character of an escape of one letter.
    private static func character(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    /// The character of the four digits at an index, and of a second escape if it takes two; moves past them.
    private static func scalar(in content: UnsafeBufferPointer<UInt8>, at index: inout Int) -> Unicode.Scalar? {
        guard let first = unit(in: content, at: &index) else { return nil }
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), index + 1 < content.count, content[index] == UInt8(ascii: "\\"),
            content[index + 1] == UInt8(ascii: "u")
        else { return nil }
        index += 2
        guard let second = unit(in: content, at: &index), UTF16.isTrailSurrogate(second) else { return nil }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private static func unit(in content: UnsafeBufferPointer<UInt8>, at index: inout Int) -> UInt16? {
        guard index + 4 <= content.count else { return nil }
        var unit: UInt16 = 0
        for byte in content[index..<index + 4] {
            let digit = byte <= UInt8(ascii: "9") ? byte &- UInt8(ascii: "0") : (byte | 0x20) &- UInt8(ascii: "a") &+ 10
            unit = unit << 4 | UInt16(digit & 0x0F)
        }
        index += 4
        return unit
    }
}
