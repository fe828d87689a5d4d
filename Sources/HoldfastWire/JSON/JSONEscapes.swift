/// The escapes of JSON strings.
enum JSONEscapes {
    /// The text of a string's content, or `nil` if an escape stands for half a surrogate pair.
    ///
    /// - Parameter content: The bytes between the quotes of a string that was checked.
    static func decoded(_ content: UnsafeBufferPointer<UInt8>) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.count)
        var index = 0
        while index < content.count {
            let byte = content[index]
            guard byte == UInt8(ascii: "\\"), index + 1 < content.count else {
                bytes.append(byte)
                index += 1
                continue
            }
            let letter = content[index + 1]
            index += 2
            switch letter {
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "u"):
                guard let scalar = scalar(in: content, at: &index), let encoded = UTF8.encode(scalar) else {
                    return nil
                }
                bytes.append(contentsOf: encoded)
            default: bytes.append(letter)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
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
