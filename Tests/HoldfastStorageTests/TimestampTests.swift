import HoldfastConformance
import HoldfastStorage
import Testing

@Suite struct TimestampTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00Z", "1970-01-01T00:00:00Z", 0, 0),
            ("1970-01-01T00:00:00.Z", "1970-01-01T00:00:00Z", 0, 0),
            ("2024-01-01T01:00+01:00", "2024-01-01T01:00:00+01:00", 1_704_067_200, 0),
            ("2024-01-01T00:00:00.000Z", "2024-01-01T00:00:00.000Z", 1_704_067_200, 0),
            ("2024-01-01T00:00:00-00:00", "2024-01-01T00:00:00Z", 1_704_067_200, 0),
            ("1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999999999Z", -1, 999_999_999),
            ("1969-12-31T23:59:58.5Z", "1969-12-31T23:59:58.5Z", -2, 500_000_000),
            ("1970-01-01T00:30:00.25+01:00", "1970-01-01T00:30:00.25+01:00", -1_800, 250_000_000),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z", -62_135_596_800, 0),
            ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999),
            ("0001-01-01T17:59:59+17:59:59", "0001-01-01T17:59:59+17:59:59", -62_135_596_800, 0),
            ("9999-12-31T06:00:00-17:59:59", "9999-12-31T06:00:00-17:59:59", 253_402_300_799, 0),
            ("2024-02-29T12:00:00Z", "2024-02-29T12:00:00Z", 1_709_208_000, 0),
        ] as [(String, String, Int64, Int32)])
    func instantsParseAndPrintCanonically(text: String, canonical: String, seconds: Int64, nanoseconds: Int32) throws {
        let timestamp = try Timestamp(parsing: text)
        #expect(timestamp.secondsSinceEpoch == seconds)
        #expect(timestamp.nanoseconds == nanoseconds)
        #expect(timestamp.text == canonical)
        #expect(try Timestamp(parsing: canonical) == timestamp)
        #expect(Timestamp(utcText: timestamp.utcText, tail: timestamp.tail) == timestamp)
    }

    @Test(arguments: [
        ("2024-01-01T01:00:00.500+01:00", "2024-01-01T00:00:00.5"), ("2024-01-01T00:00:00.000Z", "2024-01-01T00:00:00"),
        ("1969-12-31T19:00:00-05:00", "1970-01-01T00:00:00"), ("1970-01-01T00:00:00+00:00:01", "1969-12-31T23:59:59"),
        ("0001-01-02T00:00:00.000000001+12:00", "0001-01-01T12:00:00.000000001"),
    ])
    func utcTextIsInUTCAndTrimmed(text: String, utcText: String) throws {
        #expect(try Timestamp(parsing: text).utcText == utcText)
    }

    @Test(arguments: [
        "", "2024-01-01", "2024-01-01T", "2024-01-01 00:00:00Z", "2024-01-01t00:00:00Z", "2024-01-01T00:00:00z",
        "2024-01-01T00:00:00Z ", "2024-01-01T00Z", "2024-01-01T00:00:00+1", "2024-01-01T00:00:00+01",
        "2024-01-01T00:00:00+0100", "2024-01-01T00:00:00.5", "2024-01-01T00:00:00", "20240101T000000Z",
    ])
    func otherFormsAreRejected(text: String) {
        let error = #expect(throws: InvalidScalar.self) { try Timestamp(parsing: text) }
        #expect(error?.type == .dateTime)
        #expect(error?.reason.contains("expected YYYY-MM-DDThh:mm") == true)
    }

    @Test(arguments: [
        ("2024-01-01T00:00:00", "the offset is missing"), ("2023-02-29T00:00:00Z", "day"),
        ("2024-01-01T24:00:00Z", "hour"), ("2016-12-31T23:59:60Z", "second"), ("0000-12-31T23:00:00-05:00", "year"),
        ("2024-01-01T00:00:00.0123456789Z", "9 digits"), ("2024-01-01T00:00:00+18:00", "18 hours"),
        ("0001-01-01T00:00:00+00:01", "instant"), ("0001-01-01T00:00:00+00:00:01", "instant"),
        ("9999-12-31T23:59:59-00:00:01", "instant"), ("9999-12-31T23:59:59.5-01:00", "instant"),
    ])
    func outOfRangePartsAreNamed(text: String, part: String) {
        let error = #expect(throws: InvalidScalar.self) { try Timestamp(parsing: text) }
        #expect(error?.reason.contains(part) == true)
        #expect(error?.reason.contains(text) == false)
    }

    @Test(arguments: [
        "", "2024-01-01T00:00", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00.", "2024-01-01T00:00:00.0",
        "2024-01-01T00:00:00.120", "2024-01-01T00:00:00.1234567891", "2024-01-01 00:00:00", "2024-02-30T00:00:00",
        "0000-01-01T00:00:00", "10000-01-01T00:00:00", "2024-01-01T00:00:00+01:00",
    ])
    func malformedUTCTextIsNil(text: String) {
        #expect(Timestamp(utcText: text, tail: WrittenForm(offset: 0)) == nil)
    }

    @Test func tailWithoutOffsetRestoresNothing() {
        #expect(Timestamp(utcText: "2024-01-01T00:00:00", tail: WrittenForm(offset: nil)) == nil)
    }

    @Test func randomInstantsRoundTripThroughEveryText() throws {
        var random = SplitMix64(seed: 0x5EED)
        for _ in 0..<20_000 {
            let timestamp = Self.randomTimestamp(using: &random)
            let text = timestamp.text
            let restored = Timestamp(
                utcText: timestamp.utcText, tail: try #require(WrittenForm(text: timestamp.tail.text)))
            guard try Timestamp(parsing: text) == timestamp, restored == timestamp else {
                Issue.record("\(timestamp) prints as \(text) and \(timestamp.utcText) \(timestamp.tail.text)")
                return
            }
        }
    }

    @Test func byteOrderOfUTCTextIsTheOrderOfInstants() {
        var random = SplitMix64(seed: 0x0DDE)
        for _ in 0..<20_000 {
            let left = Self.randomTimestamp(using: &random)
            var right = Self.randomTimestamp(using: &random)
            // Near neighbors are the hard ones: same second, one text a prefix of the other.
            if Bool.random(using: &random) {
                right.secondsSinceEpoch = left.secondsSinceEpoch
                if Bool.random(using: &random) { right.nanoseconds = left.nanoseconds / 1_000 * 1_000 }
            }
            let expected = ValueOrder.compare(.timestamp(left), .timestamp(right))
            guard ValueOrder.compareText(left.utcText, right.utcText) == expected else {
                Issue.record("\(left.utcText) and \(right.utcText) should compare \(expected)")
                return
            }
        }
    }

    @Test(arguments: [Int64.min, Int64.max, -62_135_596_801, 253_402_300_800])
    func instantsOutOfRangePrintWithoutTrapping(seconds: Int64) {
        for nanoseconds in [Int32.min, -1, 0, Int32.max] {
            let timestamp = Timestamp(
                secondsSinceEpoch: seconds, nanoseconds: nanoseconds,
                tail: WrittenForm(offset: -64_799, fractionDigits: 9))
            #expect(!timestamp.text.isEmpty)
            #expect(!timestamp.utcText.isEmpty)
        }
    }

    /// An instant whose local time is within years 1...9999 too, with as many nanoseconds as its digits print.
    private static func randomTimestamp(using random: inout SplitMix64) -> Timestamp {
        let digits = Int.random(in: 0...9, using: &random)
        let unit = (digits..<9).reduce(1) { unit, _ in unit * 10 } as Int32
        let zones: [Int32] = [0, 3_600, -3_600, 19_800, .random(in: -64_799...64_799, using: &random)]
        return Timestamp(
            secondsSinceEpoch: .random(in: -62_135_532_000...253_402_236_000, using: &random),
            nanoseconds: .random(in: 0..<1_000_000_000, using: &random) / unit * unit,
            tail: WrittenForm(offset: zones.randomElement(using: &random), fractionDigits: digits))
    }
}
