extension WrittenForm {
    /// The tail as compact text: the number of fraction digits, then the offset if there is one.
    ///
    /// `3+01:00` is three digits and an offset of one hour, `0Z` no digits in UTC, `0` no digits and no offset. At most
    /// 10 bytes of ASCII. Adapters keep it beside the sortable text of a date or time.
    public var text: String {
        TemporalWriter.text { writer in
            writer.digit(UInt64(min(fractionDigits, 9)))
            writer.offset(offset)
        }
    }

    /// Restores a tail from its ``text``; `nil` when the text is malformed.
    public init?(text: String) {
        guard let tail = text.withBytes({ WrittenForm(text: $0) }) else { return nil }
        self = tail
    }

    /// Restores a tail from the UTF-8 bytes of its ``text``.
    ///
    /// The result is `nil` when the text is malformed.
    ///
    /// - Parameter text: One digit, then nothing, `Z` or `±hh:mm[:ss]` of less than 18 hours; read only during the
    ///   call.
    /// - Complexity: O(1); allocates nothing.
    public init?(text: UnsafeBufferPointer<UInt8>) {
        var reader = TemporalReader(text)
        guard let digits = try? reader.digit() else { return nil }
        let offset: Int32?
        do { offset = try reader.offset() } catch { return nil }
        guard reader.isAtEnd else { return nil }
        self.init(offset: offset, fractionDigits: digits)
    }
}
