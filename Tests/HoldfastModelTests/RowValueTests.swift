import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct RowValueTests {
    static let day = CalendarDate(daysSinceEpoch: -3)
    static let time = ClockTime(nanosecondsSinceMidnight: 5, tail: WrittenForm(offset: nil, fractionDigits: 9))
    static let instant = Timestamp(
        secondsSinceEpoch: -1, nanoseconds: 500, tail: WrittenForm(offset: 3_600, fractionDigits: 9))

    static let shapes: [Value] = [
        .null, .boolean(true), .integer(-7), .double(2.5), .text("a"), .bytes([1]), .date(day), .time(time),
        .timestamp(instant), .list([.integer(1)]), .list([.text("a"), .null]), .list([]),
    ]

    static let types: [(any RowValue.Type, FieldType, @Sendable (Value) -> Bool)] = [
        (String.self, .string, { if case .text = $0 { true } else { false } }),
        (Int.self, .int, { if case .integer = $0 { true } else { false } }),
        (Int64.self, .int, { if case .integer = $0 { true } else { false } }),
        (Double.self, .float, { if case .double = $0 { true } else { false } }),
        (Bool.self, .boolean, { if case .boolean = $0 { true } else { false } }),
        (Temporal.Date.self, .date, { if case .date = $0 { true } else { false } }),
        (Temporal.Time.self, .time, { if case .time = $0 { true } else { false } }),
        (Temporal.DateTime.self, .dateTime, { if case .timestamp = $0 { true } else { false } }),
        (PostStatus.self, .enumeration("PostStatus"), { _ in false }),
        (String?.self, .string, { if case .text = $0 { true } else { $0.isNull } }),
        ([Int].self, .list(of: .int, elementsAreRequired: false), { $0 == .list([.integer(1)]) || $0 == .list([]) }),
        (
            [String?].self, .list(of: .string, elementsAreRequired: false),
            { $0 == .list([.text("a"), .null]) || $0 == .list([]) }
        ),
        (
            [Int]?.self, .list(of: .int, elementsAreRequired: false),
            {
                $0 == .list([.integer(1)]) || $0 == .list([]) || $0.isNull
            }
        ),
    ]

    @Test(arguments: types.indices)
    func aTypeReadsItsOwnCellsAndNoOthers(index: Int) {
        let (type, fieldType, accepts) = Self.types[index]
        #expect(type.fieldType == fieldType)
        for value in Self.shapes {
            let read = type.init(storageValue: value)
            #expect((read != nil) == accepts(value), "\(type) of \(value)")
            if let read { #expect(read.storageValue == value, "\(type)") }
        }
    }

    @Test func anEnumerationIsTheNameOfItsCase() {
        #expect(PostStatus.published.storageValue == .text("PUBLISHED"))
        #expect(PostStatus(storageValue: .text("PUBLISHED")) == .published)
        #expect(PostStatus(storageValue: .text("published")) == nil)
        #expect([PostStatus](storageValue: .list([.text("DRAFT"), .text("GONE")])) == nil)
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func integersAreExact(value: Int64) {
        #expect(Int64(storageValue: .integer(value)) == value)
        #expect(Int(storageValue: .integer(value))?.storageValue == .integer(value))
    }
}
