import HoldfastEngine
package import HoldfastStorage
public import HoldfastSync

/// The way to a service, and who makes requests.
public struct APISession: Sendable {
    /// The way to the service.
    public var transport: any SyncTransport
    /// Who makes requests.
    public var authorization: SyncAuthorization
    /// Whether the service can be reached, now and whenever that changes; `nil` if only requests show it.
    public var networkChanges: (@Sendable () -> AsyncStream<Bool>)?
    /// Time and randomness of what the application subscribes to.
    package var surroundings = Surroundings.system

    /// Creates a session.
    public init(
        transport: any SyncTransport, authorization: SyncAuthorization,
        networkChanges: (@Sendable () -> AsyncStream<Bool>)? = nil
    ) {
        self.transport = transport
        self.authorization = authorization
        self.networkChanges = networkChanges
    }
}
