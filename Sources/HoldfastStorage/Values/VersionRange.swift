/// The records of one entity that a range of commits last wrote.
public struct VersionRange: Sendable, Hashable {
    /// The entity.
    public var entity: String
    /// Records of this version and of earlier ones are outside.
    public var after: UInt64
    /// Records of later versions than this are outside; those of this one are inside.
    ///
    /// For what a snapshot sees, pass ``StoreSnapshot/sequence``.
    public var through: UInt64
    /// Only records after this place; `nil` to begin at the beginning.
    public var cursor: VersionCursor?
    /// The largest number of records; `nil` for all.
    public var limit: Int?

    /// Creates a range; all records by default.
    public init(
        _ entity: String, after: UInt64 = 0, through: UInt64 = .max, cursor: VersionCursor? = nil, limit: Int? = nil
    ) {
        self.entity = entity
        self.after = after
        self.through = through
        self.cursor = cursor
        self.limit = limit
    }
}

/// A place in a scan by version: just after one record.
///
/// Pages by cursor of one snapshot neither overlap nor skip. In a later snapshot a record that was written meanwhile
/// comes again, under its new version, and one that was deleted no longer comes.
public struct VersionCursor: Sendable, Hashable {
    /// The record's version.
    public var version: UInt64
    /// The record's key.
    public var key: RecordKey

    /// Creates a cursor.
    public init(version: UInt64, key: RecordKey) {
        self.version = version
        self.key = key
    }
}
