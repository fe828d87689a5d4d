extension Timestamp {
    /// Parses an `AWSDateTime`: `YYYY-MM-DDThh:mm[:ss[.f…]]` and an offset, `Z` or `±hh:mm[:ss]`.
    ///
    /// The offset is required. A decimal point without digits is taken as none, `-00:00` and `+00:00` as `Z`.
    ///
    /// - Parameter text: The whole text, without surrounding space, `T` and `Z` in upper case; both the written time
    ///   and its instant in UTC within years 1...9999, existing days only, hours 00...23, seconds 00...59, at most 9
    ///   fraction digits.
    /// - Throws: ``InvalidScalar`` of type ``FieldType/dateTime``.
    /// - Note: *Source:* AppSync scalar types, `AWSDateTime`; RFC 3339 section 5.6, `date-time`.
    public init(parsing text: String) throws(InvalidScalar) {
        let outcome = text.withBytes { bytes in
            Result { () throws(TemporalFault) in try Timestamp(reading: bytes) }
        }
        do { self = try outcome.get() } catch { throw error.invalid(.dateTime) }
    }

    /// Parses the bytes of an `AWSDateTime` as ``init(parsing:)`` does, without a text; `nil` where that throws.
    package init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        guard let timestamp = try? Timestamp(reading: bytes) else { return nil }
        self = timestamp
    }

    private init(reading bytes: UnsafeBufferPointer<UInt8>) throws(TemporalFault) {
        var reader = TemporalReader(bytes)
        let days = try reader.date()
        try reader.expect(UInt8(ascii: "T"))
        let (seconds, nanoseconds, digits) = try reader.time()
        guard let offset = try reader.offset() else { throw .missingOffset }
        try reader.end()
        let instant = Int64(days) &* Gregorian.secondsPerDay &+ Int64(seconds) &- Int64(offset)
        guard Gregorian.seconds.contains(instant) else { throw .instant }
        self.init(
            secondsSinceEpoch: instant, nanoseconds: nanoseconds,
            tail: WrittenForm(offset: offset, fractionDigits: digits))
    }

    /// The canonical `AWSDateTime` text: the wall time at its offset, `YYYY-MM-DDThh:mm:ss`, as many fraction digits
    /// as written, then the offset as `Z` or `±hh:mm[:ss]`.
    ///
    /// Digits beyond ``WrittenForm/fractionDigits`` are cut, never rounded; an instant that passed
    /// ``FieldType/canonical(_:)`` has none.
    public var text: String {
        TemporalWriter.text { writer in
            let offset = tail.offset ?? 0
            writeSeconds(secondsSinceEpoch &+ Int64(offset), to: &writer)
            writer.fraction(nanoseconds: Int64(nanoseconds), digits: tail.fractionDigits)
            writer.offset(offset)
        }
    }

    /// The instant in UTC as `YYYY-MM-DDThh:mm:ss[.f…]` without final zeros and without `Z`.
    ///
    /// The byte order of two such texts is the order of the instants, so a database may compare and index it as text.
    public var utcText: String {
        TemporalWriter.text { writer in
            writeSeconds(secondsSinceEpoch, to: &writer)
            writer.trimmedFraction(nanoseconds: Int64(nanoseconds))
        }
    }

    /// Writes `YYYY-MM-DDThh:mm:ss`.
    private func writeSeconds(_ seconds: Int64, to writer: inout TemporalWriter) {
        let (days, rest) = Gregorian.split(seconds, by: Gregorian.secondsPerDay)
        writer.date(daysSinceEpoch: days)
        writer.byte(UInt8(ascii: "T"))
        writer.time(secondsSinceMidnight: rest)
    }

    /// Restores an instant from its ``utcText`` and its tail; `nil` when the text is not of that exact form or the tail
    /// has no offset.
    public init?(utcText: String, tail: WrittenForm) {
        guard let timestamp = utcText.withBytes({ Timestamp(utcText: $0, tail: tail) }) else { return nil }
        self = timestamp
    }

    /// Restores an instant from the UTF-8 bytes of its ``utcText`` and its tail.
    ///
    /// The result is `nil` when the text is not of that exact form or out of range, or the tail has no offset.
    ///
    /// - Parameters:
    ///   - utcText: Exactly `YYYY-MM-DDThh:mm:ss[.f…]`, the fraction of 1...9 digits not ending in 0; read only during
    ///     the call.
    ///   - tail: How the instant prints.
    /// - Complexity: O(1); allocates nothing.
    public init?(utcText: UnsafeBufferPointer<UInt8>, tail: WrittenForm) {
        var reader = TemporalReader(utcText)
        guard tail.offset != nil, let (days, time) = try? reader.canonicalInstant() else { return nil }
        self.init(
            secondsSinceEpoch: Int64(days) &* Gregorian.secondsPerDay &+ Int64(time.seconds),
            nanoseconds: time.nanoseconds, tail: tail)
    }
}

extension TemporalReader {
    /// Reads `YYYY-MM-DDThh:mm:ss[.f…]` to the end, the fraction without a final zero.
    @inline(__always)
    fileprivate mutating func canonicalInstant() throws(TemporalFault) -> (
        days: Int32, time: (seconds: Int32, nanoseconds: Int32)
    ) {
        let days = try date()
        try expect(UInt8(ascii: "T"))
        return (days, try canonicalTime())
    }
}
