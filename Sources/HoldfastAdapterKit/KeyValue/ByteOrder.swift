#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Compares bytes as unsigned numbers.
func compareBytes(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Int32 {
    memcmp(left, right, count)
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes come before others: compared as unsigned numbers, a prefix first.
    public func precedes(_ other: [UInt8]) -> Bool {
        other.withUnsafeBytes { other in
            let count = Swift.min(self.count, other.count)
            guard count > 0, let left = baseAddress, let right = other.baseAddress else {
                return self.count < other.count
            }
            let order = compareBytes(left, right, count)
            return order != 0 ? order < 0 : self.count < other.count
        }
    }

    /// Whether the bytes begin with others.
    func starts(with prefix: [UInt8]) -> Bool {
        guard count >= prefix.count else { return false }
        return prefix.withUnsafeBytes { prefix in
            guard let left = baseAddress, let right = prefix.baseAddress else { return true }
            return compareBytes(left, right, prefix.count) == 0
        }
    }
}
