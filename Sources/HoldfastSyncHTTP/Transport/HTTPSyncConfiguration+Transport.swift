#if Sync
public import HoldfastSync
internal import HoldfastWire

extension HTTPSyncConfiguration {
    /// The transport that fits the platform and the configuration.
    ///
    /// On Apple platforms ``URLSessionSyncTransport``, which goes through the networks, proxies, and certificates of
    /// the system. ``HTTPSyncTransport`` elsewhere, for a configuration with a proxy or with certificates of its own,
    /// and without TLS, which App Transport Security would refuse.
    ///
    /// It closes its connections when it is released.
    ///
    /// - Throws: ``HTTPSyncConfigurationError`` for an address that cannot be read, or certificates that cannot.
    public func makeTransport() throws(HTTPSyncConfigurationError) -> any SyncTransport {
        #if canImport(Darwin)
        if proxy == nil, trustRoots == .system, try Endpoint(endpoint).isSecure {
            return try URLSessionSyncTransport(self)
        }
        #endif
        return try HTTPSyncTransport(self)
    }

    /// Where the sockets of an API are.
    func socketEndpoint(of api: Endpoint) throws(HTTPSyncConfigurationError) -> Endpoint {
        guard let address = realtimeEndpoint ?? (try? RealtimeAddress.socket(for: api.url)) else {
            throw HTTPSyncConfigurationError("the address of sockets cannot be derived; set realtimeEndpoint")
        }
        return try Endpoint(address)
    }
}
#endif
