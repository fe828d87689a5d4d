import HoldfastStorage

/// A record as a subscription delivered it.
struct RemoteChange<Content: Sendable>: Sendable {
    /// The record.
    var key: RecordKey
    /// The service's version.
    var version: Int64
    /// When the service changed it, in milliseconds.
    var lastChangedAt: Int64
    /// Whether it is a tombstone.
    var isDeleted: Bool
    /// The record's values, which the core passes on unread.
    var content: Content
    /// Whether it came with errors, other than about what the user may not read.
    var hasErrors = false
}

extension RemoteChange: Equatable where Content: Equatable {}
