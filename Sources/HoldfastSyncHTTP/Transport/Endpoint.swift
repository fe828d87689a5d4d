#if Sync
internal import NIOCore

/// An address in its parts.
struct Endpoint: Sendable, Hashable {
    /// Whether the connection is encrypted.
    let isSecure: Bool
    /// The host in lower case, an IPv6 address without brackets.
    let host: String
    let port: Int
    /// The path, at least `/`.
    let path: String

    /// Reads `scheme://host[:port]/path`.
    ///
    /// - Throws: ``HTTPSyncConfigurationError`` for anything else, also for one with a user, a query, or a fragment.
    init(_ text: String) throws(HTTPSyncConfigurationError) {
        let refusal = HTTPSyncConfigurationError(
            "an address is not of the form https://host[:port]/path; write it without a user, a query, and a fragment")
        guard let end = text.utf8.firstRange(of: Array("://".utf8)) else { throw refusal }
        let isPlain = !text.utf8.contains { $0 <= 0x20 || $0 >= 0x7F || "?#@\\\"<>".utf8.contains($0) }
        let rest = text[end.upperBound...]
        let authority = rest.prefix { $0 != "/" }.lowercased()
        switch text[..<end.lowerBound].lowercased() {
        case "https", "wss": isSecure = true
        case "http", "ws": isSecure = false
        default: throw refusal
        }
        var host = Substring(authority)
        var port: Int? = isSecure ? 443 : 80
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            host = authority[..<colon]
            port = UInt16(authority[authority.index(after: colon)...]).map(Int.init)
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard isPlain, !host.isEmpty, let port, port > 0 else { throw refusal }
        guard !host.contains(":") || (try? SocketAddress(ipAddress: String(host), port: port)) != nil else {
            throw refusal
        }
        self.host = String(host)
        self.port = port
        let path = rest.dropFirst(authority.count)
        self.path = path.isEmpty ? "/" : String(path)
    }

    /// What the header `host` contains: the host, and the port if it is not the scheme's.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// The whole address, for HTTP.
    var url: String { "\(isSecure ? "https" : "http")://\(authority)\(path)" }

    /// The name that a certificate must have; `nil` for an address in numbers, which is compared itself.
    var serverName: String? { (try? SocketAddress(ipAddress: host, port: port)) == nil ? host : nil }
}
#endif
