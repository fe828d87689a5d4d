public import HoldfastStorage

/// What a service says of one of its records.
public struct RemoteItem: Sendable, Hashable {
    /// The service's version; greater after each change.
    public var version: Int64
    /// When the service last changed the record, in milliseconds since 1970-01-01T00:00Z by its own clock.
    public var lastChangedAt: Int64
    /// Whether the record is a tombstone.
    public var isDeleted: Bool

    /// Creates what a service says of a record.
    public init(version: Int64, lastChangedAt: Int64, isDeleted: Bool = false) {
        self.version = version
        self.lastChangedAt = lastChangedAt
        self.isDeleted = isDeleted
    }
}

/// Records that a service sent, as rows of the store.
public struct RemoteItems: Sendable {
    /// The records, with the columns of the ``WireModel``; of a tombstone that lacks values only the key.
    public internal(set) var rows: RowBuffer
    /// What the service says of each row.
    public internal(set) var items: [RemoteItem] = []
    /// What cannot be a row.
    public internal(set) var faults: [RemoteFault] = []

    /// The number of rows.
    public var count: Int { items.count }
}

/// A record that a service sent and that cannot be a row of the store.
public struct RemoteFault: Sendable {
    /// The position of the record among those that were sent, counted from 0.
    public var index: Int
    /// What is wrong, with the place within the record.
    public var error: WireError
    /// The record as it was sent, so that it can be read again under another schema.
    public var json: String
    /// The record's key, if it is whole.
    public var key: RecordKey?
    /// What the service says of the record, if it is whole.
    public var item: RemoteItem?
}

extension RemoteFault: CustomStringConvertible {
    /// The place and what is wrong; no value.
    public var description: String { "record \(index): \(error)" }
}
