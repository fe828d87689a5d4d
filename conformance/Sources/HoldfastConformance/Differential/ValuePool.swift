package import HoldfastStorage

/// Canonical values of every type, chosen for the mistakes they provoke; small, so that they meet each other often.
package enum ValuePool {
    /// A type of field, not a list.
    static let elementTypes: [FieldType] =
        FieldType.scalars + [.bytes, .enumeration("Colour"), .embedded("Address")]

    /// The values of a type, without null.
    package static func values(of type: FieldType) -> [Value] {
        let raw: [Value] =
            switch type {
            case .id, .string, .enumeration: texts.map(Value.text)
            case .int: integers.map(Value.integer)
            case .timestamp: integers.map(Value.integer)
            case .float: doubles.map(Value.double)
            case .boolean: [.boolean(false), .boolean(true)]
            case .bytes: bytes.map(Value.bytes)
            case .date: dates.map(Value.text)
            case .time: times.map(Value.text)
            case .dateTime: instants.map(Value.text)
            case .email: ["a@b.c", "A@b.c", "a@b.co", "z_%@b.c"].map(Value.text)
            case .url: ["https://a.b/", "https://a.b/%25", "https://A.b/", "ftp://z"].map(Value.text)
            case .phone: ["+1 555 0100", "+15550100", "555-0100"].map(Value.text)
            case .ipAddress: ["10.0.0.1", "10.0.0.2/8", "::1", "::2", "2001:db8::/32"].map(Value.text)
            case .json: (objects + ["1", "1.0", "null", "[ 1,2 ]", "\"é\"", "\"e\u{301}\""]).map(Value.text)
            case .embedded: objects.map(Value.text)
            case .list: []
            }
        return raw.compactMap { try? type.canonical($0) }
    }

    /// A value of a field; null now and then where it may be.
    package static func value(
        of type: FieldType, isRequired: Bool, using random: inout SplitMix64
    ) -> Value {
        if !isRequired && random.chance(18) { return .null }
        if case .list(let element, let elementsAreRequired) = type {
            let count = random.pick([0, 0, 1, 1, 2, 3, 5])
            return .list(
                (0..<count).map { _ in value(of: element, isRequired: elementsAreRequired, using: &random) })
        }
        let values = values(of: type)
        return random.pick(random.chance(50) ? Array(values.prefix(8)) : values)
    }

    /// One of many distinct values of a type that can be a key, for large batches.
    static func numbered(_ number: Int, of type: FieldType) -> Value {
        switch type {
        case .int, .timestamp: .integer(Int64(number * 37 - 2_000))
        case .float: .double(Double(number) / 8 - 100)
        case .id, .string, .enumeration: .text("k\(number)")
        case .bytes: .bytes([UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number), 0])
        case .json: .text("\(number)")
        case .embedded: .text("{\"n\":\(number)}")
        case .date: .date(CalendarDate(daysSinceEpoch: Int32(number - 50)))
        case .time:
            .time(
                ClockTime(
                    nanosecondsSinceMidnight: Int64(number) * 1_000_000_000, tail: WrittenForm(offset: nil)))
        case .dateTime:
            .timestamp(
                Timestamp(secondsSinceEpoch: Int64(number) - 50, nanoseconds: 0, tail: WrittenForm(offset: 0)))
        default: values(of: type)[number % values(of: type).count]
        }
    }

    static let texts = [
        "", "a", "A", "ab", "b", "a ", "é", "e\u{301}", "f", "😀", "\u{FB00}", "\u{FFFD}", "%", "_", "a%", "a\\",
        "'", "\"", "null", "007", "7", "1e3", String(repeating: "x", count: 120), "naïve ﬀ 😀 text",
    ]
    /// Texts beyond what a key may hold.
    static let longTexts = [
        String(repeating: "x", count: 1_025), String(repeating: "é", count: 2_000),
        String(repeating: "y", count: 70_000),
    ]
    static let needles = ["", "a", "A", "%", "_", "e", "é", "\u{301}", "😀", "xx", "\\", "1", "{", "'"]
    /// Integers at the edges of their kinds.
    package static let integers: [Int64] = [
        0, 1, -1, 2, 7, -7, 10, 100, .max, .max - 1, .min, .min + 1, 1 << 53, (1 << 53) + 1, (1 << 53) - 1,
        -(1 << 53) - 1, 1 << 31, -(1 << 31), 255, 256, 65_536,
    ]
    /// Finite doubles at the edges of their kinds.
    package static let doubles: [Double] = [
        0.0, 1.0, 1.5, -1.0, 0.1, -0.1, 1e308, -1e300, Double.leastNonzeroMagnitude, -Double.leastNonzeroMagnitude,
        0x1p53, 0x1p53 - 1, 0x1p63, -0x1p63,
        2.0, 7.0, 100.25,
    ]
    static let bytes: [[UInt8]] = [[], [0], [0, 0], [0xFF], [0x7F], [0x80], [0, 0xFF], [0x61], [0x61, 0]]
    static let dates = [
        "0001-01-01", "9999-12-31", "1970-01-01", "1969-12-31", "1970-01-01Z", "1970-01-01+01:00", "2024-02-29",
    ]
    static let times = [
        "00:00", "00:00:00", "00:00:00.000", "23:59:59.999999999", "12:30:00Z", "12:30+02:00", "12:30:00.5",
        "12:30:00.000000001",
    ]
    static let instants = [
        "1970-01-01T00:00:00Z", "1970-01-01T01:00:00+01:00", "1970-01-01T00:00:00.000Z", "1969-12-31T23:59:59.5Z",
        "1969-12-31T23:59:59.999999999Z", "0001-01-02T00:00:00Z", "9999-12-30T23:59:59.999999999Z",
        "2024-03-10T12:00:00.5Z", "2024-03-10T12:00:00Z", "2024-03-10T14:00:00.500+02:00",
        "2024-03-10T12:00:00.123456789Z",
    ]
    static let objects = ["{}", "{ }", "{\"a\":1}", "{\"a\":1,\"a\":2}", "{\"b\":1,\"a\":[null]}", "{\"a\":1e2}"]
}
