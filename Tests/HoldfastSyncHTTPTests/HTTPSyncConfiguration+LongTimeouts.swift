#if Sync
import HoldfastSyncHTTP

extension HTTPSyncConfiguration {
    /// A configuration for tests that are not about time: on a busy machine, a script may get a thread late.
    ///
    /// Only a close does not wait, since most scripts do not answer a close frame.
    static func withLongTimeouts(_ endpoint: String) -> HTTPSyncConfiguration {
        var configuration = HTTPSyncConfiguration(endpoint: endpoint)
        let timeout = Duration.seconds(600)
        configuration.timeouts = Timeouts(
            connect: timeout, request: timeout, handshake: timeout, silence: timeout, close: .milliseconds(50))
        return configuration
    }
}
#endif
