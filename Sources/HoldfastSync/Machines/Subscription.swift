/// One subscription of a model; a model has three.
struct Subscription: Sendable {
    /// Where the subscription is.
    enum State: Sendable, Hashable {
        /// It has no socket yet.
        case idle
        /// The service has not yet confirmed it.
        case starting(deadline: Duration)
        /// It delivers.
        case active
        /// The service refuses it; it is tried again with the next socket.
        case refused
        /// It failed or ended; it is started again after a while.
        case lost
    }

    /// What the subscription wants done.
    enum Action: Sendable, Hashable {
        /// End what the last start may still begin.
        case stop
        case start(mode: Int)
        case watch(Duration)
        case retry(attempt: Int)
        case report(ServiceFailure?)
        /// Changes may have been missed since it was last active.
        case gap
    }

    /// The model's name.
    let model: String
    /// What it delivers.
    let operation: SubscribedOperation
    /// In how many ways it can be authorized.
    let modeCount: Int
    private(set) var state = State.idle
    private var mode = 0
    private var attempt = 0
    private var hasFailed = false
    /// Whether it is lost because the service has not answered its start, and may still do so.
    private var isUnanswered = false

    init(model: String, operation: SubscribedOperation, modeCount: Int) {
        self.model = model
        self.operation = operation
        self.modeCount = modeCount
    }

    /// Whether there is no need to wait for it: it delivers, or will not in the near future.
    var isSettled: Bool {
        switch state {
        case .idle, .starting: false
        case .active, .refused, .lost: true
        }
    }

    /// Starts it on a socket.
    mutating func start(at now: Duration, timeout: Duration) -> [Action] {
        guard state != .active else { return [] }
        state = .starting(deadline: now + timeout)
        defer { isUnanswered = false }
        let stop: [Action] = isUnanswered ? [.stop] : []
        return stop + [.start(mode: mode), .watch(timeout)]
    }

    /// The service confirms it, in time or late.
    mutating func acknowledged() -> [Action] {
        switch state {
        case .starting: break
        case .lost where isUnanswered: break
        default: return []
        }
        state = .active
        attempt = 0
        defer {
            hasFailed = false
            isUnanswered = false
        }
        return hasFailed ? [.gap] : []
    }

    /// The service refuses it, or it fails.
    mutating func failed(_ failure: ServiceFailure, at now: Duration, timeout: Duration) -> [Action] {
        isUnanswered = false
        switch state {
        case .idle, .refused, .lost: return []
        case .starting, .active: break
        }
        switch failure {
        case _ where failure.isOfMode && mode + 1 < modeCount:
            // A service that finds out when it delivers sends the refusal and not the change.
            if state == .active { hasFailed = true }
            mode += 1
            state = .starting(deadline: now + timeout)
            return [.start(mode: mode), .watch(timeout)]
        case .notOffered, .unauthorized, .unauthenticated, .schemaMismatch, .rejected:
            mode = 0
            state = .refused
            return [.report(failure)]
        case .unknown, .tooLong, .unsent:
            return lose(failure)
        }
    }

    /// The service ends it.
    mutating func completed() -> [Action] {
        isUnanswered = false
        return switch state {
        case .starting, .active: lose(nil)
        default: []
        }
    }

    /// A timer that `watch` asked for has fired.
    mutating func watched(at now: Duration) -> [Action] {
        guard case .starting(let deadline) = state else { return [] }
        if now < deadline { return [.watch(deadline - now)] }
        isUnanswered = true
        return lose(nil)
    }

    /// Its socket is gone.
    mutating func disconnect() {
        state = .idle
        hasFailed = false
        isUnanswered = false
        attempt = 0
        mode = 0
    }

    private mutating func lose(_ failure: ServiceFailure?) -> [Action] {
        state = .lost
        hasFailed = true
        attempt += 1
        return [.report(failure), .retry(attempt: attempt - 1)]
    }
}
