/// Finds bytes that are not UTF-8.
package enum UTF8Check {
    /// The offset of the first byte that does not belong to well-formed UTF-8, if any.
    ///
    /// - Complexity: O(n); eight bytes at a time through ASCII.
    package static func firstFault(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let raw = UnsafeRawBufferPointer(bytes)
        var index = 0
        while index < bytes.count {
            while index &+ 8 <= bytes.count,
                raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                index &+= 8
            }
            guard index < bytes.count else { return nil }
            let length = sequenceLength(bytes, at: index)
            guard length > 0 else { return index }
            index &+= length
        }
        return nil
    }

    /// The length of the well-formed sequence that starts at an index; zero when there is none.
    private static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        let lead = bytes[index]
        if lead < 0x80 { return 1 }
        var low: UInt8 = 0x80
        var high: UInt8 = 0xBF
        let length: Int
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if lead == 0xE0 { low = 0xA0 }
            if lead == 0xED { high = 0x9F }
        case 0xF0...0xF4:
            length = 4
            if lead == 0xF0 { low = 0x90 }
            if lead == 0xF4 { high = 0x8F }
        default: return 0
        }
        guard index &+ length <= bytes.count else { return 0 }
        guard bytes[index &+ 1] >= low, bytes[index &+ 1] <= high else { return 0 }
        for position in (index &+ 2)..<max(index &+ 2, index &+ length) where bytes[position] & 0xC0 != 0x80 {
            return 0
        }
        return length
    }
}
