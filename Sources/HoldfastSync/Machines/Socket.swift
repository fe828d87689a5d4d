/// One socket to the service.
struct Socket: Sendable {
    /// Where the socket is.
    enum State: Sendable, Hashable {
        /// It is closed.
        case closed
        /// It is being opened.
        case upgrading
        /// It is open; the service has not yet said that it is ready.
        case initializing
        /// It is ready. Without a frame until then it is lost.
        case open(keepAliveUntil: Duration)
    }

    /// What the socket wants done.
    enum Action: Sendable, Hashable {
        case connect
        case initialize
        case watch(Duration)
        case ready
        case lost
    }

    /// Frames are rarer than this on no service, so a shorter timeout is a mistake of the service.
    static let shortestTimeout = Duration.seconds(30)

    private(set) var state = State.closed
    private var deadline = Duration.zero
    private var timeout = Socket.shortestTimeout

    /// Whether it is ready.
    var isOpen: Bool { if case .open = state { true } else { false } }

    /// Opens it; it must be ready within `handshake`.
    mutating func open(at now: Duration, handshake: Duration) -> [Action] {
        guard state == .closed else { return [] }
        state = .upgrading
        deadline = now + handshake
        return [.connect, .watch(handshake)]
    }

    /// The transport has opened it.
    mutating func opened() -> [Action] {
        guard state == .upgrading else { return [] }
        state = .initializing
        return [.initialize]
    }

    /// The service says that it is ready.
    ///
    /// It is lost after `timeout` without a frame.
    mutating func acknowledged(timeout: Duration, at now: Duration) -> [Action] {
        guard state == .initializing else { return [] }
        self.timeout = max(timeout, Self.shortestTimeout)
        state = .open(keepAliveUntil: now + self.timeout)
        return [.watch(self.timeout), .ready]
    }

    /// A frame came.
    mutating func heard(at now: Duration) {
        if isOpen { state = .open(keepAliveUntil: now + timeout) }
    }

    /// A timer that `watch` asked for has fired.
    mutating func watched(at now: Duration) -> [Action] {
        switch state {
        case .closed: return []
        case .open(let until) where now < until: return [.watch(until - now)]
        case .upgrading where now < deadline, .initializing where now < deadline: return [.watch(deadline - now)]
        default: return lose()
        }
    }

    /// It failed.
    mutating func lose() -> [Action] {
        guard state != .closed else { return [] }
        state = .closed
        return [.lost]
    }
}
