extension FieldType {
    /// Checks a value and returns the form in which it is stored.
    ///
    /// Null always passes; whether a field may be null is checked elsewhere. `-0.0` becomes `0.0`. A date, time or
    /// date-time may also come as `.text`, which is parsed; its ``WrittenForm/fractionDigits`` are raised where they
    /// would cut digits off, and are 0 for dates. Everything else is kept exactly, text byte for byte.
    ///
    /// - Parameter value: Any value.
    /// - Returns: The canonical value; canonical values are returned as they are.
    /// - Throws: ``InvalidScalar`` when the value does not have the shape of this type, is out of range or malformed,
    ///   is a NaN or an infinity, is text with U+0000, or is a list with a null that the type forbids.
    /// - Complexity: O(n) in the bytes of text and the elements of lists; allocates nothing for a canonical value.
    /// - Note: *Source:* AppSync scalar types; RFC 3339 for dates and times, RFC 8259 for JSON.
    public func canonical(_ value: Value) throws(InvalidScalar) -> Value {
        try replacement(for: value) ?? value
    }

    /// The canonical form of a value that is not canonical, `nil` for one that is.
    func replacement(for value: Value) throws(InvalidScalar) -> Value? {
        switch (self, value) {
        case (_, .null), (.int, .integer), (.timestamp, .integer), (.boolean, .boolean), (.bytes, .bytes):
            return nil
        case (.float, .double(let double)):
            guard double.isFinite else { throw invalid("NaN or infinite; expected a finite number") }
            return double == 0 && double.sign == .minus ? .double(0) : nil
        case (.id, .text(let text)), (.string, .text(let text)), (.enumeration, .text(let text)):
            if UTF8Scan.containsNUL(text) { throw invalid("contains U+0000; expected text without it") }
        case (.email, .text(let text)): try check(text.withBytes(AddressScalars.emailFault))
        case (.url, .text(let text)): try check(text.withBytes(AddressScalars.urlFault))
        case (.phone, .text(let text)): try check(text.withBytes(AddressScalars.phoneFault))
        case (.ipAddress, .text(let text)): try check(text.withBytes(AddressScalars.ipAddressFault))
        case (.json, .text(let text)): try check(JSONSyntax.firstFault(in: text)?.reason)
        case (.embedded, .text(let text)):
            try check(JSONSyntax.firstFault(in: text, objectIsRequired: true)?.reason)
        case (.date, .text(let text)): return .date(try CalendarDate(parsing: text))
        case (.time, .text(let text)): return .time(try ClockTime(parsing: text))
        case (.dateTime, .text(let text)): return .timestamp(try Timestamp(parsing: text))
        case (.date, .date(let date)): return try replacement(for: date)
        case (.time, .time(let time)): return try replacement(for: time)
        case (.dateTime, .timestamp(let timestamp)): return try replacement(for: timestamp)
        case (.list(let element, let elementsAreRequired), .list(let values)):
            return try replacement(for: values, of: element, elementsAreRequired: elementsAreRequired)
        default:
            throw invalid("\(value.shape) where \(expectedShape) is expected")
        }
        return nil
    }

    // MARK: - Dates and times

    private func replacement(for date: CalendarDate) throws(InvalidScalar) -> Value? {
        guard Gregorian.days.contains(date.daysSinceEpoch) else {
            throw invalid("the day is out of range; expected years 1...9999")
        }
        try checkOffset(date.tail)
        guard date.tail.fractionDigits != 0 else { return nil }
        var date = date
        date.tail.fractionDigits = 0
        return .date(date)
    }

    private func replacement(for time: ClockTime) throws(InvalidScalar) -> Value? {
        guard 0..<Gregorian.nanosecondsPerDay ~= time.nanosecondsSinceMidnight else {
            throw invalid("the time is out of range; expected 0..<86400000000000 nanoseconds since midnight")
        }
        try checkOffset(time.tail)
        guard let tail = replacement(for: time.tail, nanoseconds: time.nanosecondsSinceMidnight % 1_000_000_000)
        else { return nil }
        return .time(ClockTime(nanosecondsSinceMidnight: time.nanosecondsSinceMidnight, tail: tail))
    }

    private func replacement(for timestamp: Timestamp) throws(InvalidScalar) -> Value? {
        guard let offset = timestamp.tail.offset else {
            throw invalid("the offset is missing; expected an offset of less than 18 hours")
        }
        try checkOffset(timestamp.tail)
        guard Gregorian.seconds.contains(timestamp.secondsSinceEpoch),
            Gregorian.seconds.contains(timestamp.secondsSinceEpoch &+ Int64(offset))
        else { throw invalid("the instant is out of range; expected years 1...9999, in UTC and at its offset") }
        guard 0..<1_000_000_000 ~= timestamp.nanoseconds else {
            throw invalid("the nanoseconds are out of range; expected 0..<1000000000")
        }
        guard let tail = replacement(for: timestamp.tail, nanoseconds: Int64(timestamp.nanoseconds)) else { return nil }
        return .timestamp(
            Timestamp(
                secondsSinceEpoch: timestamp.secondsSinceEpoch, nanoseconds: timestamp.nanoseconds, tail: tail))
    }

    private func checkOffset(_ tail: WrittenForm) throws(InvalidScalar) {
        if let offset = tail.offset, offset.magnitude >= 64_800 {
            throw invalid("the offset is out of range; expected less than 18 hours")
        }
    }

    /// The tail with as many digits as the nanoseconds need, `nil` if it has them.
    private func replacement(for tail: WrittenForm, nanoseconds: Int64) -> WrittenForm? {
        let digits = tail.fractionDigits
        if nanoseconds == 0 && digits <= 9 { return nil }
        let canonical = min(9, max(digits, TemporalWriter.digitsNeeded(nanoseconds: nanoseconds)))
        guard canonical != digits else { return nil }
        var tail = tail
        tail.fractionDigits = canonical
        return tail
    }

    // MARK: - Lists

    private func replacement(
        for values: [Value], of element: FieldType, elementsAreRequired: Bool
    ) throws(InvalidScalar) -> Value? {
        var changed: [Value]?
        for index in values.indices {
            if elementsAreRequired, values[index].isNull {
                throw invalid("element \(index) is null; expected elements that are not")
            }
            do {
                guard let canonical = try element.replacement(for: values[index]) else { continue }
                if changed == nil { changed = values }
                changed?[index] = canonical
            } catch {
                throw invalid("element \(index): \(error.reason)")
            }
        }
        return changed.map(Value.list)
    }

    // MARK: - Errors

    private func check(_ fault: String?) throws(InvalidScalar) {
        if let fault { throw invalid(fault) }
    }

    private func invalid(_ reason: String) -> InvalidScalar {
        InvalidScalar(type: self, reason: reason)
    }

    private var expectedShape: String {
        switch self {
        case .id, .string, .email, .url, .phone, .ipAddress, .enumeration: "text"
        case .int, .timestamp: "an integer"
        case .float: "a double"
        case .boolean: "a boolean"
        case .date: "a date"
        case .time: "a time"
        case .dateTime: "a timestamp"
        case .json: "JSON text"
        case .embedded: "the JSON text of an object"
        case .bytes: "bytes"
        case .list: "a list"
        }
    }
}

extension Value {
    /// The kind of the value with its article, for messages.
    fileprivate var shape: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .double: "a double"
        case .text: "text"
        case .bytes: "bytes"
        case .date: "a date"
        case .time: "a time"
        case .timestamp: "a timestamp"
        case .list: "a list"
        }
    }
}
