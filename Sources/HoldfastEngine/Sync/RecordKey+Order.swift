import HoldfastStorage

extension [RecordKey] {
    /// The positions of the keys in ascending order of the keys; of equal keys the first comes first.
    var ascendingOrder: [Int] {
        // The first bytes of texts decide nearly always, and numbers are compared at once.
        var entries = enumerated().map { (head: $1.head, index: $0) }
        if entries.contains(where: { $0.head == nil }) {
            entries = indices.map { (0, $0) }
        } else if zip(entries, entries.dropFirst()).allSatisfy({ $0.head ?? 0 < $1.head ?? 0 }) {
            return entries.map(\.index)
        }
        entries.sort { left, right in
            if let first = left.head, let second = right.head, first != second { return first < second }
            switch ValueOrder.compareLists(self[left.index].components, self[right.index].components) {
            case .ascending: return true
            case .equal: return left.index < right.index
            case .descending: return false
            }
        }
        return entries.map(\.index)
    }
}

extension RecordKey {
    /// The first eight bytes of a key that begins with a text, as a number of the same order; `nil` for another key.
    ///
    /// A shorter text is filled with zeros, which no text contains.
    fileprivate var head: UInt64? {
        guard case .text(var text)? = components.first else { return nil }
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
            return bytes.reduce(0) { $0 << 8 | UInt64($1) } << (8 * UInt64(8 - bytes.count))
        }
    }
}
