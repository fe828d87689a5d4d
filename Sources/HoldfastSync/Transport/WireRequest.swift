public import HoldfastWire

/// A GraphQL request over HTTP.
public struct WireRequest: Sendable, Hashable {
    /// Who makes it.
    public var authorization: AuthHeaders
    /// The body: JSON with a document and its variables.
    public var body: [UInt8]

    /// Creates a request.
    public init(authorization: AuthHeaders, body: [UInt8]) {
        self.authorization = authorization
        self.body = body
    }
}
