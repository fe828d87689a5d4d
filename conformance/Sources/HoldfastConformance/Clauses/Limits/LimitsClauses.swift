import HoldfastStorage

extension Clause {
    /// Declared limits, large values, large results.
    static let limits: [Clause] = declaredLimits + sizes + limitsOfCounts
}

extension EntitySchema {
    /// `Item(id, number, data)` with an integer key.
    static let items = EntitySchema(
        "Item", fields: [FieldSchema("id", .int), FieldSchema("number", .int), FieldSchema("data", .bytes)])
}

/// Bytes and rows that checks share.
enum SampleSize {
    /// Bytes whose every part differs from every other, so that a cut or a repeated page is seen.
    static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            for index in 0..<count {
                buffer[index] = UInt8(truncatingIfNeeded: index ^ (index >> 8) &* 31 ^ (index >> 16) &* 7)
            }
            initialized = count
        }
    }

    /// Items `0..<count`, their numbers descending.
    static func items(_ range: Range<Int>) -> [[Value]] {
        range.map { [.integer(Int64($0)), .integer(Int64(-$0)), .null] }
    }
}
