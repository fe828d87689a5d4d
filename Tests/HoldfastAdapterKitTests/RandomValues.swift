import HoldfastConformance
import HoldfastStorage

extension Value {
    /// A value of a kind, 0..<8, from a small domain with the extremes in it, so that equal ones occur.
    static func random(kind: Int, nulls: Bool = true, using random: inout SplitMix64) -> Value {
        if nulls && Int.random(in: 0..<8, using: &random) == 0 { return .null }
        switch kind {
        case 0: return .boolean(.random(using: &random))
        case 1: return .integer([.min, -256, -1, 0, 1, 255, 256, .max].randomElement(using: &random) ?? 0)
        case 2:
            let doubles = [
                -.greatestFiniteMagnitude, -2, -0x1p-1074, 0, 0x1p-1074, 0.1, 2, .greatestFiniteMagnitude,
            ]
            return .double(doubles.randomElement(using: &random) ?? 0)
        case 3:
            let bytes: [UInt8] = [0, 1, 0x30, 0xFE, 0xFF]
            return .bytes(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in bytes.randomElement(using: &random) ?? 0 })
        case 4:
            let pieces = ["", "a", "b", "#", "\0", "\u{1}", "e\u{301}", "é", "😀", "\u{FFFD}"]
            return .text(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined())
        case 5: return .date(CalendarDate(daysSinceEpoch: Int32.random(in: -2...2, using: &random)))
        case 6:
            return .time(
                ClockTime(
                    nanosecondsSinceMidnight: Int64.random(in: 0...3, using: &random),
                    tail: WrittenForm(offset: Int32.random(in: -1...1, using: &random))))
        default:
            return .timestamp(
                Timestamp(
                    secondsSinceEpoch: Int64.random(in: -1...1, using: &random),
                    nanoseconds: Int32.random(in: 0...1, using: &random),
                    tail: WrittenForm(offset: Int32.random(in: -1...1, using: &random))))
        }
    }
}
