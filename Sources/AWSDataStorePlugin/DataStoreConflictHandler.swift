public import HoldfastModel

/// Called with what goes wrong in the background.
public typealias DataStoreErrorHandler = @Sendable (any AmplifyError) -> Void

/// Decides what becomes of a change that the service refused because the record has changed there.
public typealias DataStoreConflictHandler =
    @Sendable (DataStoreConflictData, @escaping DataStoreConflictHandlerResolver) -> Void

/// Takes the decision of a conflict handler; call it once.
public typealias DataStoreConflictHandlerResolver = @Sendable (DataStoreConflictHandlerResult) -> Void

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

/// The decision of a conflict handler.
public enum DataStoreConflictHandlerResult: Sendable {
    /// The service's record replaces the local one.
    case applyRemote
    /// The local record is sent again.
    case retryLocal
    /// Another record is sent.
    case retry(any Model)
}
