/// What a service sends over a socket.
public enum ServerFrame: Sendable, Hashable {
    /// The connection is ready; without a frame for this time, in milliseconds, it is lost. `nil` if the service says nothing.
    case connectionAck(timeoutMilliseconds: Int64?)
    /// The connection is alive.
    case keepAlive
    /// A subscription has started.
    case startAck(id: String)
    /// A subscription's event: the text of a response; see ``WireModel/record(_:limits:filling:)``.
    case data(id: String, payload: [UInt8])
    /// A subscription has ended.
    case complete(id: String)
    /// A subscription was refused or failed; without an id the socket as a whole.
    case error(id: String?, errors: [ServiceError])
    /// The connection was refused, and the service will close the socket.
    case connectionError(errors: [ServiceError])
    /// A frame of an unknown type, which should be ignored.
    case unknown
}
