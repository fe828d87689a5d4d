public import HoldfastWire

/// A request for a socket.
public struct RealtimeRequest: Sendable, Hashable {
    /// Who makes it.
    public var authorization: AuthHeaders

    /// Creates a request.
    public init(authorization: AuthHeaders) { self.authorization = authorization }
}
