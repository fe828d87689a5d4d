/// Names a socket.
struct SocketID: Sendable, Hashable {
    /// Rises from socket to socket; a number is never used again.
    var number: Int
}

/// Names a subscription on its socket.
struct SubscriptionID: Sendable, Hashable {
    /// Rises from start to start; a number is never used again.
    var number: Int
}
