public import HoldfastModel

/// The matching records at one moment.
public struct DataStoreQuerySnapshot<M: Model>: Sendable {
    /// The records, in the query's order.
    public let items: [M]
    /// Whether the model's records are synchronized with the service.
    public let isSynced: Bool

    /// Creates a snapshot.
    public init(items: [M], isSynced: Bool) {
        self.items = items
        self.isSynced = isSynced
    }
}
