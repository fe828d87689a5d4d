public import HoldfastModel

/// A record as it is here and at the service.
public struct DataStoreConflictData: Sendable {
    /// The record as it is here.
    public let local: any Model
    /// The record as it is at the service.
    public let remote: any Model

    /// Creates the data of a conflict.
    public init(local: any Model, remote: any Model) {
        self.local = local
        self.remote = remote
    }
}
