import HoldfastStorage
import Testing

@Suite struct CalendarDateTests {
    @Test(
        arguments: [
            ("1970-01-01", 0), ("1970-01-02", 1), ("1969-12-31", -1), ("0001-01-01", -719_162),
            ("9999-12-31", 2_932_896),
            ("2000-02-29", 11_016), ("2000-03-01", 11_017), ("2024-02-29", 19_782), ("1900-02-28", -25_509),
            ("1600-02-29", -135_081), ("2400-02-29", 157_113),
            ("1900-03-01", -25_508), ("0004-02-29", -718_008), ("9999-03-01", 2_932_591),
        ] as [(String, Int32)])
    func daysAreCountedFromTheEpoch(text: String, days: Int32) throws {
        let date = try CalendarDate(parsing: text)
        #expect(date.daysSinceEpoch == days)
        #expect(date.tail.offset == nil)
        #expect(date.text == text)
        #expect(date.dayText == text)
    }

    @Test(
        arguments: [
            ("1970-01-01Z", "1970-01-01Z", 0), ("1970-01-01+00:00", "1970-01-01Z", 0),
            ("1970-01-01-00:00", "1970-01-01Z", 0), ("1970-01-01-07:30", "1970-01-01-07:30", -27_000),
            ("1970-01-01+17:59:59", "1970-01-01+17:59:59", 64_799),
            ("1970-01-01-17:59:59", "1970-01-01-17:59:59", -64_799),
            ("1970-01-01+01:00:00", "1970-01-01+01:00", 3_600), ("1970-01-01-00:00:01", "1970-01-01-00:00:01", -1),
        ] as [(String, String, Int32)])
    func offsetIsKeptAndNeverShiftsTheDay(text: String, canonical: String, offset: Int32) throws {
        let date = try CalendarDate(parsing: text)
        #expect(date.daysSinceEpoch == 0)
        #expect(date.tail.offset == offset)
        #expect(date.tail.fractionDigits == 0)
        #expect(date.text == canonical)
        #expect(date.dayText == "1970-01-01")
    }

    @Test(arguments: [
        "", "1970", "1970-01", "1970-1-1", "1970-01-1", "70-01-01", "1970/01/01", "19700101", " 1970-01-01",
        "1970-01-01 ", "1970-01-01z", "1970-01-01T", "1970-01-01+1:00", "1970-01-01+0100", "1970-01-01+01:00:0",
        "1970-01-01+01:00:000", "1970-01-01ZZ", "1970-01-01+", "-970-01-01", "+1970-01-01", "12345-01-01",
        "197a-01-01", "1970-0a-01", "1970-01-0:", "１970-01-01", "1970-01-01\0", "1970-01-01−01:00",
    ])
    func otherFormsAreRejected(text: String) {
        let error = #expect(throws: InvalidScalar.self) { try CalendarDate(parsing: text) }
        #expect(error?.type == .date)
        #expect(error?.reason.hasPrefix("not of the required form; expected YYYY-MM-DD") == true)
    }

    @Test(arguments: [
        ("0000-01-01", "year"), ("1970-00-01", "month"), ("1970-13-01", "month"), ("1970-01-00", "day"),
        ("1970-01-32", "day"), ("1970-04-31", "day"), ("1970-06-31", "day"), ("1970-09-31", "day"),
        ("1970-11-31", "day"), ("2023-02-29", "day"), ("2024-02-30", "day"), ("1900-02-29", "day"),
        ("2100-02-29", "day"), ("1970-01-01+18:00", "offset"), ("1970-01-01+01:60", "offset"),
        ("1970-01-01+01:00:60", "offset"),
    ])
    func outOfRangePartsAreNamed(text: String, part: String) {
        let error = #expect(throws: InvalidScalar.self) { try CalendarDate(parsing: text) }
        #expect(error?.reason.contains(part) == true)
        #expect(error?.reason.contains(text) == false)
    }

    @Test func daysOfAllYearsPrintAndParseInOrder() throws {
        let days = Int32(-719_162)...2_932_896
        var previous = ""
        for day in stride(from: days.lowerBound, through: days.upperBound, by: 37) {
            let text = CalendarDate(daysSinceEpoch: day).dayText
            guard previous.utf8.lexicographicallyPrecedes(text.utf8),
                try CalendarDate(parsing: text).daysSinceEpoch == day
            else {
                Issue.record("day \(day) prints as \(text), after \(previous)")
                return
            }
            previous = text
        }
    }

    @Test func everyDayOfTwoLeapCyclesFollowsTheOneBefore() throws {
        var expected = try CalendarDate(parsing: "1896-01-01").daysSinceEpoch
        for year in 1896...2104 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for (month, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                for day in 1...length {
                    let text = "\(year)-\(month < 9 ? "0" : "")\(month + 1)-\(day < 10 ? "0" : "")\(day)"
                    let date = try CalendarDate(parsing: text)
                    guard date.daysSinceEpoch == expected, date.text == text else {
                        Issue.record("\(text) is day \(date.daysSinceEpoch), not \(expected), and prints \(date.text)")
                        return
                    }
                    expected += 1
                }
            }
        }
    }

    @Test func dayTextRestoresTheDate() throws {
        let date = try CalendarDate(parsing: "2024-02-29-03:30")
        #expect(CalendarDate(dayText: date.dayText, tail: date.tail) == date)
    }

    @Test(arguments: ["", "2024-02-30", "2024-02-29Z", "2024-2-29", "2024-02-29 ", "0000-01-01", "2024-02-2"])
    func malformedDayTextIsNil(text: String) {
        #expect(CalendarDate(dayText: text, tail: WrittenForm(offset: nil)) == nil)
    }

    @Test(arguments: [Int32.min, Int32.max, 2_932_897, -719_163])
    func daysOutOfRangePrintWithoutTrapping(days: Int32) {
        #expect(!CalendarDate(daysSinceEpoch: days).text.isEmpty)
    }
}
