/// How far a store is synchronized with its service.
public struct SyncStatus: Sendable, Hashable {
    /// The progress of one model.
    public struct ModelStatus: Sendable, Hashable {
        /// Whether all records are asked for, and not only what has changed.
        public internal(set) var isFull = true
        /// The pages that came since the model was last begun.
        public internal(set) var pageCount = 0
        /// The records that came with them, also those that could not be read.
        public internal(set) var rowCount = 0
        /// Whether the model is complete, and changes come as they happen.
        public internal(set) var isSynced = false
        /// Whether the service has more records than are wanted at most.
        public internal(set) var isTruncated = false
        /// Why the model could not be read; `nil` once it was.
        public internal(set) var problem: SyncProblem?
    }

    /// The session's state.
    public internal(set) var state = SyncState.stopped
    /// The models that were begun, by name.
    public internal(set) var models: [String: ModelStatus] = [:]
    /// The local changes that await the service.
    public internal(set) var outboxCount = 0
    /// The local changes that were given up.
    public internal(set) var deadLetterCount = 0
    /// What went wrong last since the start; `nil` if nothing did.
    public internal(set) var lastProblem: SyncProblem?
    /// When what failed is tried again, in microseconds since 1970-01-01T00:00Z; `nil` if nothing waits.
    public internal(set) var nextRetryAt: Int64?

    /// Whether every model is complete, and no local change awaits the service.
    public var isInStep: Bool { state == .live && outboxCount == 0 && models.values.allSatisfy(\.isSynced) }
}

/// Where a session is.
public enum SyncState: Sendable, Hashable {
    /// It was not started, or was stopped.
    case stopped
    /// It takes the right to synchronize the store, or waits until another process gives that up.
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
    /// It ends what it was doing.
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

extension SyncStatus {
    mutating func note(_ activity: SyncActivity) {
        switch activity {
        case .state(let state):
            if state == .claiming, case .stopped = self.state { (models, lastProblem) = ([:], nil) }
            self.state = state
            switch state {
            case .live, .stopped, .refused, .stopping: nextRetryAt = nil
            default: break
            }
            if state != .live, state != .reading {
                for name in models.keys { models[name]?.isSynced = false }
            }
        case .reading(let model, let isFull, true):
            let isTruncated = models[model]?.isTruncated ?? false
            models[model] = ModelStatus(isFull: isFull, isTruncated: isTruncated && !isFull)
        case .reading(let model, let isFull, false):
            models[model, default: ModelStatus()].isFull = isFull
        case .page(let model, let rows):
            models[model, default: ModelStatus()].pageCount += 1
            models[model, default: ModelStatus()].rowCount += rows
        }
    }

    mutating func note(_ news: SyncNews, at now: Int64) {
        switch news {
        case .hub(.modelSynced(let model, _, _, _, _)):
            models[model, default: ModelStatus()].isSynced = true
            models[model]?.problem = nil
        case .hub(.outboxMutationProcessed): nextRetryAt = nil
        case .hub: break
        case .report(let report):
            let problem = SyncProblem(report)
            lastProblem = problem
            if let retryAfter = problem.retryAfter { nextRetryAt = now + retryAfter.microseconds }
            guard let model = problem.model else { break }
            switch problem.kind {
            case .truncated: models[model, default: ModelStatus()].isTruncated = true
            case .modelFailed: models[model, default: ModelStatus()].problem = problem
            default: break
            }
        }
    }
}

extension Duration {
    fileprivate var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
