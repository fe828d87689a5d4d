package import HoldfastEngine

/// What went wrong, for the error handler and the status.
package enum SyncReport: Sendable, Hashable {
    /// The store failed.
    case store(StoreFailure)
    /// The session ended until the application starts it again.
    case refused(SessionRefusal)
    /// The socket failed, and will be opened again.
    case socket(ServiceFailure?, retry: Duration)
    /// A subscription failed. Its model is still read by queries.
    case subscription(model: String, SubscribedOperation, ServiceFailure?)
    /// A change from a subscription could not be read. A delta query will bring it. Without a model it is not known what
    /// it was about.
    case unreadable(model: String?, String)
    /// A model could not be read; `nil` means that it is not tried again.
    case model(String, ServiceFailure, retry: Duration?)
    /// A model has more records than ``SyncSettings/syncMaxRecords``.
    case truncated(model: String)
    /// A page came with errors. Nothing is removed on its account.
    case incompletePage(model: String)
    /// Records are not kept, since the store cannot keep their keys.
    case unkept(model: String, count: Int)
    /// A mutation will be tried again.
    case mutation(OutgoingMutation.ID, ServiceFailure, retry: Duration)
    /// A mutation became a dead letter.
    case dead(OutgoingMutation.ID, DeadReason)
}
