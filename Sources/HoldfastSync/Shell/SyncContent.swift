package import HoldfastEngine
package import HoldfastStorage

/// Records of a model on their way between the service and the store.
package struct SyncContent: Sendable, Hashable {
    /// The model's name.
    package var model: String
    /// What the service says of records.
    package var records: [RemoteRecord] = []
    /// What the current models cannot hold.
    package var faults: [ShelfItem] = []
    /// What became of them in the store.
    package var changes: [ApplyReport.Change] = []
    /// The record before it was deleted, or as the mutation would have left it if the service no longer has a record.
    package var deletedRow: [Value]?
    /// The mutation that the service has answered with this.
    package var mutation: OutgoingMutation.ID?
}

extension SyncContent {
    /// How many records are stored in one commit.
    ///
    /// A save of the application waits for the commit in progress, about half a millisecond for this number of records.
    static var recordsPerCommit: Int { 32 }

    /// The records and faults in parts that are stored one after the other; one part at least.
    var parts: [SyncContent] {
        guard records.count > Self.recordsPerCommit else { return [self] }
        var parts = stride(from: 0, to: records.count, by: Self.recordsPerCommit).map { start in
            SyncContent(
                model: model, records: Array(records[start..<min(start + Self.recordsPerCommit, records.count)]))
        }
        parts[0].faults = faults
        return parts
    }
}
