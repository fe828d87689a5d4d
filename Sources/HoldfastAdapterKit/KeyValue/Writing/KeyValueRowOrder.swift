internal import HoldfastStorage

/// The order in which the rows of an operation are put: that of their keys.
///
/// Keys next to each other are found and written where the ones before were, which the processor still has in its
/// caches.
struct KeyValueRowOrder {
    /// The positions of the rows; equal keys as they came.
    let rows: [Int]
    /// Whether no two rows have the same key.
    let isStrict: Bool

    init(_ rows: RowBuffer, in table: KeyValueTable) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.rowCount * 40)
        var entries: [Entry] = []
        entries.reserveCapacity(rows.rowCount)
        for row in 0..<rows.rowCount {
            let start = bytes.count
            rows.withRow(row) { table.appendKeyComponents(ofRow: $0, to: &bytes) }
            entries.append(Entry(row: row, start: start, end: bytes.count, head: Self.head(of: bytes[start...])))
        }
        var isStrict = true
        bytes.withUnsafeBytes { bytes in
            func precedes(_ left: Entry, _ right: Entry) -> Bool {
                if left.head != right.head { return left.head < right.head }
                let order = Self.compare(bytes, left, right)
                return order != 0 ? order < 0 : left.row < right.row
            }
            entries.sort(by: precedes)
            for (left, right) in zip(entries, entries.dropFirst()) where left.head == right.head {
                if Self.compare(bytes, left, right) == 0 { isStrict = false }
            }
        }
        self.rows = entries.map(\.row)
        self.isStrict = isStrict
    }

    private struct Entry {
        var row: Int
        /// Where the key is among the bytes of all.
        var start: Int
        var end: Int
        /// The key's first eight bytes, in which most keys differ.
        var head: UInt64
    }

    private static func head(of key: ArraySlice<UInt8>) -> UInt64 {
        var head: UInt64 = 0
        for byte in key.prefix(8) { head = head << 8 | UInt64(byte) }
        return key.count < 8 ? head << (8 * (8 - UInt64(key.count))) : head
    }

    /// Negative, zero, or positive; no key is the beginning of another one.
    private static func compare(_ bytes: UnsafeRawBufferPointer, _ left: Entry, _ right: Entry) -> Int32 {
        guard let start = bytes.baseAddress else { return 0 }
        let count = min(left.end - left.start, right.end - right.start)
        return compareBytes(start + left.start, start + right.start, count)
    }
}
