import HoldfastEngine

/// Synchronization as a function: from an event and a point in time to what must be done.
///
/// The core has no clock, no task, and no store, so every course of events can be played to it. The shell carries the
/// effects out; each effect with an id ends in exactly one event. Events of effects that no longer count are ignored.
struct SyncCore<Content: Sendable>: Sendable {
    /// What an id stands for.
    enum Work: Sendable, Hashable {
        case store(StoreJob)
        case load
        case fetch(String)
        case socket(SocketID)
        case mutation(OutgoingMutation.ID)
        case check(OutgoingMutation.ID)
        case ask(OutgoingMutation.ID)
        case timer(TimerUse)
    }

    let settings: SyncSettings
    var session = Session()
    var plan = SyncPlan(models: [])
    /// Why the plan could not be read when that was last tried.
    var loadFailure: StoreFailure?
    var now = Moment(uptime: .zero, wall: 0)
    var backoff: Backoff
    private var effects: [SyncEffect<Content>] = []
    private var lastID = 0
    var work: [EffectID: Work] = [:]
    var armed: [TimerUse: EffectID] = [:]

    // The store.
    var lane: [StoreJob] = []
    var laneWork: EffectID?

    // Sockets and subscriptions.
    var sockets: [SocketID: Socket] = [:]
    var socketOrder: [SocketID] = []
    var socketMode = 0
    /// When the session was live for the first time with these sockets, if it is.
    var liveSince = Duration.zero
    var lastSocket = 0
    /// How many times the models were to be read again since the session was live, only because time has passed.
    var readingCount = 0
    /// Why a socket is lost, while that is being handled.
    var socketFailure: ServiceFailure?
    var subscriptions: [Subscription] = []
    var started: [SubscriptionID: Int] = [:]
    var lastSubscription = 0

    // Models.
    var models: [String: ModelSync<Content>] = [:]
    /// The models that are complete or have failed, and wait for their turn to be read again.
    var outdated: Set<String> = []
    var announced: Set<String> = []
    /// When the models were last read since their events did not say enough, and the delays after which they were.
    var readingsForEvents: [String: (at: Duration, delay: Duration)] = [:]
    var refreshes: [Refresh] = []

    // The outbox.
    var entries: [OutgoingMutation.ID: Entry<Content>] = [:]
    var outcomes: [OutgoingMutation.ID: Resolution<Content>] = [:]
    var settling: [OutgoingMutation.ID: Resolution<Content>] = [:]
    var outboxProgress = OutboxProgress()

    /// Creates a core.
    ///
    /// The same seed and the same events give the same effects.
    init(settings: SyncSettings = SyncSettings(), seed: UInt64) {
        self.settings = settings
        backoff = Backoff(seed: seed)
    }

    /// Takes in what happened, and returns what must be done, in order.
    mutating func handle(_ event: SyncEvent<Content>, at now: Moment) -> [SyncEffect<Content>] {
        self.now = now
        receive(event)
        answerRefreshes()
        runLane()
        defer { effects = [] }
        return effects
    }

    mutating func add(_ effect: SyncEffect<Content>) { effects.append(effect) }

    /// Adds an effect that ends in an event.
    mutating func begin(_ use: Work, _ effect: (EffectID) -> SyncEffect<Content>) -> EffectID {
        lastID += 1
        let id = EffectID(number: lastID)
        work[id] = use
        effects.append(effect(id))
        return id
    }

    /// Forgets the work in progress that matches.
    ///
    /// Its events are ignored.
    mutating func forget(_ fits: (Work) -> Bool) {
        work = work.filter { !fits($0.value) }
    }

    private mutating func receive(_ event: SyncEvent<Content>) {
        switch event {
        case .command(let id, let command): send(toSession: .command(id, command))
        case .refresh(let id): refresh(id)
        case .network(let isUp): network(isUp: isUp)
        case .userChanged: send(toSession: .userChanged)
        case .outboxChanged: outboxChanged()
        case .claimed(let id, let result): if endStoreJob(id) != nil { send(toSession: .claimed(result)) }
        case .renewed(let id, let result): if endStoreJob(id) != nil { renewed(result) }
        case .released(let id): if endStoreJob(id) != nil { send(toSession: .released) }
        case .cleared(let id, let failure): if endStoreJob(id) != nil { send(toSession: .cleared(failure)) }
        case .loaded(let id, let answer): if work.removeValue(forKey: id) == .load { loaded(answer) }
        case .socketOpened(let id, let answer):
            if case .socket(let socket)? = work.removeValue(forKey: id) { socketOpened(socket, answer) }
        case .identified(let socket, let identity): if sockets[socket] != nil { plan.identity = identity }
        case .frame(let socket, let frame): received(frame, on: socket)
        case .socketLost(let socket, let failure): socketLost(socket, failure)
        case .fetched(let id, let answer):
            if case .fetch(let model)? = work.removeValue(forKey: id) { fetched(model, answer) }
        case .applied(let id, let answer), .swept(let id, let answer):
            if case .model(let name)? = endStoreJob(id) { committed(name, answer) }
        case .taken(let id, let answer): if endStoreJob(id) != nil { taken(answer) }
        case .settled(let id, let answer): if endStoreJob(id) != nil { settled(answer) }
        case .answered(let id, let answer):
            if case .mutation(let entry)? = work.removeValue(forKey: id) { update(entry) { $0.answered(answer) } }
        case .checked(let id, let answer):
            if case .check(let entry)? = work.removeValue(forKey: id) { update(entry) { $0.checked(answer) } }
        case .decided(let id, let decision):
            if case .ask(let entry)? = work.removeValue(forKey: id) { update(entry) { $0.decided(decision) } }
        case .timerFired(let id):
            if case .timer(let use)? = work.removeValue(forKey: id) {
                armed[use] = nil
                fired(use)
            }
        }
    }
}
