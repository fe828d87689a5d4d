package import HoldfastEngine

/// Records of a model on their way between the service and the store.
package struct SyncContent: Sendable, Hashable {
    /// The model's name.
    package var model: String
    /// What the service says of records.
    package var records: [RemoteRecord] = []
    /// What the models at hand cannot hold.
    package var faults: [ShelfItem] = []
    /// What became of them in the store.
    package var changes: [ApplyReport.Change] = []
}
