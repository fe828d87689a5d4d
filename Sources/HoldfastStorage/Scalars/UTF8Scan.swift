/// Searches in UTF-8 bytes, eight at a time.
@usableFromInline package enum UTF8Scan {
    @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }
    @inlinable static var highs: UInt64 { 0x8080_8080_8080_8080 }

    /// Whether a text contains U+0000.
    ///
    /// - Complexity: O(n) in bytes; allocates nothing.
    static func containsNUL(_ text: String) -> Bool {
        text.withBytes { bytes in
            let raw = UnsafeRawBufferPointer(bytes)
            var index = 0
            while index &+ 8 <= raw.count {
                let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                if (word &- ones) & ~word & highs != 0 { return true }
                index &+= 8
            }
            while index < raw.count {
                if raw[index] == 0 { return true }
                index &+= 1
            }
            return false
        }
    }

    /// Whether no byte has its high bit set.
    ///
    /// - Complexity: O(n) in bytes.
    @inlinable @inline(__always)
    package static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        var bits: UInt64 = 0
        var index = 0
        while index &+ 8 <= raw.count {
            bits |= raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index &+= 8
        }
        while index < raw.count {
            bits |= UInt64(raw[index])
            index &+= 1
        }
        return bits & highs == 0
    }

    /// How many bytes from `start` on are neither a quote, a backslash, nor a control character.
    ///
    /// - Complexity: O(n) in the bytes passed.
    @inlinable @inline(__always)
    package static func plainRun(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        var index = start
        while index &+ 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            // The high bit of a byte is set where it is zero after XOR (quote, backslash) or below 0x20. A borrow can
            // set a bit too many, but only above one that is rightly set: the lowest is always right.
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            let special =
                ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- ones &* 0x20) & ~word)
            let found = special & highs
            if found != 0 { return index &- start &+ found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < raw.count, raw[index] >= 0x20, raw[index] != 0x22, raw[index] != 0x5C { index &+= 1 }
        return index &- start
    }
}

extension String {
    /// The text of some bytes; `nil` if they are not UTF-8.
    ///
    /// `String(validating:as:)` takes several times as long.
    @inlinable @inline(__always)
    package init?(validUTF8 bytes: UnsafeBufferPointer<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        if !UTF8Scan.isASCII(bytes) && !isExactly(bytes) { return nil }
    }

    /// Whether the text has exactly these bytes, and is not a repair of them.
    @usableFromInline
    func isExactly(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        withBytes { ValueOrder.compareBytes(UnsafeRawBufferPointer($0), UnsafeRawBufferPointer(bytes)) == .equal }
    }

    /// Calls a closure with the UTF-8 bytes, without copying a text that is stored as such.
    @inlinable @inline(__always)
    package func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}
