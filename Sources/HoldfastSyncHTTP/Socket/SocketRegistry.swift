#if Sync
internal import HoldfastStorage

/// The open sockets of a transport, until it ends.
final class SocketRegistry: Sendable {
    /// `nil` once the transport has ended.
    private let open = Mutex<[ObjectIdentifier: NIORealtimeSocket]?>([:])

    /// Whether the transport has ended.
    var hasEnded: Bool { open.withLock { $0 == nil } }

    /// Remembers a socket until it is closed.
    ///
    /// - Returns: `false` if the transport has ended.
    func add(_ socket: NIORealtimeSocket) -> Bool {
        let id = ObjectIdentifier(socket)
        let isAdded = open.withLock { open in
            guard open != nil else { return false }
            open?[id] = socket
            return true
        }
        if isAdded { socket.whenClosed { [weak self] in self?.open.withLock { _ = $0?.removeValue(forKey: id) } } }
        return isAdded
    }

    /// Ends; returns the sockets that are open, or `nil` if it has ended before.
    func end() -> [NIORealtimeSocket]? {
        open.withLock { open in
            defer { open = nil }
            return open.map { Array($0.values) }
        }
    }
}
#endif
