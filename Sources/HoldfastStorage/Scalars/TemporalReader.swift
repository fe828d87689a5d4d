/// Reads the parts of a date or time from UTF-8 bytes, one after the other.
///
/// Allocates nothing. Every method throws without saying where: the texts are short and the fault names the part.
struct TemporalReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Starts at the first byte; the bytes must outlive the reader.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Whether all bytes have been read.
    @inline(__always)
    var isAtEnd: Bool { position == bytes.count }

    /// Reads `YYYY-MM-DD`, years 0001...9999, as days since 1970-01-01.
    @inline(__always)
    mutating func date() throws(TemporalFault) -> Int32 {
        guard bytes.count &- position >= 10, byte(4) == UInt8(ascii: "-"), byte(7) == UInt8(ascii: "-") else {
            throw .form
        }
        let (century, rest, month, day) = (pair(0), pair(2), pair(5), pair(8))
        guard (century | rest | month | day) != Self.notDigits else { throw .form }
        let year = century &* 100 &+ rest
        guard year > 0 else { throw .year }
        guard month &- 1 < 12 else { throw .month }
        guard day &- 1 < Gregorian.daysInMonth(month, of: year) else { throw .day }
        position &+= 10
        return Gregorian.daysSinceEpoch(year: year, month: month, day: day)
    }

    /// Reads `hh:mm[:ss[.f…]]` with 0...9 fraction digits.
    @inline(__always)
    mutating func time() throws(TemporalFault) -> (seconds: Int32, nanoseconds: Int32, fractionDigits: Int) {
        guard bytes.count &- position >= 5, byte(2) == UInt8(ascii: ":") else { throw .form }
        let (hour, minute) = (pair(0), pair(3))
        guard (hour | minute) != Self.notDigits else { throw .form }
        guard hour < 24 else { throw .hour }
        guard minute < 60 else { throw .minute }
        position &+= 5
        let minutes = hour &* 3_600 &+ minute &* 60
        guard skip(UInt8(ascii: ":")) else { return (Int32(bitPattern: minutes), 0, 0) }
        guard bytes.count &- position >= 2 else { throw .form }
        let second = pair(0)
        guard second != Self.notDigits else { throw .form }
        guard second < 60 else { throw .second }
        position &+= 2
        let seconds = Int32(bitPattern: minutes &+ second)
        guard skip(UInt8(ascii: ".")) else { return (seconds, 0, 0) }
        let (nanoseconds, digits) = try fraction()
        return (seconds, nanoseconds, digits)
    }

    /// Reads `hh:mm:ss[.f…]` to the end, the fraction without a final zero.
    @inline(__always)
    mutating func canonicalTime() throws(TemporalFault) -> (seconds: Int32, nanoseconds: Int32) {
        let length = bytes.count &- position
        // Nine bytes would be a point without digits, less than eight a time without seconds.
        guard length == 8 || length >= 10 && bytes[bytes.count &- 1] != UInt8(ascii: "0") else { throw .form }
        let (seconds, nanoseconds, _) = try time()
        guard isAtEnd else { throw .form }
        return (seconds, nanoseconds)
    }

    /// Reads `Z` or `±hh:mm[:ss]`, less than 18 hours, as seconds; `nil` when nothing is left.
    @inline(__always)
    mutating func offset() throws(TemporalFault) -> Int32? {
        guard !isAtEnd else { return nil }
        let sign = byte(0)
        if sign == UInt8(ascii: "Z") {
            position &+= 1
            return 0
        }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), bytes.count &- position >= 6,
            byte(3) == UInt8(ascii: ":")
        else { throw .form }
        let (hours, minutes) = (pair(1), pair(4))
        guard (hours | minutes) != Self.notDigits else { throw .form }
        position &+= 6
        var seconds: UInt32 = 0
        if skip(UInt8(ascii: ":")) {
            guard bytes.count &- position >= 2, pair(0) != Self.notDigits else { throw .form }
            seconds = pair(0)
            position &+= 2
        }
        guard hours < 18, minutes < 60, seconds < 60 else { throw .offset }
        let total = Int32(bitPattern: hours &* 3_600 &+ minutes &* 60 &+ seconds)
        return sign == UInt8(ascii: "-") ? 0 &- total : total
    }

    /// Reads one decimal digit.
    @inline(__always)
    mutating func digit() throws(TemporalFault) -> Int {
        guard !isAtEnd, byte(0) &- 0x30 <= 9 else { throw .form }
        position &+= 1
        return Int(bytes[position &- 1] &- 0x30)
    }

    /// Reads one given byte.
    @inline(__always)
    mutating func expect(_ expected: UInt8) throws(TemporalFault) {
        guard skip(expected) else { throw .form }
    }

    /// Checks that nothing is left.
    @inline(__always)
    func end() throws(TemporalFault) {
        guard isAtEnd else { throw .form }
    }

    /// Reads 0...9 digits as nanoseconds.
    private mutating func fraction() throws(TemporalFault) -> (nanoseconds: Int32, digits: Int) {
        var value: Int32 = 0
        let start = position
        while !isAtEnd, byte(0) &- 0x30 <= 9 {
            guard position &- start < 9 else { throw .fraction }
            value = value &* 10 &+ Int32(byte(0) &- 0x30)
            position &+= 1
        }
        let digits = position &- start
        for _ in digits..<9 { value = value &* 10 }
        return (value, digits)
    }

    /// What ``pair(_:)`` returns when a byte is not a digit; sticks through `|`.
    private static var notDigits: UInt32 { .max }

    @inline(__always)
    private func byte(_ index: Int) -> UInt8 { bytes[position &+ index] }

    /// The two digits at an index as a number, or ``notDigits``.
    @inline(__always)
    private func pair(_ index: Int) -> UInt32 {
        let (tens, units) = (byte(index) &- 0x30, byte(index &+ 1) &- 0x30)
        return tens > 9 || units > 9 ? Self.notDigits : UInt32(tens) &* 10 &+ UInt32(units)
    }

    @inline(__always)
    private mutating func skip(_ expected: UInt8) -> Bool {
        guard !isAtEnd, byte(0) == expected else { return false }
        position &+= 1
        return true
    }
}
