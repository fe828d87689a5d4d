import Foundation
import HoldfastConformance
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct TemporalTests {
    typealias DateTime = Temporal.DateTime

    @Test(
        arguments: [
            ("2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00.000Z"), ("2026-01-01T00:00Z", "2026-01-01T00:00:00Z"),
            ("1969-12-31T23:59:59.5Z", "1970-01-01T01:59:59.500000+02:00"),
            ("2026-01-01T00:30:00+00:30", "2025-12-31T23:30:00-00:30"),
        ])
    func dateTimesOfOneInstantAreEqual(left: String, right: String) throws {
        let (left, right) = (try DateTime(iso8601String: left), try DateTime(iso8601String: right))
        #expect(left == right && left.hashValue == right.hashValue)
        #expect(!(left < right) && !(right < left))
    }

    @Test(
        arguments: [
            ("2026-01-01T01:00:00+02:00", "2026-01-01T00:00:00Z"),
            ("1969-12-31T23:59:59.999999998Z", "1969-12-31T23:59:59.999999999Z"),
            ("1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z"), ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"),
        ])
    func dateTimesAreOrderedByInstant(earlier: String, later: String) throws {
        let (earlier, later) = (try DateTime(iso8601String: earlier), try DateTime(iso8601String: later))
        #expect(earlier < later && later > earlier && earlier != later)
    }

    @Test(
        arguments: [
            "2026-11-21T07:46:00.000Z", "2026-11-21T07:46:00-03:30", "2026-11-21T07:46:00-00:30",
            "0001-01-01T00:00:00.123456789-14:00",
        ])
    func codingADateTimeKeepsItsText(text: String) throws {
        let json = Data("[\"\(text)\"]".utf8)
        let read = try JSONDecoder().decode([DateTime].self, from: json)
        #expect(read[0].text == text)
        #expect(try JSONEncoder().encode(read) == json)
    }

    @Test func codingADateOrTimeKeepsItsText() throws {
        for text in ["2026-11-21", "2026-11-21+01:00", "1900-02-28Z"] {
            let json = Data("[\"\(text)\"]".utf8)
            #expect(try JSONEncoder().encode(try JSONDecoder().decode([Temporal.Date].self, from: json)) == json)
        }
        for text in ["07:46:00", "07:46:00.500Z", "23:59:59.999999999-05:00"] {
            let json = Data("[\"\(text)\"]".utf8)
            #expect(try JSONEncoder().encode(try JSONDecoder().decode([Temporal.Time].self, from: json)) == json)
        }
    }

    @Test(arguments: ["", "2026-13-01", "2026-02-29", "tomorrow", "2026-01-01T00:00:00.5."])
    func textThatIsNotADateOrTimeIsRefused(text: String) {
        #expect(throws: InvalidScalar.self) { try DateTime(iso8601String: text) }
        #expect(throws: InvalidScalar.self) { try Temporal.Date(iso8601String: text) }
        #expect(throws: InvalidScalar.self) { try Temporal.Time(iso8601String: text) }
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode([DateTime].self, from: Data("[\"\(text)\"]".utf8))
        }
    }

    @Test func datesAreTheSameDayForAnyOffset() throws {
        let plain = try Temporal.Date(iso8601String: "2026-01-02")
        let offset = try Temporal.Date(iso8601String: "2026-01-02-11:00")
        let next = try Temporal.Date(iso8601String: "2026-01-03+14:00")
        #expect(plain == offset && plain.hashValue == offset.hashValue)
        #expect(plain < next && offset < next && !(plain < offset))
    }

    @Test func timesAreComparedAsWritten() throws {
        let plain = try Temporal.Time(iso8601String: "07:00")
        let offset = try Temporal.Time(iso8601String: "07:00:00.0+05:00")
        let later = try Temporal.Time(iso8601String: "07:00:00.000000001+14:00")
        #expect(plain == offset && plain.hashValue == offset.hashValue)
        #expect(plain < later && !(later < plain))
    }

    static let milliseconds: [Int64] = {
        var generator = SplitMix64(seed: 7)
        let random = (0..<500).map { _ in Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &generator)
        }
        let near = (0..<500).map { _ in Int64.random(in: -2_000_000_000_000...2_000_000_000_000, using: &generator) }
        return [-1, 0, 1, -999, -1_000, -1_001, 1_001, 1_700_000_000_123] + random + near
    }()

    @Test func foundationDatesComeBackToTheMillisecond() {
        for milliseconds in Self.milliseconds {
            let seconds = milliseconds >= 0 ? milliseconds / 1_000 : -((999 - milliseconds) / 1_000)
            let instant = DateTime(
                Timestamp(
                    secondsSinceEpoch: seconds, nanoseconds: Int32(milliseconds - seconds * 1_000) * 1_000_000,
                    tail: WrittenForm(offset: 0, fractionDigits: 3)))
            #expect(DateTime(instant.foundationDate) == instant, "\(milliseconds) ms")
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
            #expect(DateTime(date) == instant, "\(milliseconds) ms from a date")
        }
    }

    @Test func foundationDatesAreWrittenInUTCWithMilliseconds() {
        #expect(DateTime(Date(timeIntervalSince1970: -0.001)).iso8601String == "1969-12-31T23:59:59.999Z")
        #expect(DateTime(Date(timeIntervalSince1970: 1.001)).iso8601String == "1970-01-01T00:00:01.001Z")
        #expect(DateTime(Date(timeIntervalSince1970: 0.9999)).iso8601String == "1970-01-01T00:00:01.000Z")
        #expect(DateTime.now().iso8601String.hasSuffix("Z"))
    }

    @Test(arguments: [Double.infinity, -.infinity, 1e300, -1e300, .nan])
    func aFoundationDateOutsideTheCalendarDoesNotCrash(seconds: Double) {
        let instant = DateTime(Date(timeIntervalSince1970: seconds))
        #expect(!instant.iso8601String.isEmpty)
        #expect(throws: InvalidScalar.self) { try FieldType.dateTime.canonical(instant.storageValue) }
    }
}
