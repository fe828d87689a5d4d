public import HoldfastWire

/// How requests say who makes them.
public struct SyncAuthorization: Sendable {
    /// Who is signed in, as a name that never changes; `nil` if nobody is.
    public var identity: @Sendable () async -> String?
    /// In how many modes a request can be authorized; they are tried in order.
    public var modeCount: Int
    /// The headers for a body in a mode; `nil` if nobody is signed in who could make it.
    public var headers: @Sendable (_ mode: Int, _ body: [UInt8]) async -> AuthHeaders?
    /// The arguments that subscriptions to a model's records need.
    public var owners: @Sendable (WireModel) async -> [OwnerArgument]

    /// Creates an authorization; with one mode and without arguments of owners by default.
    public init(
        identity: @escaping @Sendable () async -> String? = { nil }, modeCount: Int = 1,
        headers: @escaping @Sendable (_ mode: Int, _ body: [UInt8]) async -> AuthHeaders?,
        owners: @escaping @Sendable (WireModel) async -> [OwnerArgument] = { _ in [] }
    ) {
        self.identity = identity
        self.modeCount = modeCount
        self.headers = headers
        self.owners = owners
    }
}
