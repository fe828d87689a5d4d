/// A response over HTTP.
public struct WireResponse: Sendable, Hashable {
    /// The status of HTTP.
    public var status: Int
    /// The body.
    public var body: [UInt8]
    /// The time of `Retry-After`; `nil` without one.
    public var retryAfter: Duration?

    /// Creates a response.
    public init(status: Int, body: [UInt8], retryAfter: Duration? = nil) {
        self.status = status
        self.body = body
        self.retryAfter = retryAfter
    }
}
