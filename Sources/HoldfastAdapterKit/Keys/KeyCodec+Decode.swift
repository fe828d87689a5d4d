public import HoldfastStorage

extension KeyCodec {
    /// Decodes a key.
    ///
    /// - Parameters:
    ///   - key: Made by ``encode(_:directions:)``, or its end after whole components.
    ///   - directions: The directions it was encoded with; ascending where there is none.
    /// - Returns: The components. Dates and times have no offset. Timestamps have the offset `Z`. None has fraction
    ///   digits. A key does not contain how they were written.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.corruption` if the bytes are not a key.
    public static func decode(
        _ key: ArraySlice<UInt8>, directions: [SortKey.Direction] = []
    ) throws(StorageError) -> [Value] {
        var reader = KeyReader(rest: key)
        var components: [Value] = []
        while !reader.rest.isEmpty {
            let isDescending = components.count < directions.count && directions[components.count] == .descending
            reader.mask = isDescending ? 0xFF : 0
            components.append(try reader.value())
        }
        return components
    }

    /// Decodes a key given as an array.
    public static func decode(
        _ key: [UInt8], directions: [SortKey.Direction] = []
    ) throws(StorageError) -> [Value] {
        try decode(key[...], directions: directions)
    }

    /// The number of bytes that some components at the beginning of a key take.
    ///
    /// - Parameters:
    ///   - count: Components to skip; all of them ascending.
    ///   - key: At least this number of components.
    /// - Returns: The number of bytes before the next component.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.corruption` if the bytes are not a key, or are a key of fewer
    ///   components.
    public static func byteCount(ofFirst count: Int, in key: [UInt8]) throws(StorageError) -> Int {
        var reader = KeyReader(rest: key[...])
        for _ in 0..<count { _ = try reader.value() }
        return key.count - reader.rest.count
    }
}

/// Takes components off the front of a key.
private struct KeyReader {
    var rest: ArraySlice<UInt8>
    /// Complements the bytes of descending components.
    var mask: UInt8 = 0

    mutating func value() throws(StorageError) -> Value {
        try value(tag: try byte())
    }

    private mutating func value(tag: UInt8) throws(StorageError) -> Value {
        typealias Tag = KeyCodec.Tag
        switch tag {
        case Tag.null: return .null
        case Tag.false: return .boolean(false)
        case Tag.true: return .boolean(true)
        case Tag.integer: return .integer(try integer())
        case Tag.double:
            let bits = try number(UInt64.self)
            return .double(Double(bitPattern: bits >> 63 == 1 ? bits ^ 1 << 63 : ~bits))
        case Tag.text:
            guard let text = String(validating: try unescaped(), as: UTF8.self) else { throw Self.noKey }
            return .text(text)
        case Tag.bytes: return .bytes(try unescaped())
        case Tag.date: return .date(CalendarDate(daysSinceEpoch: try smallInteger()))
        case Tag.time:
            let tail = WrittenForm(offset: nil)
            return .time(ClockTime(nanosecondsSinceMidnight: try integer(), tail: tail))
        case Tag.timestamp:
            let tail = WrittenForm(offset: 0)
            return .timestamp(
                Timestamp(secondsSinceEpoch: try integer(), nanoseconds: try smallInteger(), tail: tail))
        case Tag.list:
            var elements: [Value] = []
            while true {
                let tag = try byte()
                if tag == 0 { return .list(elements) }
                elements.append(try value(tag: tag))
            }
        default: throw Self.noKey
        }
    }

    private mutating func byte() throws(StorageError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw Self.noKey }
        return byte ^ mask
    }

    private mutating func number<Number: FixedWidthInteger>(_: Number.Type) throws(StorageError) -> Number {
        var number: Number = 0
        for _ in 0..<Number.bitWidth / 8 { number = number << 8 | Number(try byte()) }
        return number
    }

    private mutating func integer() throws(StorageError) -> Int64 {
        Int64(bitPattern: try number(UInt64.self) ^ 1 << 63)
    }

    private mutating func smallInteger() throws(StorageError) -> Int32 {
        Int32(bitPattern: try number(UInt32.self) ^ 1 << 31)
    }

    private mutating func unescaped() throws(StorageError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let next = try byte()
            if next != 0 {
                bytes.append(next)
                continue
            }
            switch try byte() {
            case 0x01: return bytes
            case 0xFF: bytes.append(0)
            default: throw Self.noKey
            }
        }
    }

    private static var noKey: StorageError {
        StorageError(.corruption, "A stored key is damaged; restore the store from a copy.")
    }
}
