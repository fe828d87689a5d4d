/// What a client sends over a socket.
enum OutgoingFrame: Sendable, Hashable {
    /// The first frame.
    case connectionInit
    /// Begin a subscription.
    case start(SubscriptionID, model: String, SubscribedOperation, mode: Int)
}

/// What a subscription delivers.
package enum SubscribedOperation: String, Sendable, Hashable, CaseIterable {
    case onCreate, onUpdate, onDelete
}
