/// 128-bit FNV-1a: distinguishes texts that differ by accident; it does not detect forged ones.
///
/// *Source:* http://www.isthe.com/chongo/tech/comp/fnv/
package struct FNVHash: Sendable, Hashable {
    private var high: UInt64 = 0x6c62_272e_07bb_0142
    private var low: UInt64 = 0x62b8_2175_6295_c58d

    /// Creates the hash of no bytes.
    package init() {}

    /// Adds one byte.
    package mutating func add(_ byte: UInt8) {
        low ^= UInt64(byte)
        // Times 2^88 + 0x13b, the prime of this width.
        let product = low.multipliedFullWidth(by: 0x13b)
        high = high &* 0x13b &+ product.high &+ low << 24
        low = product.low
    }

    /// Both halves in one number.
    package var number: UInt64 { high ^ low }

    /// 32 hexadecimal digits.
    package var digits: String { Self.digits(high) + Self.digits(low) }

    private static func digits(_ half: UInt64) -> String {
        let digits = String(half, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
