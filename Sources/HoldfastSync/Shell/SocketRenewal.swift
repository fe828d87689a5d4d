import HoldfastStorage

/// Allows other headers for sockets once between two sockets that the service has accepted.
///
/// Otherwise a service that refuses every token would be asked forever.
final class SocketRenewal: Sendable {
    private let isTaken = Mutex(false)

    /// Whether other headers may be tried.
    func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    /// A socket was accepted.
    func reset() { isTaken.withLock { $0 = false } }
}
