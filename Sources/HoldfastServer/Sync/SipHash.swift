/// A keyed digest of 128 bits (SipHash-2-4), which only the holder of the key can make.
///
/// *Source:* Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012, and their reference for 128 bits.
struct SipHash {
    private var v0, v1, v2, v3: UInt64

    /// The digest of bytes.
    static func digest(_ bytes: [UInt8], key: (UInt64, UInt64)) -> [UInt8] {
        var hash = SipHash(key)
        let tail = bytes.count & ~7
        for start in stride(from: 0, to: tail, by: 8) { hash.add(word(bytes[start..<start + 8])) }
        hash.add(word(bytes[tail...]) | UInt64(truncatingIfNeeded: bytes.count) << 56)
        return hash.finished()
    }

    private init(_ key: (UInt64, UInt64)) {
        v0 = key.0 ^ 0x736f_6d65_7073_6575
        v1 = key.1 ^ 0x646f_7261_6e64_6f6d ^ 0xEE
        v2 = key.0 ^ 0x6c79_6765_6e65_7261
        v3 = key.1 ^ 0x7465_6462_7974_6573
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func add(_ word: UInt64) {
        v3 ^= word
        rounds(2)
        v0 ^= word
    }

    private mutating func finished() -> [UInt8] {
        v2 ^= 0xEE
        rounds(4)
        let first = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xDD
        rounds(4)
        let second = v0 ^ v1 ^ v2 ^ v3
        return [first, second].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (8 * $0)) } }
    }

    private mutating func rounds(_ count: Int) {
        for _ in 0..<count {
            v0 &+= v1
            v1 = v1 << 13 | v1 >> 51
            v1 ^= v0
            v0 = v0 << 32 | v0 >> 32
            v2 &+= v3
            v3 = v3 << 16 | v3 >> 48
            v3 ^= v2
            v0 &+= v3
            v3 = v3 << 21 | v3 >> 43
            v3 ^= v0
            v2 &+= v1
            v1 = v1 << 17 | v1 >> 47
            v1 ^= v2
            v2 = v2 << 32 | v2 >> 32
        }
    }
}
