#if LevelDB
/// LevelDB's masked CRC-32C: rotated, plus a constant.
enum LevelDBChecksum {
    /// For each of 8 places, what a byte there contributes, one place after the other.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var value = UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
            tables[byte] = value
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
        }
        return tables
    }()

    /// The checksum as it is stored.
    static func masked(of bytes: UnsafeRawBufferPointer) -> UInt32 {
        let value = tables.withUnsafeBufferPointer { checksum(of: bytes, $0) }
        return (value >> 15 | value << 17) &+ 0xA282_EAD8
    }

    private static func checksum(
        of bytes: UnsafeRawBufferPointer, _ tables: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        var value = UInt32.max
        var offset = 0
        while bytes.count - offset >= 8 {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let mixed = word ^ UInt64(value)
            value = 0
            for index in 0..<8 {
                value ^= tables[(7 - index) << 8 | Int(truncatingIfNeeded: mixed >> (8 * UInt64(index)) & 0xFF)]
            }
            offset += 8
        }
        while offset < bytes.count {
            value = value >> 8 ^ tables[Int((value ^ UInt32(bytes[offset])) & 0xFF)]
            offset += 1
        }
        return ~value
    }
}
#endif
