/// Where a session is.
public enum SyncState: Sendable, Hashable {
    /// It was not started, or was stopped.
    case stopped
    /// It takes the lease of the store, or waits until another process releases it.
    case claiming
    /// It waits for a network.
    case offline
    /// It opens its sockets and subscribes.
    case connecting
    /// It reads the models.
    case reading
    /// It sends and receives changes.
    case live
    /// It waits before it connects again.
    case waiting
    /// It ended until it is started again.
    case refused(SessionRefusal)
    /// It finishes what is in progress.
    case stopping
}

extension SyncState {
    init(_ state: Session.State) {
        self =
            switch state {
            case .stopped: .stopped
            case .claiming: .claiming
            case .offline: .offline
            case .connecting, .subscribing: .connecting
            case .hydrating: .reading
            case .live: .live
            case .backingOff: .waiting
            case .refused(let refusal): .refused(refusal)
            case .stopping: .stopping
            }
    }
}
