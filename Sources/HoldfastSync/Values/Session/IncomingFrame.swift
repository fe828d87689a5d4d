/// What a service sends over a socket.
enum IncomingFrame<Content: Sendable>: Sendable {
    /// The socket is ready; without a frame for so long it is lost.
    case connectionAck(timeout: Duration)
    /// The socket is refused.
    case connectionError(ServiceFailure)
    /// A sign of life.
    case keepAlive
    /// A subscription is active.
    case startAck(SubscriptionID)
    /// A change.
    case data(SubscriptionID, RemoteChange<Content>)
    /// A change that could not be read, or a frame of which it is not known for what it is. Subscriptions continue.
    case unreadable(SubscriptionID?, String)
    /// A subscription failed.
    case error(SubscriptionID, ServiceFailure)
    /// A subscription ended.
    case complete(SubscriptionID)
}
