extension JSONReader {
    /// Reads a whole number of 64 bits; `1.0` is one.
    mutating func integer() throws(WireError) -> Int64 {
        let bytes = try numberBytes()
        if let integer = Self.digits(bytes, from: bytes.first == UInt8(ascii: "-") ? 1 : 0) {
            return bytes[0] == UInt8(ascii: "-") ? -integer : integer
        }
        guard let integer = JSONNumber(checked: String(decoding: bytes, as: UTF8.self)).integer else {
            throw WireError(.mismatch, "a number that is not a whole number of 64 bits")
        }
        return integer
    }

    /// Reads a number as the nearest double; `-0` as 0.
    mutating func double() throws(WireError) -> Double {
        let bytes = try numberBytes()
        if let double = Self.shortDecimal(bytes) { return double }
        guard let double = JSONNumber(checked: String(decoding: bytes, as: UTF8.self)).double else {
            throw WireError(.mismatch, "a number that is too large for a double")
        }
        return double == 0 ? 0 : double
    }

    /// The number of up to 18 digits, or `nil` if there is anything else.
    private static func digits(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int64? {
        guard bytes.count &- start <= 18 else { return nil }
        var value: Int64 = 0
        for index in start..<bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value &* 10 &+ Int64(digit)
        }
        return value
    }

    /// The number of up to 15 digits without an exponent, or `nil` if it is longer.
    ///
    /// Both the digits and the power of ten are exact doubles, so their quotient is the nearest double.
    private static func shortDecimal(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        let start = bytes[0] == UInt8(ascii: "-") ? 1 : 0
        guard bytes.count &- start <= 16 else { return nil }
        var (value, digits, point) = (Int64(0), 0, -1)
        for index in start..<bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            if digit <= 9 {
                value = value &* 10 &+ Int64(digit)
                digits &+= 1
            } else if bytes[index] == UInt8(ascii: ".") {
                point = digits
            } else {
                return nil
            }
        }
        guard digits <= 15 else { return nil }
        var divisor = 1.0
        if point >= 0 { for _ in point..<digits { divisor *= 10 } }
        let double = Double(value) / divisor
        return start == 1 && value != 0 ? -double : double
    }
}
