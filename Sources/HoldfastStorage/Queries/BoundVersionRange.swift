/// A range of versions checked against its schema.
///
/// Made by ``StorageSchema/bind(_:limits:)->BoundVersionRange`` only, so that an adapter never meets an invalid one.
public struct BoundVersionRange: Sendable, Hashable {
    /// The entity asked about.
    public let entity: EntitySchema
    /// Records of this version and of earlier ones are outside.
    public let after: UInt64
    /// Records of later versions than this are outside.
    public let through: UInt64
    /// Only records after this place, whose version is greater than ``after``.
    public let cursor: VersionCursor?
    /// The largest number of records; 0 or more.
    public let limit: Int?

    /// Whether a record lies in the range and after the cursor.
    ///
    /// - Parameters:
    ///   - row: All cells of a record of the entity.
    ///   - version: Its version.
    /// - Returns: `true` if the version is in the range and the record comes after the cursor by version, then
    ///   by key; without a cursor the version decides alone.
    public func contains(_ row: UnsafeBufferPointer<Value>, version: UInt64) -> Bool {
        guard version > after, version <= through else { return false }
        guard let cursor, version <= cursor.version else { return true }
        if version < cursor.version { return false }
        for (position, value) in zip(entity.primaryKeyPositions, cursor.key.components) {
            let ordering = ValueOrder.compare(row[position], value)
            if ordering != .equal { return ordering == .descending }
        }
        return false
    }
}

extension StorageSchema {
    /// Checks a range of versions.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch` for an unknown entity or a cursor of another key;
    ///   `.unrepresentable` or `.limitExceeded` for a cursor with a key that the entity cannot have; `.misuse` for a
    ///   negative limit.
    public func bind(
        _ range: VersionRange, limits: Capabilities.Limits = Capabilities.Limits()
    ) throws(StorageError) -> BoundVersionRange {
        let entity = try entity(named: range.entity)
        if let limit = range.limit, limit < 0 {
            throw StorageError(.misuse, "The limit is negative; 0 is the smallest, and nil means no limit.")
        }
        var cursor = range.cursor
        if let given = cursor {
            cursor?.key = try entity.canonical(given.key, limits: limits)
            // Everything in the range comes after it.
            if given.version <= range.after { cursor = nil }
        }
        return BoundVersionRange(
            entity: entity, after: range.after, through: range.through, cursor: cursor, limit: range.limit)
    }
}
