import HoldfastStorage
import HoldfastWire

/// Allows other headers for sockets once between two sockets that the service has accepted.
///
/// Otherwise a service that refuses every token would be asked forever. Several sockets are opened with the same headers,
/// and each of them may be refused.
final class SocketRenewal: Sendable {
    /// The headers in whose place others were asked for.
    private let refused = Mutex<AuthHeaders?>(nil)

    /// Whether others than these headers may be tried.
    func take(insteadOf headers: AuthHeaders) -> Bool {
        refused.withLock { refused in
            if refused == nil { refused = headers }
            return refused == headers
        }
    }

    /// A socket was accepted.
    func reset() { refused.withLock { $0 = nil } }
}
