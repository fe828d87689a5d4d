public import HoldfastModel

/// The decision of a conflict handler.
public enum DataStoreConflictHandlerResult: Sendable {
    /// The service's record replaces the local one.
    case applyRemote
    /// The local record is sent again.
    case retryLocal
    /// Another record is sent.
    case retry(any Model)
}
