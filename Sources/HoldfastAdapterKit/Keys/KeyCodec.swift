public import HoldfastStorage

/// Encodes cells as bytes whose order is the order of the cells.
///
/// Compared as unsigned bytes, two encodings have the order that ``/HoldfastStorage/ValueOrder`` gives their components,
/// compared one after the other, each in its own direction. They are the same bytes exactly if all components are equal in
/// that order. No component's encoding is the beginning of another's. Therefore, keys that begin with some components are
/// exactly the byte strings that begin with the encoding of these, and `["a#b", "c"]` differs from `["a", "b#c"]`.
///
/// The format is permanent, since adapters store it. A component is a tag and a payload, big endian:
///
/// | kind | tag | payload |
/// |---|---|---|
/// | null | `01` | |
/// | boolean | `10` false, `11` true | |
/// | integer | `20` | 8 bytes, sign bit flipped |
/// | double | `21` | 8 bytes of IEEE 754, sign bit flipped if it is clear, all bits flipped if it is set |
/// | text | `30` | UTF-8 bytes, `00` as `00 FF`, ended by `00 01` |
/// | bytes | `40` | as text |
/// | date | `50` | days, 4 bytes, sign bit flipped |
/// | time | `60` | nanoseconds, 8 bytes, sign bit flipped |
/// | timestamp | `70` | seconds, 8 bytes, then nanoseconds, 4 bytes, sign bits flipped |
/// | list | `80` | the elements' encodings, ended by `00` |
///
/// All bytes of a descending component are complemented. How a date or time was written
/// (``/HoldfastStorage/WrittenForm``) is not part of the order, so it is not encoded. An integer and a double, which
/// never meet in one field, are ordered by kind and not by number.
public enum KeyCodec {
    enum Tag {
        static let null: UInt8 = 0x01
        static let `false`: UInt8 = 0x10
        static let `true`: UInt8 = 0x11
        static let integer: UInt8 = 0x20
        static let double: UInt8 = 0x21
        static let text: UInt8 = 0x30
        static let bytes: UInt8 = 0x40
        static let date: UInt8 = 0x50
        static let time: UInt8 = 0x60
        static let timestamp: UInt8 = 0x70
        static let list: UInt8 = 0x80
    }

    /// Ends the elements of a list.
    static let endOfList: UInt8 = 0

    /// Encodes components.
    ///
    /// - Parameters:
    ///   - components: Any number of cells.
    ///   - directions: The direction of each component; ascending where there is none.
    /// - Returns: The key; empty for no components.
    /// - Complexity: O(n) in the bytes of the components.
    public static func encode(_ components: [Value], directions: [SortKey.Direction] = []) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(components.count * 16)
        for (index, component) in components.enumerated() {
            append(component, index < directions.count ? directions[index] : .ascending, to: &key)
        }
        return key
    }

    /// Appends the encoding of one component to a key.
    public static func append(
        _ component: Value, _ direction: SortKey.Direction = .ascending, to key: inout [UInt8]
    ) {
        let start = key.count
        appendAscending(component, to: &key)
        if direction == .descending {
            for index in start..<key.count { key[index] = ~key[index] }
        }
    }

    /// Appends what the encodings of all texts that begin with a text have in common: its own without the end.
    public static func appendTextPrefix(_ text: String, to key: inout [UInt8]) {
        var text = text
        key.append(Tag.text)
        text.withUTF8 { appendEscaped(UnsafeRawBufferPointer($0), to: &key) }
    }

    /// The range of the encoded keys that lie in a range of keys, all components ascending.
    ///
    /// - Parameter range: Its entity plays no part.
    /// - Returns: A range that contains the encoding of a whole key exactly if `range` contains the key.
    public static func bounds(of range: KeyRange) -> ByteRange {
        let lower: [UInt8] =
            switch range.lower {
            case .unbounded: []
            case .included(let prefix): encode(prefix)
            case .excluded(let prefix): successor(of: encode(prefix)) ?? [0xFF]  // No key begins with FF.
            }
        let upper: [UInt8]? =
            switch range.upper {
            case .unbounded: nil
            case .included(let prefix): successor(of: encode(prefix))
            case .excluded(let prefix): encode(prefix)
            }
        return ByteRange(from: lower, to: upper)
    }

    /// The smallest byte string after all that begin with a prefix, or `nil` if there is none.
    public static func successor(of prefix: [UInt8]) -> [UInt8]? {
        guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return nil }
        var result = Array(prefix[...last])
        result[last] += 1
        return result
    }

    private static func appendAscending(_ component: Value, to key: inout [UInt8]) {
        switch component {
        case .null: key.append(Tag.null)
        case .boolean(let value): key.append(value ? Tag.true : Tag.false)
        case .integer(let value):
            key.append(Tag.integer)
            append(value, to: &key)
        case .double(let value):
            key.append(Tag.double)
            let bits = (value == 0 ? 0.0 : value).bitPattern
            append(bits >> 63 == 0 ? bits | 1 << 63 : ~bits, to: &key)
        case .text(var value):
            key.append(Tag.text)
            value.withUTF8 { appendEscaped(UnsafeRawBufferPointer($0), to: &key) }
            appendEnd(to: &key)
        case .bytes(let value):
            key.append(Tag.bytes)
            value.withUnsafeBytes { appendEscaped($0, to: &key) }
            appendEnd(to: &key)
        case .date(let value):
            key.append(Tag.date)
            append(UInt32(bitPattern: value.daysSinceEpoch) ^ 1 << 31, to: &key)
        case .time(let value):
            key.append(Tag.time)
            append(value.nanosecondsSinceMidnight, to: &key)
        case .timestamp(let value):
            key.append(Tag.timestamp)
            append(value.secondsSinceEpoch, to: &key)
            append(UInt32(bitPattern: value.nanoseconds) ^ 1 << 31, to: &key)
        case .list(let elements):
            key.append(Tag.list)
            for element in elements { appendAscending(element, to: &key) }
            key.append(endOfList)
        }
    }

    private static func append(_ value: Int64, to key: inout [UInt8]) {
        append(UInt64(bitPattern: value) ^ 1 << 63, to: &key)
    }

    private static func append(_ value: some FixedWidthInteger, to key: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { key.append(contentsOf: $0) }
    }

    private static func appendEscaped(_ bytes: UnsafeRawBufferPointer, to key: inout [UInt8]) {
        var start = 0
        for index in bytes.indices where bytes[index] == 0 {
            key.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start...index]))
            key.append(0xFF)
            start = index + 1
        }
        key.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start...]))
    }

    private static func appendEnd(to key: inout [UInt8]) {
        key.append(0)
        key.append(1)
    }
}
