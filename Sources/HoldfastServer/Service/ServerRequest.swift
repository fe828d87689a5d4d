import HoldfastWire

/// A request as it comes from HTTP.
public struct ServerRequest: Sendable {
    /// The headers, by their names in lower case.
    public var headers: [String: String]
    /// The body; JSON.
    public var body: [UInt8]
    /// Whether it must not change anything.
    private(set) var isReadOnly = false

    /// Creates a request.
    public init(headers: [String: String], body: [UInt8]) {
        self.headers = headers
        self.body = body
    }

    /// Creates the request that a GET stands for; a mutation in it is refused.
    ///
    /// - Parameters:
    ///   - headers: The headers, by their names in lower case.
    ///   - parameters: The parameters of the address: `query`, and perhaps `variables` as JSON and `operationName`.
    public init(headers: [String: String], parameters: [String: String]) {
        var body = JSONObject()
        for name in ["query", "variables", "operationName"] { body[name] = parameters[name].map(WireValue.string) }
        self.init(headers: headers, body: WireValue.object(body).bytes)
        isReadOnly = true
    }
}
