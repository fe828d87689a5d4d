import HoldfastStorage

/// A record as it is stored.
struct StoredRecord: Sendable {
    /// All cells.
    var row: [Value]
    /// The sequence of the commit that wrote it; not the version that clients see.
    var version: UInt64
}
