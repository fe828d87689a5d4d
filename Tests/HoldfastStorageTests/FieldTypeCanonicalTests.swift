import HoldfastStorage
import Testing

@Suite struct FieldTypeCanonicalTests {
    private static let everyType: [FieldType] =
        FieldType.scalars + [.bytes, .enumeration("E"), .embedded("T"), .list(of: .int, elementsAreRequired: true)]
    private static let zulu = WrittenForm(offset: 0)
    private static let instant = Timestamp(secondsSinceEpoch: 1, nanoseconds: 0, tail: zulu)
    private static let oneOfEachShape: [Value] = [
        .boolean(true), .integer(1), .double(1), .text("x"), .bytes([1]), .date(CalendarDate(daysSinceEpoch: 1)),
        .time(ClockTime(nanosecondsSinceMidnight: 1, tail: WrittenForm(offset: nil, fractionDigits: 9))),
        .timestamp(instant), .list([.integer(1)]),
    ]

    @Test(arguments: everyType)
    func nullPasses(type: FieldType) throws {
        #expect(try type.canonical(.null) == .null)
    }

    @Test(arguments: everyType)
    func shapesTheStorageTypeDoesNotAdmitAreRejected(type: FieldType) {
        let isTemporal = [.date, .time, .dateTime].contains(type)
        for value in Self.oneOfEachShape where !type.storageType.admits(value) {
            if isTemporal, case .text = value { continue }
            let error = #expect(throws: InvalidScalar.self) { try type.canonical(value) }
            #expect(error?.type == type)
            #expect(error?.reason.contains("expected") == true)
        }
    }

    @Test(
        arguments: [
            (.id, .text("")), (.string, .text("e\u{301}\u{FEFF} 12345678")), (.int, .integer(.min)),
            (.int, .integer(.max)),
            (.float, .double(.leastNonzeroMagnitude)), (.float, .double(-.greatestFiniteMagnitude)),
            (.boolean, .boolean(false)),
            (.timestamp, .integer(-1)), (.json, .text(" 1 ")), (.bytes, .bytes([0, 255])),
            (.enumeration("E"), .text("NEW")),
            (.embedded("T"), .text(" {\"a\":\"\\u0000\"}")), (.email, .text("a@b")), (.url, .text("a:b")),
            (.phone, .text("123")), (.ipAddress, .text("::1")), (.date, .date(CalendarDate(daysSinceEpoch: -719_162))),
            (.dateTime, .timestamp(instant)),
            (.list(of: .int, elementsAreRequired: false), .list([.integer(1), .null])),
            (
                .list(of: .list(of: .string, elementsAreRequired: true), elementsAreRequired: false),
                .list([.list([.text("a"), .text("a")]), .null, .list([])])
            ),
            (
                .time,
                .time(ClockTime(nanosecondsSinceMidnight: 10, tail: WrittenForm(offset: nil, fractionDigits: 8)))
            ),
        ] as [(FieldType, Value)])
    func canonicalValuesAreReturnedAsTheyAre(type: FieldType, value: Value) throws {
        #expect(try type.canonical(value) == value)
    }

    @Test func negativeZeroBecomesZero() throws {
        guard case .double(let scalar) = try FieldType.float.canonical(.double(-0.0)) else {
            Issue.record("not a double")
            return
        }
        #expect(scalar.sign == .plus)
        let list = FieldType.list(of: .float, elementsAreRequired: true)
        guard case .list(let values) = try list.canonical(.list([.double(1), .double(-0.0), .double(-1)])),
            case .double(let element) = values[1]
        else {
            Issue.record("not a list of doubles")
            return
        }
        #expect(element.sign == .plus)
        #expect(values == [.double(1), .double(0), .double(-1)])
    }

    @Test(arguments: [Double.nan, .signalingNaN, .infinity, -.infinity])
    func doublesThatAreNotFiniteAreRejected(double: Double) {
        #expect(throws: InvalidScalar.self) { try FieldType.float.canonical(.double(double)) }
    }

