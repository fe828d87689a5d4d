package import HoldfastEngine
package import HoldfastStorage

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
    /// The record as it was, if a mutation deleted it.
    package var deletedRow: [Value]?
}
