extension CalendarDate {
    /// Parses an `AWSDate`: `YYYY-MM-DD` with an optional offset, `Z` or `±hh:mm[:ss]`.
    ///
    /// The day is the one written; the offset never shifts it. `-00:00` and `+00:00` are taken as `Z`.
    ///
    /// - Parameter text: The whole text, without surrounding space; years 0001...9999, existing days only.
    /// - Throws: ``InvalidScalar`` of type ``FieldType/date``.
    /// - Note: *Source:* AppSync scalar types, `AWSDate`; RFC 3339 section 5.6, `full-date`.
    public init(parsing text: String) throws(InvalidScalar) {
        let outcome = text.withBytes { bytes in
            Result { () throws(TemporalFault) in try CalendarDate(reading: bytes) }
        }
        do { self = try outcome.get() } catch { throw error.invalid(.date) }
    }

    private init(reading bytes: UnsafeBufferPointer<UInt8>) throws(TemporalFault) {
        var reader = TemporalReader(bytes)
        let days = try reader.date()
        let offset = try reader.offset()
        try reader.end()
        self.init(daysSinceEpoch: days, tail: WrittenForm(offset: offset))
    }

    /// The canonical `AWSDate` text: `YYYY-MM-DD`, then the offset as `Z` or `±hh:mm[:ss]` if there is one.
    public var text: String {
        TemporalWriter.text { writer in
            writer.date(daysSinceEpoch: Int64(daysSinceEpoch))
            writer.offset(tail.offset)
        }
    }

    /// The day as `YYYY-MM-DD`, without offset; the byte order of two such texts is the order of the days.
    public var dayText: String {
        TemporalWriter.text { $0.date(daysSinceEpoch: Int64(daysSinceEpoch)) }
    }

    /// Restores a date from its ``dayText`` and its tail; `nil` when the text is not of that exact form.
    public init?(dayText: String, tail: WrittenForm) {
        guard let date = dayText.withBytes({ CalendarDate(dayText: $0, tail: tail) }) else { return nil }
        self = date
    }

    /// Restores a date from the UTF-8 bytes of its ``dayText`` and its tail.
    ///
    /// The result is `nil` when the text is not of that exact form or the day does not exist.
    ///
    /// - Parameters:
    ///   - dayText: Exactly `YYYY-MM-DD`; read only during the call.
    ///   - tail: How the date prints.
    /// - Complexity: O(1); allocates nothing.
    public init?(dayText: UnsafeBufferPointer<UInt8>, tail: WrittenForm) {
        var reader = TemporalReader(dayText)
        guard let days = try? reader.date(), reader.isAtEnd else { return nil }
        self.init(daysSinceEpoch: days, tail: tail)
    }
}
