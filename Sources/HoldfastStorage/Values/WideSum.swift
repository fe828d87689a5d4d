/// A sum of integers that does not overflow: 128 bits, without `Int128`, which needs iOS 18 and macOS 15.
package struct WideSum: Sendable {
    private var high: Int64 = 0
    private var low: UInt64 = 0

    /// Creates a sum of no integers.
    package init() {}

    /// Adds one integer.
    package mutating func add(_ integer: Int64) {
        let (sum, carry) = low.addingReportingOverflow(UInt64(bitPattern: integer))
        low = sum
        // The sign fills the upper half.
        high += (integer >> 63) + (carry ? 1 : 0)
    }

    /// Whether the sum is below zero.
    package var isNegative: Bool { high < 0 }

    /// The sum, or `nil` if it does not fit 64 bits.
    package var integer: Int64? {
        let integer = Int64(bitPattern: low)
        return integer >> 63 == high ? integer : nil
    }

    /// The nearest double, or one beside it if the sum does not fit 64 bits.
    package var double: Double {
        if let integer { return Double(integer) }
        // Such a sum is so far from zero that the rounded halves do not cancel each other.
        return Double(high) * 0x1p64 + Double(low)
    }
}
