import HoldfastStorage

/// The record of every benchmark: about 300 bytes in six fields.
struct Item: Sendable, Hashable {
    /// A UUID as text; the primary key.
    var id: String
    /// 30 bytes.
    var title: String
    /// 200 bytes.
    var content: String
    /// 0...5.
    var rating: Int
    /// One of ``ItemGenerator/statuses``.
    var status: String
    /// An instant with milliseconds, written in UTC.
    var createdAt: Timestamp
}

/// The question of the query benchmarks: items of one status created after a moment, oldest first.
struct ItemQuery: Sendable {
    /// The status asked for.
    var status: String
    /// Only items created later.
    var createdAfter: Timestamp
    /// The largest number.
    var limit: Int
}
