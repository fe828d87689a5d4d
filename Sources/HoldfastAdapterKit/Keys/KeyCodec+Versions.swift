public import HoldfastStorage

extension KeyCodec {
    /// The bytes of an encoded version.
    static let versionByteCount = 9

    /// Appends a version, the first component of an entry in the order by version; the primary key follows.
    public static func append(version: UInt64, to key: inout [UInt8]) {
        append(.integer(Int64(clamping: version)), to: &key)
    }

    /// The ranges, one or none, of the encoded versions and keys that lie in a range of versions, after its cursor.
    public static func bounds(of range: BoundVersionRange) -> [ByteRange] {
        var lower: [UInt8] = []
        append(version: range.cursor?.version ?? range.after, to: &lower)
        if let cursor = range.cursor { lower += encode(cursor.key.components) }
        var upper: [UInt8] = []
        append(version: range.through, to: &upper)
        let bounds = ByteRange(from: successor(of: lower) ?? [0xFF], to: successor(of: upper))
        return bounds.isEmpty ? [] : [bounds]
    }
}
