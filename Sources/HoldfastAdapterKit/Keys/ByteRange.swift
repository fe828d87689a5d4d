/// A half-open range of encoded keys, compared byte by byte as unsigned numbers, a prefix first.
public struct ByteRange: Sendable, Hashable {
    /// The first key inside, if it exists; empty for the very beginning.
    public var lower: [UInt8]
    /// The first key after the range; `nil` for no end.
    public var upper: [UInt8]?

    /// Every key.
    public static let all = ByteRange(from: [], to: nil)

    /// Creates a range.
    ///
    /// - Parameters:
    ///   - lower: The first key inside.
    ///   - upper: The first key after the range, or `nil` for no end.
    public init(from lower: [UInt8], to upper: [UInt8]?) {
        self.lower = lower
        self.upper = upper
    }

    /// Creates the range of all keys that begin with some bytes.
    public init(prefix: [UInt8]) {
        self.init(from: prefix, to: KeyCodec.successor(of: prefix))
    }

    /// Whether no key can lie in the range.
    public var isEmpty: Bool {
        guard let upper else { return false }
        return !lower.lexicographicallyPrecedes(upper)
    }

    /// Whether a key lies in the range.
    public func contains(_ key: [UInt8]) -> Bool {
        !key.lexicographicallyPrecedes(lower) && (upper.map { key.lexicographicallyPrecedes($0) } ?? true)
    }

    /// The keys that lie in both ranges.
    public func intersection(_ other: ByteRange) -> ByteRange {
        let lower = lower.lexicographicallyPrecedes(other.lower) ? other.lower : lower
        guard let upper, let otherUpper = other.upper else {
            return ByteRange(from: lower, to: upper ?? other.upper)
        }
        return ByteRange(from: lower, to: upper.lexicographicallyPrecedes(otherUpper) ? upper : otherUpper)
    }
}
