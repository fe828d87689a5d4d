import Foundation
import HoldfastModel
import HoldfastStorage
import Testing

@Suite struct TemporalFormatTests {
    @Test(arguments: [
        ("2026-11-21T07:46", TemporalFormat.short), ("2026-11-21T07:46:09", .medium),
        ("2026-11-21T07:46:09Z", .long), ("2026-11-21T07:46:09+02:00", .long),
        ("2026-11-21T07:46:09.120Z", .full), ("2026-11-21T07:46:09.120+0530", .full),
        ("2026-11-21T07:46:09.120-08", .full),
    ])
    func dateTimesAreReadInTheirFormatOnly(_ text: String, _ format: TemporalFormat) throws {
        let value = try Temporal.DateTime(iso8601String: text, format: format)
        #expect(try value == Temporal.DateTime(iso8601String: text))
        for other in TemporalFormat.allCases where other != format {
            #expect(throws: InvalidScalar.self) { try Temporal.DateTime(iso8601String: text, format: other) }
        }
    }

    @Test(arguments: ["", "x", "2026-11-21", "2026-02-30T00:00Z", "2026-11-21T25:00Z", "2026-11-21T07:46:09.1+2"])
    func otherTextIsRefused(_ text: String) {
        #expect(throws: InvalidScalar.self) { try Temporal.DateTime(iso8601String: text) }
    }

    @Test func theFullFormatIsTheUsualOne() throws {
        let value = try Temporal.DateTime(iso8601String: "2026-11-21T07:46:09+02:00")
        #expect(value.iso8601String == "2026-11-21T07:46:09.000+02:00")
        #expect(value.text == "2026-11-21T07:46:09+02:00")
        #expect(String(decoding: try JSONEncoder().encode([value]), as: UTF8.self) == #"["2026-11-21T07:46:09+02:00"]"#)
        #expect(value.iso8601FormattedString(format: .short) == "2026-11-21T05:46")
        #expect(value.iso8601FormattedString(format: .medium) == "2026-11-21T05:46:09")
        #expect(value.iso8601FormattedString(format: .long) == "2026-11-21T05:46:09Z")
        let tokyo = try #require(TimeZone(secondsFromGMT: 9 * 3_600))
        #expect(value.iso8601FormattedString(format: .full, timeZone: tokyo) == "2026-11-21T14:46:09.000+09:00")
        #expect(value.time.iso8601String == "05:46:09.000Z")
        #expect(value.timeZone?.secondsFromGMT() == 7_200)
    }

    @Test func datesKeepTheWrittenDay() throws {
        #expect(try Temporal.Date(iso8601String: "2024-01-31").iso8601String == "2024-01-31Z")
        #expect(try Temporal.Date(iso8601String: "2024-01-31").text == "2024-01-31")
        #expect(try Temporal.Date(iso8601String: "2024-01-31+0130").iso8601String == "2024-01-31+01:30")
        #expect(
            try Temporal.Date(iso8601String: "2024-01-31", format: .short).foundationDate.timeIntervalSince1970
                == 1_706_659_200)
        #expect(throws: InvalidScalar.self) { try Temporal.Date(iso8601String: "2024-01-31", format: .full) }
        let instant = Date(timeIntervalSince1970: 1_706_659_200 + 86_399)
        #expect(Temporal.Date(instant).iso8601String == "2024-01-31Z")
        #expect(
            Temporal.Date(instant, timeZone: TimeZone(secondsFromGMT: 3_600)).iso8601FormattedString(format: .short)
                == "2024-02-01")
    }

    @Test func timesAreCompletedByADay() throws {
        let time = try Temporal.Time(iso8601String: "10:15+02:00")
        #expect(time.foundationDate.timeIntervalSince1970 == 946_684_800 + 8 * 3_600 + 900)
        #expect(time.iso8601FormattedString(format: .long) == "08:15:00.000")
        #expect(time.iso8601FormattedString(format: .short) == "08:15")
        #expect(try Temporal.Time(iso8601String: "23:30", format: .short) + .hours(1) == .init(iso8601String: "00:30"))
        #expect(
            try Temporal.Time(iso8601String: "00:00:01.500") - .milliseconds(1_750)
                == .init(iso8601String: "23:59:59.750"))
    }

    @Test(arguments: [
        ("2024-01-31", DateUnit.oneMonth, "2024-02-29"), ("2023-01-31", .oneMonth, "2023-02-28"),
        ("2024-02-29", .oneYear, "2025-02-28"), ("2024-12-31", .oneDay, "2025-01-01"),
        ("2024-02-28", .weeks(1), "2024-03-06"), ("2024-03-31", .months(-1), "2024-02-29"),
        ("2000-03-01", .days(-1), "2000-02-29"), ("2024-06-15", .months(-30), "2021-12-15"),
        ("9999-12-31", .oneDay, "9999-12-31"), ("0001-01-01", .years(-5), "0001-01-01"),
        ("2024-06-15", .days(.max), "9999-12-31"), ("2024-06-15", .years(.min), "0001-01-01"),
    ])
    func monthsAndYearsFollowTheCalendar(_ day: String, _ unit: DateUnit, _ expected: String) throws {
        #expect((try Temporal.Date(iso8601String: day) + unit).text == expected)
        let instant = try Temporal.DateTime(iso8601String: day + "T12:00:00Z")
        #expect((instant + unit).text == expected + "T12:00:00Z")
    }

    @Test func arithmeticAgreesWithTheCalendarOfFoundation() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .utc
        for index in 0..<400 {
            let date = Date(timeIntervalSince1970: Double(index) * 7_654_321 + 3_600)
            let value = Temporal.DateTime(date)
            let months = index % 40 - 20
            let expected = try #require(calendar.date(byAdding: .month, value: months, to: date))
            #expect((value + .months(months)).foundationDate == expected)
            #expect((value - .months(-months)).foundationDate == expected)
            #expect((value + .days(index)).foundationDate == date.addingTimeInterval(Double(index) * 86_400))
        }
    }

    @Test func partsOfSecondsCarry() throws {
        let value = try Temporal.DateTime(iso8601String: "2024-12-31T23:59:59.999Z")
        #expect((value + .oneMillisecond).text == "2025-01-01T00:00:00.000Z")
        #expect((value + .nanoseconds(1)).text == "2024-12-31T23:59:59.999000001Z")
        #expect((value - .milliseconds(1_999)).text == "2024-12-31T23:59:58.000Z")
        #expect((value + .hours(.max)).text == "9999-12-31T23:59:59.999Z")
        #expect((value - .hours(.max)).text == "0001-01-01T00:00:00.999Z")
    }

    @Test func nowIsInUTC() {
        let before = Date().timeIntervalSince1970 - 0.002
        let now = Temporal.DateTime.now()
        #expect(now.foundationDate.timeIntervalSince1970 >= before)
        #expect(now.iso8601String == now.text && now.text.hasSuffix("Z"))
        #expect(Temporal.Time.now().timeZone == .utc)
    }
}
