package import HoldfastStorage

/// Takes cells off the front of bytes that ``KeyValueCellCodec`` wrote.
package struct KeyValueCellReader {
    private var position: UnsafeRawPointer
    private let end: UnsafeRawPointer
    /// Nesting that no list which was accepted has.
    private static let maximumDepth = 64

    /// Where no bytes are; never read.
    nonisolated(unsafe) private static let nowhere =
        UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

    @inline(__always)
    package init(_ bytes: UnsafeRawBufferPointer) {
        position = bytes.baseAddress ?? Self.nowhere
        end = position + bytes.count
    }

    @inline(__always) package var isAtEnd: Bool { position == end }
    @inline(__always) private var restCount: Int { end - position }

    /// Skips the next cell if it is a text that the record's key has; says whether it is.
    @inline(__always)
    mutating func skipKeyText() -> Bool {
        guard position < end, position.load(as: UInt8.self) == KeyValueCellCodec.Tag.keyText else { return false }
        position += 1
        return true
    }

    /// The next cell.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.corruption`.
    mutating func value(depth: Int = 0) throws(StorageError) -> Value {
        typealias Tag = KeyValueCellCodec.Tag
        switch try byte() {
        case Tag.null: return .null
        case Tag.false: return .boolean(false)
        case Tag.true: return .boolean(true)
        case Tag.integer: return .integer(try signed())
        case Tag.double: return .double(Double(bitPattern: try fixed()))
        case Tag.text:
            return .text(try text())
        case Tag.bytes: return .bytes(Array(try bytes()))
        case Tag.date:
            let days = try signed()
            return .date(CalendarDate(daysSinceEpoch: Int32(clamping: days), tail: try tail()))
        case Tag.time:
            let nanoseconds = try signed()
            return .time(ClockTime(nanosecondsSinceMidnight: nanoseconds, tail: try tail()))
        case Tag.timestamp:
            let seconds = try signed()
            let nanoseconds = Int32(clamping: try unsigned())
            return .timestamp(
                Timestamp(secondsSinceEpoch: seconds, nanoseconds: nanoseconds, tail: try tail()))
        case Tag.list:
            let count = try unsigned()
            guard count <= UInt64(restCount), depth < Self.maximumDepth else { throw .damagedRecord() }
            var elements: [Value] = []
            elements.reserveCapacity(Int(count))
            for _ in 0..<count { elements.append(try value(depth: depth + 1)) }
            return .list(elements)
        default: throw .damagedRecord()
        }
    }

    /// Skips the next cell, whose text is not looked at.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.corruption`.
    mutating func skipValue(depth: Int = 0) throws(StorageError) {
        typealias Tag = KeyValueCellCodec.Tag
        switch try byte() {
        case Tag.null, Tag.false, Tag.true, Tag.keyText: return
        case Tag.integer: _ = try unsigned()
        case Tag.double: _ = try fixed()
        case Tag.text, Tag.bytes: _ = try bytes()
        case Tag.date, Tag.time:
            _ = try unsigned()
            _ = try tail()
        case Tag.timestamp:
            for _ in 0..<2 { _ = try unsigned() }
            _ = try tail()
        case Tag.list:
            let count = try unsigned()
            guard count <= UInt64(restCount), depth < Self.maximumDepth else { throw .damagedRecord() }
            for _ in 0..<count { try skipValue(depth: depth + 1) }
        default: throw .damagedRecord()
        }
    }

    /// Skips bytes.
    package mutating func skip(_ count: UInt64) throws(StorageError) {
        guard count <= UInt64(restCount) else { throw .damagedRecord() }
        position += Int(count)
    }

    /// The next number of 8 bytes.
    package mutating func fixed() throws(StorageError) -> UInt64 {
        guard restCount >= 8 else { throw .damagedRecord() }
        defer { position += 8 }
        return UInt64(littleEndian: position.loadUnaligned(as: UInt64.self))
    }

    /// The next number of a length that depends on it.
    @inline(__always)
    package mutating func unsigned() throws(StorageError) -> UInt64 {
        let first = try byte()
        return first < 0x80 ? UInt64(first) : try unsigned(after: first)
    }

    private mutating func unsigned(after first: UInt8) throws(StorageError) -> UInt64 {
        var result = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while shift < 64 {
            let next = try byte()
            result |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return result }
            shift += 7
        }
        throw .damagedRecord()
    }

    @inline(__always)
    private mutating func byte() throws(StorageError) -> UInt8 {
        guard position < end else { throw .damagedRecord() }
        defer { position += 1 }
        return position.load(as: UInt8.self)
    }

    private mutating func signed() throws(StorageError) -> Int64 {
        let packed = try unsigned()
        return Int64(bitPattern: packed >> 1) ^ -Int64(bitPattern: packed & 1)
    }

    @inline(__always)
    private mutating func bytes() throws(StorageError) -> UnsafeBufferPointer<UInt8> {
        let count = try unsigned()
        guard count <= UInt64(restCount) else { throw .damagedRecord() }
        defer { position += Int(count) }
        return UnsafeBufferPointer(start: position.assumingMemoryBound(to: UInt8.self), count: Int(count))
    }

    @inline(__always)
    private mutating func text() throws(StorageError) -> String { try Self.text(try bytes()) }

    /// Bytes as a text.
    @inline(__always)
    static func text(_ bytes: UnsafeBufferPointer<UInt8>) throws(StorageError) -> String {
        guard let text = String(validUTF8: bytes) else { throw .damagedRecord() }
        return text
    }

    private mutating func tail() throws(StorageError) -> WrittenForm {
        let packed = try unsigned()
        let digits = Int(packed & 0x0F)
        var offset: Int32?
        if packed >> 4 > 0 {
            let encoded = Int64(clamping: (packed >> 4) - 1)
            offset = Int32(clamping: (encoded >> 1) ^ -(encoded & 1))
        }
        guard digits <= 9, abs(Int64(offset ?? 0)) < 64_800 else { throw .damagedRecord() }
        return WrittenForm(offset: offset, fractionDigits: digits)
    }
}

extension StorageError {
    static func damagedRecord() -> StorageError {
        StorageError(.corruption, "A stored record is damaged; restore the store from a copy, or repair it.")
    }
}
