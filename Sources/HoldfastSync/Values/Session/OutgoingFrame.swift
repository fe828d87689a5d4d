/// What a client sends over a socket.
enum OutgoingFrame: Sendable, Hashable {
    /// The first frame.
    case connectionInit
    /// Begin a subscription.
    case start(SubscriptionID, model: String, SubscribedOperation, mode: Int)
    /// End a subscription that the service has not confirmed.
    case stop(SubscriptionID)
}

/// What a subscription delivers.
package enum SubscribedOperation: String, Sendable, Hashable, CaseIterable {
    case onCreate, onUpdate, onDelete
}
