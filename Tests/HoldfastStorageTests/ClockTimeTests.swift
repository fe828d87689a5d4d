import HoldfastStorage
import Testing

@Suite struct ClockTimeTests {
    @Test(
        arguments: [
            ("00:00", "00:00:00", 0), ("12:30", "12:30:00", 45_000_000_000_000),
            ("12:00:34.", "12:00:34", 43_234_000_000_000),
            ("12:00:34.Z", "12:00:34Z", 43_234_000_000_000), ("12:00:34.5", "12:00:34.5", 43_234_500_000_000),
            ("12:00:34.500", "12:00:34.500", 43_234_500_000_000), ("00:00:00.000000001", "00:00:00.000000001", 1),
            ("23:59:59.999999999", "23:59:59.999999999", 86_399_999_999_999),
            ("01:02Z", "01:02:00Z", 3_720_000_000_000),
            ("01:02-00:00", "01:02:00Z", 3_720_000_000_000), ("01:02-07:00", "01:02:00-07:00", 3_720_000_000_000),
            ("01:02:03.040+05:45:06", "01:02:03.040+05:45:06", 3_723_040_000_000),
        ] as [(String, String, Int64)])
    func timesParseAndPrintCanonically(text: String, canonical: String, nanoseconds: Int64) throws {
        let time = try ClockTime(parsing: text)
        #expect(time.nanosecondsSinceMidnight == nanoseconds)
        #expect(time.text == canonical)
        #expect(try ClockTime(parsing: canonical) == time)
    }

    @Test(arguments: 0...9)
    func fractionDigitsAreKept(digits: Int) throws {
        let text = "10:20:30" + (digits == 0 ? "" : "." + String(repeating: "0", count: digits))
        let time = try ClockTime(parsing: text)
        #expect(time.tail.fractionDigits == digits)
        #expect(time.text == text)
        #expect(time.clockText == "10:20:30")
    }

    @Test(arguments: [
        "", "1", "12", "12:", "12:3", "1:30", "12:30:", "12:30:4", "12:30.5", "12:30:45,5", "12:30:45.5.5", "1230",
        "T12:30", "12:30 ", " 12:30", "12:30z", "12:30+1", "12:30+01", "12:30:45.a", "-1:30", "12:3a", "1２:30",
    ])
    func otherFormsAreRejected(text: String) {
        let error = #expect(throws: InvalidScalar.self) { try ClockTime(parsing: text) }
        #expect(error?.type == .time)
        #expect(error?.reason.hasPrefix("not of the required form; expected hh:mm") == true)
    }

    @Test(arguments: [
        ("24:00", "hour"), ("24:00:00", "hour"), ("99:00", "hour"), ("23:60", "minute"), ("23:59:60", "second"),
        ("12:00:00.0000000000", "9 digits"), ("12:00:00.1234567890123", "9 digits"), ("12:00+18:00", "offset"),
    ])
    func outOfRangePartsAreNamed(text: String, part: String) {
        let error = #expect(throws: InvalidScalar.self) { try ClockTime(parsing: text) }
        #expect(error?.reason.contains(part) == true)
    }

    @Test(
        arguments: [
            (0, "00:00:00"), (1, "00:00:00.000000001"), (1_500_000_000, "00:00:01.5"), (3_600_000_000_000, "01:00:00"),
            (86_399_999_999_990, "23:59:59.99999999"),
        ] as [(Int64, String)])
    func clockTextIsTrimmedAndRestoresTheTime(nanoseconds: Int64, text: String) {
        let time = ClockTime(
            nanosecondsSinceMidnight: nanoseconds, tail: WrittenForm(offset: -60, fractionDigits: 9))
        #expect(time.clockText == text)
        #expect(ClockTime(clockText: text, tail: time.tail) == time)
    }

    @Test(arguments: [
        "", "00:00", "00:00:00.", "00:00:00.0", "00:00:00.10", "00:00:00Z", "24:00:00", "00:00:00.1234567891",
        "0:00:00",
        "00:00:00.1 ", "00:00:00 ", "00-00:00", "00:00-00",
    ])
    func malformedClockTextIsNil(text: String) {
        #expect(ClockTime(clockText: text, tail: WrittenForm(offset: nil)) == nil)
    }

    @Test(arguments: [Int64.min, Int64.max, -1, 86_400_000_000_000])
    func timesOutOfRangePrintWithoutTrapping(nanoseconds: Int64) {
        let time = ClockTime(
            nanosecondsSinceMidnight: nanoseconds, tail: WrittenForm(offset: nil, fractionDigits: 9))
        #expect(time.text.utf8.count == 18)
    }
}
