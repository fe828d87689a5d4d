#if Sync
internal import HoldfastSync
internal import HoldfastWire

/// A request for a socket, with the credentials where the configuration wants them.
struct SocketRequest: Sendable {
    /// The protocol that is spoken.
    static let subprotocol = "graphql-ws"

    /// The path, and in some cases a query.
    var path: String
    /// All headers but `host`.
    var headers: [AuthHeaders.Header]

    /// - Throws: `TransportError` `.unsent` for a name or value that no header may have.
    init(_ configuration: HTTPSyncConfiguration, path: String, _ authorization: AuthHeaders) throws(TransportError) {
        self.path = path
        var protocols = Self.subprotocol
        // Also checks what is not sent as it is.
        headers = try authorization.sendable()
        switch configuration.credentialPlace {
        case .headers:
            let others = ["user-agent", "sec-websocket-protocol"]
            headers.removeAll { others.contains($0.name.lowercased()) }
        case .subprotocol:
            headers = []
            protocols += ", " + authorization.subprotocol
        case .query:
            headers = []
            // The letters of base64 that mean something else in an address.
            let value = authorization.queryParameter.flatMap { letter in
                switch letter {
                case "+": "%2B"
                case "/": "%2F"
                case "=": "%3D"
                default: String(letter)
                }
            }
            self.path += "?header=\(String(value))&payload=e30%3D"
        }
        headers.append(AuthHeaders.Header("user-agent", configuration.userAgent))
        headers.append(AuthHeaders.Header("sec-websocket-protocol", protocols))
    }
}
#endif
