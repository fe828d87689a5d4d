import HoldfastEngine

/// What a timer is for.
///
/// There is one of each at most.
enum TimerUse: Sendable, Hashable {
    case claim, lease, connect, patience, trailing, reading, take, settle
    case socket(SocketID)
    case subscription(Int)
    case restart(Int)
    case model(String)
    case missed(String)
    case entry(OutgoingMutation.ID)
    case parked(OutgoingMutation.ID)

    /// Whether it ends the wait of a parked entry.
    var isOfParked: Bool { if case .parked = self { true } else { false } }

    /// Whether it ends when the connection does.
    var isOfConnection: Bool {
        switch self {
        case .connect, .patience, .trailing, .reading, .socket, .subscription, .restart, .model, .missed: true
        case .claim, .lease, .take, .settle, .entry, .parked: false
        }
    }
}

extension SyncCore {
    /// Starts a timer; an earlier one for the same use no longer counts.
    mutating func arm(_ use: TimerUse, _ delay: Duration) {
        if let earlier = armed[use] { work[earlier] = nil }
        armed[use] = begin(.timer(use)) { .timer($0, delay) }
    }

    /// Forgets the timers that match.
    mutating func disarm(_ fits: (TimerUse) -> Bool) {
        for (use, id) in armed where fits(use) {
            work[id] = nil
            armed[use] = nil
        }
    }

    mutating func fired(_ use: TimerUse) {
        switch use {
        case .claim, .connect: send(toSession: .retry)
        case .lease: queue(.renew)
        case .patience: send(toSession: .delayed)
        case .trailing: readAll()
        case .reading:
            readAll()
            readAllLater()
        case .take: queue(.take)
        case .settle: queue(.settle)
        case .socket(let id): watch(id)
        case .subscription(let index):
            subscriptionActions(index) { $0.watched(at: $1.uptime) }
        case .restart(let index): startSubscription(index)
        case .model(let name): readAgain(name)
        case .missed(let name): change(name) { $0.missed() }
        case .parked(let id):
            entries[id]?.wake(asProbe: true)
            pump()
        case .entry(let id): if outboxProgress.isOn, session.isNetworkUp { update(id) { $0.go() } }
        }
    }
}
