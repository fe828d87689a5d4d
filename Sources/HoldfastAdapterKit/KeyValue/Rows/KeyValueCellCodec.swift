internal import HoldfastStorage

/// Cells as bytes; the format is permanent, and `Adapters/LevelDB/README.md` describes it.
package enum KeyValueCellCodec {
    enum Tag {
        static let null: UInt8 = 0
        static let `false`: UInt8 = 1
        static let `true`: UInt8 = 2
        static let integer: UInt8 = 3
        static let double: UInt8 = 4
        static let text: UInt8 = 5
        static let bytes: UInt8 = 6
        static let date: UInt8 = 7
        static let time: UInt8 = 8
        static let timestamp: UInt8 = 9
        static let list: UInt8 = 10
        /// A text that the record's key has as a component.
        static let keyText: UInt8 = 11
    }

    /// Appends a cell.
    static func append(_ value: Value, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(Tag.null)
        case .boolean(let value): bytes.append(value ? Tag.true : Tag.false)
        case .integer(let value):
            bytes.append(Tag.integer)
            append(signed: value, to: &bytes)
        case .double(let value):
            bytes.append(Tag.double)
            append(fixed: value.bitPattern, to: &bytes)
        case .text(var value):
            bytes.append(Tag.text)
            value.withUTF8 { append($0, to: &bytes) }
        case .bytes(let value):
            bytes.append(Tag.bytes)
            value.withUnsafeBufferPointer { append($0, to: &bytes) }
        case .date(let value):
            bytes.append(Tag.date)
            append(signed: Int64(value.daysSinceEpoch), to: &bytes)
            append(value.tail, to: &bytes)
        case .time(let value):
            bytes.append(Tag.time)
            append(signed: value.nanosecondsSinceMidnight, to: &bytes)
            append(value.tail, to: &bytes)
        case .timestamp(let value):
            bytes.append(Tag.timestamp)
            append(signed: value.secondsSinceEpoch, to: &bytes)
            append(unsigned: UInt64(value.nanoseconds), to: &bytes)
            append(value.tail, to: &bytes)
        case .list(let elements):
            bytes.append(Tag.list)
            append(unsigned: UInt64(elements.count), to: &bytes)
            for element in elements { append(element, to: &bytes) }
        }
    }

    /// Appends a cell of a record's key, which has its text.
    static func append(inKey value: Value, to bytes: inout [UInt8]) {
        if case .text = value { bytes.append(Tag.keyText) } else { append(value, to: &bytes) }
    }

    /// Appends a number of 8 bytes, little endian.
    static func append(fixed value: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends a number seven bits at a time, the low ones first; the high bit of a byte says that more follow.
    package static func append(unsigned value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Appends a number that may be negative; those near 0 take least.
    private static func append(signed value: Int64, to bytes: inout [UInt8]) {
        append(unsigned: UInt64(bitPattern: value << 1 ^ value >> 63), to: &bytes)
    }

    private static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        append(unsigned: UInt64(text.count), to: &bytes)
        bytes.append(contentsOf: text)
    }

    /// Digits and offset in one number; the offset is 0 for none and otherwise its position among all offsets, from 1.
    private static func append(_ tail: WrittenForm, to bytes: inout [UInt8]) {
        let offset = tail.offset.map { UInt64(bitPattern: Int64($0 << 1 ^ $0 >> 31)) + 1 } ?? 0
        append(unsigned: offset << 4 | UInt64(tail.fractionDigits), to: &bytes)
    }
}
