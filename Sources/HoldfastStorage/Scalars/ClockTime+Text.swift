extension ClockTime {
    /// Parses an `AWSTime`: `hh:mm[:ss[.f…]]` with an optional offset, `Z` or `±hh:mm[:ss]`.
    ///
    /// The time is the one written; the offset never shifts it. A decimal point without digits is taken as none,
    /// `-00:00` and `+00:00` as `Z`.
    ///
    /// - Parameter text: The whole text, without surrounding space; hours 00...23, seconds 00...59, at most 9
    ///   fraction digits.
    /// - Throws: ``InvalidScalar`` of type ``FieldType/time``.
    /// - Note: *Source:* AppSync scalar types, `AWSTime`; RFC 3339 section 5.6, `partial-time`.
    public init(parsing text: String) throws(InvalidScalar) {
        let outcome = text.withBytes { bytes in
            Result { () throws(TemporalFault) in try ClockTime(reading: bytes) }
        }
        do { self = try outcome.get() } catch { throw error.invalid(.time) }
    }

    private init(reading bytes: UnsafeBufferPointer<UInt8>) throws(TemporalFault) {
        var reader = TemporalReader(bytes)
        let (seconds, nanoseconds, digits) = try reader.time()
        let offset = try reader.offset()
        try reader.end()
        self.init(
            nanosecondsSinceMidnight: Int64(seconds) &* 1_000_000_000 &+ Int64(nanoseconds),
            tail: WrittenForm(offset: offset, fractionDigits: digits))
    }

    /// The canonical `AWSTime` text: `hh:mm:ss`, as many fraction digits as written, then the offset if there is one.
    ///
    /// Digits beyond ``WrittenForm/fractionDigits`` are cut, never rounded; a time that passed
    /// ``FieldType/canonical(_:)`` has none.
    public var text: String {
        TemporalWriter.text { writer in
            let nanoseconds = writeSeconds(to: &writer)
            writer.fraction(nanoseconds: nanoseconds, digits: tail.fractionDigits)
            writer.offset(tail.offset)
        }
    }

    /// The time as `hh:mm:ss[.f…]` without final zeros and without offset; byte order is the order of the times.
    public var clockText: String {
        TemporalWriter.text { writer in
            let nanoseconds = writeSeconds(to: &writer)
            writer.trimmedFraction(nanoseconds: nanoseconds)
        }
    }

    /// Writes `hh:mm:ss` and returns the nanoseconds that are left.
    private func writeSeconds(to writer: inout TemporalWriter) -> Int64 {
        let nanoseconds = Gregorian.split(nanosecondsSinceMidnight, by: Gregorian.nanosecondsPerDay).rest
        writer.time(secondsSinceMidnight: nanoseconds / 1_000_000_000)
        return nanoseconds % 1_000_000_000
    }

    /// Restores a time from its ``clockText`` and its tail; `nil` when the text is not of that exact form.
    public init?(clockText: String, tail: WrittenForm) {
        guard let time = clockText.withBytes({ ClockTime(clockText: $0, tail: tail) }) else { return nil }
        self = time
    }

    /// Restores a time from the UTF-8 bytes of its ``clockText`` and its tail.
    ///
    /// The result is `nil` when the text is not of that exact form or out of range.
    ///
    /// - Parameters:
    ///   - clockText: Exactly `hh:mm:ss[.f…]`, the fraction of 1...9 digits not ending in 0; read only during the call.
    ///   - tail: How the time prints.
    /// - Complexity: O(1); allocates nothing.
    public init?(clockText: UnsafeBufferPointer<UInt8>, tail: WrittenForm) {
        var reader = TemporalReader(clockText)
        guard let (seconds, nanoseconds) = try? reader.canonicalTime() else { return nil }
        self.init(
            nanosecondsSinceMidnight: Int64(seconds) &* 1_000_000_000 &+ Int64(nanoseconds), tail: tail)
    }
}
