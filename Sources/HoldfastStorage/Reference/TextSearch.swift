/// Looks for a text in another one, by bytes.
package enum TextSearch {
    package typealias Bytes = UnsafeBufferPointer<UInt8>

    /// Up to this many bytes, a text is looked for at each place in turn, which is fastest for almost all texts.
    private static let shortByteCount = 16

    /// Whether a text contains another one.
    ///
    /// - Complexity: O(*n* + *m*) in the lengths of the two texts. Clients of a service choose both, so a search that
    ///   takes time for their product would let a client keep it busy.
    package static func contains(_ text: Bytes, _ needle: Bytes) -> Bool {
        guard let first = needle.first else { return true }
        guard needle.count <= text.count else { return false }
        if needle.count > shortByteCount { return containsLong(text, needle) }
        for start in 0...(text.count - needle.count) where text[start] == first {
            if Bytes(rebasing: text[start...]).starts(with: needle) { return true }
        }
        return false
    }

    /// The search of Knuth, Morris, and Pratt: no byte of the text is looked at again once it has matched.
    private static func containsLong(_ text: Bytes, _ needle: Bytes) -> Bool {
        // For each position, the length of the longest proper prefix of the needle that ends there.
        var borders = [Int](repeating: 0, count: needle.count)
        var length = 0
        for position in 1..<needle.count {
            while length > 0 && needle[position] != needle[length] { length = borders[length - 1] }
            if needle[position] == needle[length] { length += 1 }
            borders[position] = length
        }
        length = 0
        for byte in text {
            while length > 0 && byte != needle[length] { length = borders[length - 1] }
            if byte == needle[length] { length += 1 }
            if length == needle.count { return true }
        }
        return false
    }
}
