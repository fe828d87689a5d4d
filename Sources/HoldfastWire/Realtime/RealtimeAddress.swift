/// The address of the socket that belongs to the address of an API.
public enum RealtimeAddress {
    /// The address of the socket.
    ///
    /// Of AWS's own hosts, `appsync-api` in the host becomes `appsync-realtime-api`, and the path stays. Everywhere
    /// else `/realtime` is appended to the path. `https` becomes `wss`, `http` becomes `ws`.
    ///
    /// - Parameter endpoint: The address of the API: `https://host[:port]/path`, without query and fragment.
    /// - Returns: The address, which begins with `wss://` or `ws://`.
    /// - Throws: ``WireError`` `.mismatch` for anything else.
    public static func socket(for endpoint: String) throws(WireError) -> String {
        let (scheme, host, path) = try parts(of: endpoint)
        let socketScheme = scheme == "https" ? "wss" : "ws"
        let parts = host.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        let isAWS =
            scheme == "https" && parts.count >= 5 && parts[1] == "appsync-api"
            && (parts[3...].elementsEqual(["amazonaws", "com"])
                || parts[3...].elementsEqual(["amazonaws", "com", "cn"]))
        if isAWS {
            let rest = parts[2...].joined(separator: ".")
            return "wss://\(parts[0]).appsync-realtime-api.\(rest)\(path)"
        }
        return "\(socketScheme)://\(host)\(path)/realtime"
    }

    private static func parts(of endpoint: String) throws(WireError) -> (scheme: String, host: String, path: String) {
        for scheme in ["https", "http"] where endpoint.lowercased().hasPrefix(scheme + "://") {
            let rest = endpoint.dropFirst(scheme.count + 3)
            let host = rest.prefix { $0 != "/" }
            var path = rest.dropFirst(host.count)
            while path.last == "/" { path.removeLast() }
            let isPlain = !rest.utf8.contains {
                $0 <= 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
            }
            if !host.isEmpty, !host.contains("@"), isPlain { return (scheme, String(host), String(path)) }
        }
        throw WireError(.mismatch, "not an address of an API; expected https://host/path without a query")
    }
}
