import HoldfastStorage

/// Items as bytes, in the plainest way: texts with their lengths in 4 bytes, numbers in 8.
enum RawLevelDBItem {
    /// Writes a value: a version and all fields but the id, which is the key.
    @inline(__always)
    static func write(_ item: Item, version: UInt64, to bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        append(version, to: &bytes)
        append(item.id, to: &bytes)
        append(item.title, to: &bytes)
        append(item.content, to: &bytes)
        append(UInt64(bitPattern: Int64(item.rating)), to: &bytes)
        append(item.status, to: &bytes)
        append(UInt64(bitPattern: item.createdAt.secondsSinceEpoch), to: &bytes)
        append(UInt64(item.createdAt.nanoseconds), to: &bytes)
        append(UInt64(item.createdAt.tail.fractionDigits), to: &bytes)
    }

    /// The item of a value.
    @inline(__always)
    static func read(_ bytes: UnsafeRawBufferPointer) -> Item {
        var offset = 8
        let id = text(bytes, &offset)
        let title = text(bytes, &offset)
        let content = text(bytes, &offset)
        let rating = number(bytes, &offset)
        let status = text(bytes, &offset)
        let seconds = number(bytes, &offset)
        let nanoseconds = number(bytes, &offset)
        let digits = number(bytes, &offset)
        return Item(
            id: id, title: title, content: content, rating: Int(Int64(bitPattern: rating)), status: status,
            createdAt: Timestamp(
                secondsSinceEpoch: Int64(bitPattern: seconds), nanoseconds: Int32(nanoseconds),
                tail: WrittenForm(offset: 0, fractionDigits: Int(digits))))
    }

    /// The key of a record.
    @inline(__always)
    static func key(_ id: String) -> [UInt8] { Array("r".utf8) + id.utf8 }

    /// With what the index entries of a status begin.
    static func indexPrefix(_ status: String) -> [UInt8] { Array("s\(status)\0".utf8) }

    /// The index entries of a status from a moment on.
    static func indexKey(_ status: String, _ moment: Timestamp, id: String = "") -> [UInt8] {
        var key = indexPrefix(status)
        withUnsafeBytes(of: (UInt64(bitPattern: moment.secondsSinceEpoch) ^ 1 << 63).bigEndian) {
            key.append(contentsOf: $0)
        }
        withUnsafeBytes(of: moment.nanoseconds.bigEndian) { key.append(contentsOf: $0) }
        key.append(contentsOf: id.utf8)
        return key
    }

    /// The bytes of an index key after the status, before the id.
    static let momentByteCount = 12

    @inline(__always)
    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    @inline(__always)
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { utf8 in
            withUnsafeBytes(of: UInt32(utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: utf8)
        }
    }

    @inline(__always)
    private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt64 {
        defer { offset += 8 }
        return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private static func text(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> String {
        let count = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        offset += 4 + count
        return String(decoding: bytes[(offset - count)..<offset], as: UTF8.self)
    }
}
