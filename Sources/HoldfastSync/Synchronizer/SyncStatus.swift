import HoldfastStorage

/// How far a store is synchronized with its service.
///
/// ```swift
/// try await store.save(Post(title: "Hold fast"))
/// for await status in synchronizer.statuses {
///     switch status.state {
///     case .live: show("\(status.outboxCount) changes to send")
///     case .offline, .waiting: show("offline; changes are kept")
///     default: show("connecting")
///     }
///     if status.isSynchronized { break }
/// }
/// ```
public struct SyncStatus: Sendable, Hashable {
    /// The progress of one model.
    public struct ModelStatus: Sendable, Hashable {
        /// Whether all records are read, and not only the changed ones.
        public internal(set) var isFull = true
        /// The number of pages received since reading the model last began.
        public internal(set) var pageCount = 0
        /// The number of records in these pages, including those that could not be read.
        public internal(set) var rowCount = 0
        /// Whether the model is complete and receives changes: as they happen, or, without sockets, with each query.
        public internal(set) var isSynced = false
        /// Whether the service has more records than the configured maximum.
        public internal(set) var isTruncated = false
        /// Why the model could not be read; `nil` once it was.
        public internal(set) var problem: SyncProblem?
    }

    /// The session's state.
    public internal(set) var state = SyncState.stopped
    /// The models whose reading has begun, by name.
    public internal(set) var models: [String: ModelStatus] = [:]
    /// The number of unsent changes of the models that are synchronized.
    public internal(set) var outboxCount = 0
    /// The number of changes that were given up.
    public internal(set) var deadLetterCount = 0
    /// The last problem since the start; `nil` if there was none.
    public internal(set) var lastProblem: SyncProblem?
    /// The time of the next attempt after a failure, in microseconds since 1970-01-01T00:00Z; `nil` if none is planned.
    public internal(set) var nextRetryAt: Int64?

    /// Whether every model is complete and there are no unsent changes.
    public var isSynchronized: Bool { state == .live && outboxCount == 0 && models.values.allSatisfy(\.isSynced) }
}

extension SyncStatus {
    mutating func note(_ activity: SyncActivity) {
        switch activity {
        case .state(let state):
            switch (self.state, state) {
            case (.stopped, .claiming), (.refused, .claiming): (models, lastProblem) = ([:], nil)
            default: break
            }
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
        case .synced(let model):
            models[model, default: ModelStatus()].isSynced = true
            models[model]?.problem = nil
        }
    }

    mutating func note(_ notification: SyncNotification, at now: Int64) {
        switch notification {
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
