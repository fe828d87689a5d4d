import HoldfastWire

// How these values appear in logs: names and numbers, never keys, tokens, or claims.

extension ServerRequest: CustomStringConvertible, CustomDebugStringConvertible {
    /// The names of the headers and the size of the body.
    public var description: String {
        "ServerRequest(\(headers.keys.sorted().joined(separator: ", ")); \(body.count) bytes)"
    }
    /// The names of the headers and the size of the body.
    public var debugDescription: String { description }
}

extension ServerOptions: CustomStringConvertible, CustomDebugStringConvertible {
    /// The mode, the strategies, and the number of keys.
    public var description: String {
        "ServerOptions(\(defaultMode); \(strategy); \(apiKeys.count) keys)"
    }
    /// The mode, the strategies, and the number of keys.
    public var debugDescription: String { description }
}

extension Identity: CustomStringConvertible, CustomDebugStringConvertible {
    /// The mode and the names of the claims.
    public var description: String {
        "Identity(\(mode); \(claims.members.map(\.name).joined(separator: ", ")))"
    }
    /// The mode and the names of the claims.
    public var debugDescription: String { description }
}
