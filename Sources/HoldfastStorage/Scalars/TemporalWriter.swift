/// Writes the parts of a date or time as ASCII, one after the other.
///
/// Never traps: a part outside its documented range prints as some other text.
struct TemporalWriter {
    /// More than the longest text: a year of 12 digits with its sign, nine fraction digits and an offset.
    private static let capacity = 64

    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private var count = 0

    /// The text that a closure writes.
    ///
    /// Written on the stack first, so that a text of at most 15 bytes allocates nothing.
    @inline(__always)
    static func text(_ write: (inout TemporalWriter) -> Void) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { bytes in
            var writer = TemporalWriter(bytes: bytes)
            write(&writer)
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[..<writer.count]), as: UTF8.self)
        }
    }

    private init(bytes: UnsafeMutableBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Writes one ASCII byte.
    @inline(__always)
    mutating func byte(_ byte: UInt8) {
        bytes[count] = byte
        count &+= 1
    }

    /// Writes `YYYY-MM-DD`.
    mutating func date(daysSinceEpoch: Int64) {
        let (year, month, day) = Gregorian.civil(daysSinceEpoch: daysSinceEpoch)
        if Int64(0)...9_999 ~= year {
            pair(year / 100)
            pair(year % 100)
        } else {
            wideYear(year)
        }
        byte(UInt8(ascii: "-"))
        pair(month)
        byte(UInt8(ascii: "-"))
        pair(day)
    }

    /// Writes `hh:mm:ss` for 0..<86,400 seconds.
    mutating func time(secondsSinceMidnight seconds: Int64) {
        pair(seconds / 3_600)
        byte(UInt8(ascii: ":"))
        pair(seconds / 60 % 60)
        byte(UInt8(ascii: ":"))
        pair(seconds % 60)
    }

    /// Writes a point and the first `digits` of nine fraction digits; nothing for none.
    mutating func fraction(nanoseconds: Int64, digits: Int) {
        guard digits > 0 else { return }
        byte(UInt8(ascii: "."))
        var divisor: UInt64 = 100_000_000
        let value = UInt64(truncatingIfNeeded: nanoseconds) % 1_000_000_000
        for _ in 0..<min(digits, 9) {
            self.digit(value / divisor % 10)
            divisor /= 10
        }
    }

    /// Writes a point and the fraction without its final zeros; nothing for zero.
    mutating func trimmedFraction(nanoseconds: Int64) {
        fraction(nanoseconds: nanoseconds, digits: Self.digitsNeeded(nanoseconds: nanoseconds))
    }

    /// Writes `Z`, `±hh:mm` or `±hh:mm:ss`; nothing for `nil`.
    mutating func offset(_ offset: Int32?) {
        guard let offset else { return }
        guard offset != 0 else { return byte(UInt8(ascii: "Z")) }
        byte(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        let seconds = Int64(offset.magnitude)
        pair(seconds / 3_600 % 100)
        byte(UInt8(ascii: ":"))
        pair(seconds / 60 % 60)
        if seconds % 60 != 0 {
            byte(UInt8(ascii: ":"))
            pair(seconds % 60)
        }
    }

    /// Writes one digit, 0...9.
    @inline(__always)
    mutating func digit(_ digit: UInt64) {
        byte(UInt8(truncatingIfNeeded: 0x30 &+ digit))
    }

    /// How many fraction digits nanoseconds of a second need, 0...9.
    static func digitsNeeded(nanoseconds: Int64) -> Int {
        var rest = UInt64(truncatingIfNeeded: nanoseconds) % 1_000_000_000
        guard rest != 0 else { return 0 }
        var digits = 9
        while rest % 10 == 0 {
            rest /= 10
            digits &-= 1
        }
        return digits
    }

    /// Writes two digits of 0...99.
    @inline(__always)
    private mutating func pair(_ number: Int64) {
        let number = UInt64(truncatingIfNeeded: number)
        digit(number / 10)
        digit(number % 10)
    }

    /// Writes a year outside 0...9999 with its sign, as ISO 8601 expands years.
    private mutating func wideYear(_ year: Int64) {
        byte(year < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        var divisor: UInt64 = 1_000
        while year.magnitude / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            digit(year.magnitude / divisor % 10)
            divisor /= 10
        }
    }
}
