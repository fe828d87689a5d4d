/// What a service sends over a socket.
enum IncomingFrame<Content: Sendable>: Sendable {
    /// The socket is ready; it is lost after this time without a frame.
    case connectionAck(timeout: Duration)
    /// The socket is refused.
    case connectionError(ServiceFailure)
    /// The connection is alive.
    case keepAlive
    /// A subscription is active.
    case startAck(SubscriptionID)
    /// A change.
    case data(SubscriptionID, RemoteChange<Content>)
    /// A change that could not be read, or a frame that does not name its subscription. Subscriptions continue.
    case unreadable(SubscriptionID?, String)
    /// A subscription failed.
    case error(SubscriptionID, ServiceFailure)
    /// A subscription ended.
    case complete(SubscriptionID)
}
