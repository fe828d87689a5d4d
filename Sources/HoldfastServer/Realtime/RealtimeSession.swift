import HoldfastWire

/// What one connection has agreed on: frames in, actions out.
///
/// Knows no time and waits for nothing.
struct RealtimeSession {
    /// What must be done.
    enum Action: Hashable, Sendable {
        /// A frame goes to the client.
        case send(WireValue)
        /// A subscription is judged; ``RealtimeSession/judged(_:_:)`` follows.
        case judge(id: String, data: String, headers: [String: String])
        /// A subscription receives no more events.
        case forget(id: String)
    }

    private enum Phase { case waiting, open }
    private enum Entry { case judging, active }

    private var phase = Phase.waiting
    private var entries: [String: Entry] = [:]
    private let limit: Int
    private let timeout: Duration

    init(limit: Int, timeout: Duration) {
        self.limit = limit
        self.timeout = timeout
    }

    /// Takes a frame of the client.
    mutating func handle(_ frame: ReceivedFrame) -> [Action] {
        switch frame {
        case .initialize:
            guard phase == .waiting else { return [.send(SentFrame.error(nil, [SentFrame.unsupported]))] }
            phase = .open
            return [.send(SentFrame.acknowledgement(timeout: timeout)), .send(SentFrame.keepAlive)]
        case .start(let id, let data, let headers):
            guard phase == .open else { return [.send(SentFrame.error(id, [SentFrame.unsupported]))] }
            guard entries[id] == nil else {
                let error: WireValue = [
                    "errorType": "DuplicatedOperationError", "message": "The id of the subscription is in use.",
                ]
                return [.send(SentFrame.error(id, [error]))]
            }
            guard entries.count < limit else {
                return [
                    .send(
                        SentFrame.limit(
                            id, "MaxSubscriptionsReachedError", "Max number of \(limit) subscriptions reached"))
                ]
            }
            entries[id] = .judging
            return [.judge(id: id, data: data, headers: headers)]
        case .stop(let id):
            guard entries.removeValue(forKey: id) != nil else { return [] }
            return [.forget(id: id), .send(SentFrame.complete(id))]
        case .unknown(let id): return [.send(SentFrame.error(id, [SentFrame.unsupported]))]
        }
    }

    /// Takes the outcome of judging a subscription.
    ///
    /// - Parameters:
    ///   - id: The subscription.
    ///   - errors: Why it is refused; empty if it is accepted.
    /// - Returns: What must be done.
    mutating func judged(_ id: String, _ errors: [WireValue]) -> [Action] {
        // It was stopped meanwhile, so it receives nothing.
        guard entries[id] == .judging else { return [.forget(id: id)] }
        guard errors.isEmpty else {
            entries[id] = nil
            return [.forget(id: id), .send(SentFrame.error(id, errors))]
        }
        entries[id] = .active
        return [.send(SentFrame.started(id))]
    }

    /// Ends a subscription whose proof has ended.
    mutating func expired(_ id: String) -> [Action] {
        guard entries.removeValue(forKey: id) != nil else { return [] }
        let error: WireValue = ["errorType": "UnauthorizedException", "message": "Token has expired."]
        return [.forget(id: id), .send(SentFrame.error(id, [error])), .send(SentFrame.complete(id))]
    }

    /// Whether the conversation has begun.
    var isOpen: Bool { phase == .open }

    /// Whether a subscription was accepted and not ended.
    func isActive(_ id: String) -> Bool { entries[id] == .active }
}
