/// An encoded key, compared byte by byte as unsigned numbers, a prefix first.
///
/// The first eight bytes are kept beside the array, so that most comparisons touch no other memory.
struct TreeKey: Sendable {
    let bytes: [UInt8]
    private let head: UInt64

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        head = bytes.withUnsafeBytes { bytes in
            if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
            var head: UInt64 = 0
            for index in 0..<bytes.count { head |= UInt64(bytes[index]) << UInt64(56 - 8 * index) }
            return head
        }
    }

    func hasPrefix(_ prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }
}

extension TreeKey: Comparable {
    @inline(__always)
    static func == (left: TreeKey, right: TreeKey) -> Bool {
        left.head == right.head && left.compareTail(right) == 0
    }

    @inline(__always)
    static func < (left: TreeKey, right: TreeKey) -> Bool {
        left.head == right.head ? left.compareTail(right) < 0 : left.head < right.head
    }

    /// Compares two keys with equal heads: negative if the left one comes first.
    private func compareTail(_ other: TreeKey) -> Int {
        bytes.withUnsafeBytes { left in
            other.bytes.withUnsafeBytes { right in
                let count = min(left.count, right.count)
                var offset = 8
                while offset + 8 <= count {
                    let leftWord = UInt64(bigEndian: left.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                    let rightWord = UInt64(bigEndian: right.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                    if leftWord != rightWord { return leftWord < rightWord ? -1 : 1 }
                    offset += 8
                }
                while offset < count {
                    if left[offset] != right[offset] { return left[offset] < right[offset] ? -1 : 1 }
                    offset += 1
                }
                return left.count - right.count
            }
        }
    }
}
