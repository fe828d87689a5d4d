import HoldfastAdapterKit
import HoldfastStorage

/// Cells as bytes: a tag and a payload each, numbers big endian, lengths 4 bytes.
///
/// Keys are encoded by `KeyCodec`, which keeps their order but not how a date or time was written; rows keep everything.
///
/// | kind | tag | payload |
/// |---|---|---|
/// | null, false, true | 0, 1, 2 | |
/// | integer, double | 3, 4 | 8 bytes |
/// | text, bytes | 5, 6 | length, bytes |
/// | date, time, timestamp | 7, 8, 9 | 4, 8, 8 + 4 bytes; a tail |
/// | list | 10 | number of elements, elements |
///
/// A tail is the number of fraction digits, plus 16 if an offset of 4 bytes follows.
enum LMDBRowCodec {
    static func append(_ value: Value, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(0)
        case .boolean(let value): bytes.append(value ? 2 : 1)
        case .integer(let value):
            bytes.append(3)
            append(value, to: &bytes)
        case .double(let value):
            bytes.append(4)
            append(value.bitPattern, to: &bytes)
        case .text(let value):
            bytes.append(5)
            append(UInt32(value.utf8.count), to: &bytes)
            bytes.append(contentsOf: value.utf8)
        case .bytes(let value):
            bytes.append(6)
            append(UInt32(value.count), to: &bytes)
            bytes.append(contentsOf: value)
        case .date(let value):
            bytes.append(7)
            append(value.daysSinceEpoch, to: &bytes)
            append(value.tail, to: &bytes)
        case .time(let value):
            bytes.append(8)
            append(value.nanosecondsSinceMidnight, to: &bytes)
            append(value.tail, to: &bytes)
        case .timestamp(let value):
            bytes.append(9)
            append(value.secondsSinceEpoch, to: &bytes)
            append(value.nanoseconds, to: &bytes)
            append(value.tail, to: &bytes)
        case .list(let elements):
            bytes.append(10)
            append(UInt32(elements.count), to: &bytes)
            for element in elements { append(element, to: &bytes) }
        }
    }

    static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(_ tail: WrittenForm, to bytes: inout [UInt8]) {
        bytes.append(UInt8(tail.fractionDigits) | (tail.offset == nil ? 0 : 16))
        if let offset = tail.offset { append(offset, to: &bytes) }
    }
}

/// Takes cells off the front of bytes that may be damaged.
struct LMDBRowReader {
    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func value() throws(StorageError) -> Value {
        switch try integer(UInt8.self) {
        case 0: return .null
        case 1: return .boolean(false)
        case 2: return .boolean(true)
        case 3: return .integer(try integer())
        case 4: return .double(Double(bitPattern: try integer()))
        case 5:
            guard let text = String(validating: try bytes(), as: UTF8.self) else { throw StorageError.damaged }
            return .text(text)
        case 6: return .bytes(Array(try bytes()))
        case 7: return .date(CalendarDate(daysSinceEpoch: try integer(), tail: try tail()))
        case 8: return .time(ClockTime(nanosecondsSinceMidnight: try integer(), tail: try tail()))
        case 9:
            return .timestamp(
                Timestamp(secondsSinceEpoch: try integer(), nanoseconds: try integer(), tail: try tail()))
        case 10:
            let count = Int(try integer(UInt32.self))
            guard count <= rest.count else { throw StorageError.damaged }
            var elements: [Value] = []
            elements.reserveCapacity(count)
            for _ in 0..<count { elements.append(try value()) }
            return .list(elements)
        default: throw StorageError.damaged
        }
    }

    mutating func integer<Integer: FixedWidthInteger>(_: Integer.Type = Integer.self) throws(StorageError) -> Integer {
        let size = MemoryLayout<Integer>.size
        guard rest.count >= size else { throw StorageError.damaged }
        let value = UnsafeRawBufferPointer(rebasing: rest.prefix(size)).loadUnaligned(as: Integer.self)
        rest = rest.dropFirst(size)
        return Integer(bigEndian: value)
    }

    private mutating func bytes() throws(StorageError) -> Slice<UnsafeRawBufferPointer> {
        let count = Int(try integer(UInt32.self))
        guard count <= rest.count else { throw StorageError.damaged }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private mutating func tail() throws(StorageError) -> WrittenForm {
        let head = try integer(UInt8.self)
        let offset = head >= 16 ? try integer(Int32.self) : nil
        guard head < 32, head % 16 <= 9, abs(Int(offset ?? 0)) < 64_800 else { throw StorageError.damaged }
        return WrittenForm(offset: offset, fractionDigits: Int(head % 16))
    }
}