    @Test(
        arguments: [.id, .string, .enumeration("E"), .email, .url, .phone, .ipAddress, .json, .embedded("T")]
            as [FieldType])
    func nulInTextIsRejected(type: FieldType) {
        for text in ["\0", "a@b:1\0", "{}\0", "{\"a\":\"\0\"}"] {
            #expect(throws: InvalidScalar.self) { try type.canonical(.text(text)) }
        }
    }

    @Test func nulIsFoundAtEveryPlaceOfEveryLength() throws {
        for length in 1...40 {
            for index in 0..<length {
                var bytes = [UInt8](repeating: index % 2 == 0 ? 0x61 : 0x01, count: length)
                #expect(throws: Never.self) {
                    try FieldType.string.canonical(.text(String(decoding: bytes, as: UTF8.self)))
                }
                bytes[index] = 0
                #expect(throws: InvalidScalar.self) {
                    try FieldType.string.canonical(.text(String(decoding: bytes, as: UTF8.self)))
                }
            }
        }
        let highBytes = String(repeating: "\u{80}\u{1F600}", count: 9)
        #expect(try FieldType.string.canonical(.text(highBytes)) == .text(highBytes))
    }

    @Test func textOfDatesAndTimesIsParsed() throws {
        #expect(
            try FieldType.date.canonical(.text("1970-01-02Z"))
                == .date(CalendarDate(daysSinceEpoch: 1, tail: Self.zulu)))
        #expect(
            try FieldType.time.canonical(.text("00:00:01."))
                == .time(ClockTime(nanosecondsSinceMidnight: 1_000_000_000, tail: WrittenForm(offset: nil))))
        #expect(try FieldType.dateTime.canonical(.text("1970-01-01T00:00:01Z")) == .timestamp(Self.instant))
    }

    @Test(
        arguments: [
            (.date, "1970-02-30"), (.time, "24:00"), (.dateTime, "1970-01-01T00:00:00"), (.date, "1970-01-01T00:00Z"),
        ] as [(FieldType, String)])
    func malformedTextOfDatesAndTimesIsRejected(type: FieldType, text: String) {
        let error = #expect(throws: InvalidScalar.self) { try type.canonical(.text(text)) }
        #expect(error?.type == type)
    }

    @Test(arguments: [Int32.min, -719_163, 2_932_897, .max])
    func daysOutOfRangeAreRejected(days: Int32) {
        #expect(throws: InvalidScalar.self) {
            try FieldType.date.canonical(.date(CalendarDate(daysSinceEpoch: days)))
        }
    }

    @Test(arguments: [Int64.min, -1, 86_400_000_000_000, .max])
    func timesOutOfRangeAreRejected(nanoseconds: Int64) {
        #expect(throws: InvalidScalar.self) {
            try FieldType.time.canonical(.time(ClockTime(nanosecondsSinceMidnight: nanoseconds, tail: Self.zulu)))
        }
    }

    @Test(
        arguments: [
            (.min, 0, 0), (.max, 0, 0), (-62_135_596_801, 0, 0), (253_402_300_800, 0, 0), (0, -1, 0),
            (0, 1_000_000_000, 0),
            (0, 0, nil), (-62_135_596_800, 0, -1), (253_402_300_799, 0, 1),
        ] as [(Int64, Int32, Int32?)])
    func timestampsOutOfRangeAreRejected(seconds: Int64, nanoseconds: Int32, offset: Int32?) {
        let timestamp = Timestamp(
            secondsSinceEpoch: seconds, nanoseconds: nanoseconds,
            tail: WrittenForm(offset: offset, fractionDigits: 9))
        #expect(throws: InvalidScalar.self) { try FieldType.dateTime.canonical(.timestamp(timestamp)) }
    }

    @Test(arguments: [Int32(64_800), -64_800])
    func offsetsOutOfRangeAreRejected(offset: Int32) {
        var tail = Self.zulu
        tail.offset = offset
        #expect(throws: InvalidScalar.self) {
            try FieldType.date.canonical(.date(CalendarDate(daysSinceEpoch: 0, tail: tail)))
        }
        #expect(throws: InvalidScalar.self) {
            try FieldType.time.canonical(.time(ClockTime(nanosecondsSinceMidnight: 0, tail: tail)))
        }
        #expect(throws: InvalidScalar.self) {
            try FieldType.dateTime.canonical(
                .timestamp(Timestamp(secondsSinceEpoch: 0, nanoseconds: 0, tail: tail)))
        }
    }

    @Test(
        arguments: [
            (0, 0, 0), (0, 4, 4), (500_000_000, 0, 1), (500_000_000, 3, 3), (120_000_000, 1, 2), (1, 0, 9), (1, 9, 9),
            (0, 15, 9), (1, 12, 9),
        ] as [(Int32, Int, Int)])
    func digitsAreRaisedSoThatNoneIsCutOff(nanoseconds: Int32, digits: Int, expected: Int) throws {
        var tail = Self.zulu
        tail.fractionDigits = digits
        let timestamp = Value.timestamp(Timestamp(secondsSinceEpoch: -5, nanoseconds: nanoseconds, tail: tail))
        let time = Value.time(ClockTime(nanosecondsSinceMidnight: 7_000_000_000 + Int64(nanoseconds), tail: tail))
        tail.fractionDigits = expected
        #expect(
            try FieldType.dateTime.canonical(timestamp)
                == .timestamp(Timestamp(secondsSinceEpoch: -5, nanoseconds: nanoseconds, tail: tail)))
        #expect(
            try FieldType.time.canonical(time)
                == .time(ClockTime(nanosecondsSinceMidnight: 7_000_000_000 + Int64(nanoseconds), tail: tail)))
    }

    @Test func digitsOfADateBecomeZero() throws {
        let date = CalendarDate(daysSinceEpoch: 3, tail: WrittenForm(offset: 60, fractionDigits: 3))
        #expect(
            try FieldType.date.canonical(.date(date))
                == .date(CalendarDate(daysSinceEpoch: 3, tail: WrittenForm(offset: 60))))
    }

    @Test(arguments: ["", "null", "[]", "1", "\"{}\"", " [{}]", "{", "{}x", "{\"a\"}"])
    func embeddedValuesAreObjects(text: String) {
        let error = #expect(throws: InvalidScalar.self) { try FieldType.embedded("T").canonical(.text(text)) }
        #expect(error?.type == .embedded("T"))
    }

    @Test func nullElementsAreRejectedWhereTheyAreForbidden() throws {
        let values = Value.list([.integer(1), .null])
        let error = #expect(throws: InvalidScalar.self) {
            try FieldType.list(of: .int, elementsAreRequired: true).canonical(values)
        }
        #expect(error?.reason.hasPrefix("element 1 is null") == true)
        #expect(try FieldType.list(of: .int, elementsAreRequired: false).canonical(values) == values)
    }

    @Test func elementsOfNestedListsAreCanonicalized() throws {
        let type = FieldType.list(of: .list(of: .date, elementsAreRequired: true), elementsAreRequired: true)
        let day = Value.date(CalendarDate(daysSinceEpoch: 1))
        let zuluDay = Value.date(CalendarDate(daysSinceEpoch: 1, tail: Self.zulu))
        #expect(
            try type.canonical(
                .list([.list([day]), .list([.text("1970-01-02"), day, .text("1970-01-02Z")]), .list([])]))
                == .list([.list([day]), .list([day, day, zuluDay]), .list([])]))
        let error = #expect(throws: InvalidScalar.self) {
            try type.canonical(.list([.list([day]), .list([day, .integer(1)])]))
        }
        #expect(error?.type == type)
        #expect(error?.reason == "element 1: element 1: an integer where a date is expected")
    }

    @Test func errorsNeverContainTheValue() {
        let secret = "s3cret value\0"
        for type in Self.everyType {
            let error = #expect(throws: InvalidScalar.self) { try type.canonical(.text(secret)) }
            #expect(error.map { "\($0)\($0.reason)".contains("s3cret") } == false)
        }
    }

    @Test func canonicalIsIdempotent() throws {
        for value in Self.oneOfEachShape {
            for type in Self.everyType {
                guard let once = try? type.canonical(value) else { continue }
                #expect(try type.canonical(once) == once)
                #expect(type.storageType.admits(once))
            }
        }
    }
}
