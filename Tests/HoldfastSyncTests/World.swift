import HoldfastEngine
import HoldfastStorage

@testable import HoldfastSync

/// A store, a service, and a clock around a core.
///
/// Everything that the core wants waits in `pending` until a test has it answered, in the order that the test chooses.
/// It is a value: a copy goes its own way.
struct World {
    var core: SyncCore<String>
    var now = Moment(uptime: .seconds(1_000), wall: 1_000_000_000)
    /// The effects since a test last emptied it, in order.
    var log: [SyncEffect<String>] = []
    private var frames: [(SocketID, OutgoingFrame)] = []
    /// The effects that are not answered.
    var pending: [SyncEffect<String>] = []
    var timers: [(id: EffectID, at: Duration)] = []

    // The store.
    var plan: SyncPlan
    var claim = ClaimResult.held
    var storeFailure: StoreFailure?
    /// The entries of the outbox that are not settled; those in `sent` were taken.
    var outbox: [TakenEntry] = []
    var sent: Set<OutgoingMutation.ID> = []

    // The service.
    var socketFailure: ServiceFailure?
    var acknowledgesStarts = true
    var fetch: (FetchRequest) -> Result<FetchedPage<String>, ServiceFailure> = { request in
        .success(FetchedPage(count: 1, startedAt: 500, parts: ["\(request.model) records"]))
    }
    var mutate: (Int64, Int) -> MutationAnswer<String> = { position, _ in .confirmed("remote \(position)") }
    var check: (Int64) -> CheckAnswer<String> = { _ in .absent }
    var decide: (Int64) -> ConflictDecision<String> = { _ in .applyRemote }

    init(
        _ models: [ModelPlan] = [ModelPlan(name: "Post")], identity: String? = "ann",
        settings: SyncSettings = SyncSettings()
    ) {
        core = SyncCore(settings: settings, seed: 7)
        plan = SyncPlan(models: models, identity: identity, isOfGuest: identity == nil)
    }

    /// Gives the core an event, and keeps what it wants.
    @discardableResult
    mutating func send(_ event: SyncEvent<String>) -> [SyncEffect<String>] {
        let effects = core.handle(event, at: now)
        log += effects
        for effect in effects {
            if case .sendFrame(let socket, let frame) = effect { frames.append((socket, frame)) }
            if case .timer(let id, let delay) = effect {
                timers.append((id, now.uptime + delay))
            } else if effect.isAnswered {
                pending.append(effect)
            }
        }
        return effects
    }

    mutating func start() { send(.command(CommandID(number: 1), .start)) }

    /// Answers the effect at a position of `pending`.
    mutating func answer(at index: Int) {
        let effect = pending.remove(at: index)
        for event in events(for: effect) { send(event) }
    }

    /// Answers everything that is wanted, first come first served, until only timers are left.
    mutating func run(unless holds: (SyncEffect<String>) -> Bool = { _ in false }) {
        while let index = pending.firstIndex(where: { !holds($0) }) { answer(at: index) }
    }

    /// Lets time pass and fires the timers that end in it, answering everything in between.
    mutating func pass(_ duration: Duration, unless holds: (SyncEffect<String>) -> Bool = { _ in false }) {
        let end = now.uptime + duration
        while let next = timers.indices.min(by: { timers[$0].at < timers[$1].at }), timers[next].at <= end {
            let timer = timers.remove(at: next)
            move(to: timer.at)
            send(.timerFired(timer.id))
            run(unless: holds)
        }
        move(to: end)
    }

    /// The socket that was opened last.
    var socket: SocketID {
        frames.last?.0 ?? SocketID(number: 0)
    }

    /// The id of the last start of a subscription.
    func subscription(_ model: String, _ operation: SubscribedOperation = .onUpdate) -> SubscriptionID {
        for case (_, .start(let id, model, operation, _)) in frames.reversed() { return id }
        return SubscriptionID(number: 0)
    }

    mutating func deliver(_ change: RemoteChange<String>, of model: String = "Post") {
        send(.frame(socket, .data(subscription(model), change)))
    }

    private mutating func move(to uptime: Duration) {
        let passed = (uptime - now.uptime).components
        now.wall += passed.seconds * 1_000 + passed.attoseconds / 1_000_000_000_000_000
        now.uptime = uptime
    }

    private mutating func events(for effect: SyncEffect<String>) -> [SyncEvent<String>] {
        switch effect {
        case .claim(let id): return [.claimed(id, claim)]
        case .renew(let id): return [.renewed(id, claim)]
        case .release(let id): return [.released(id)]
        case .clear(let id):
            plan.models = plan.models.map { model in
                var model = model
                model.stored = StoredState()
                return model
            }
            return [.cleared(id, nil)]
        case .load(let id): return [.loaded(id, storeFailure.map { .failure($0) } ?? .success(plan))]
        case .apply(let id, let work):
            if let storeFailure { return [.applied(id, .failure(storeFailure))] }
            if let state = work.state, let index = plan.models.firstIndex(where: { $0.name == work.model }) {
                plan.models[index].stored = state
            }
            return [.applied(id, .success(CommitReport(added: work.page == nil ? 0 : 1)))]
        case .sweep(let id, _, _):
            return [.swept(id, storeFailure.map { .failure($0) } ?? .success(CommitReport(deleted: 2)))]
        case .take(let id, let limit, let includesSent):
            if let storeFailure { return [.taken(id, .failure(storeFailure))] }
            let old = includesSent ? outbox.filter { sent.contains($0.id) } : []
            let new = outbox.filter { !sent.contains($0.id) }
            let taken = new.prefix(max(0, limit - old.count))
            sent.formUnion(taken.map(\.id))
            let uncertain = old.map { entry in
                var entry = entry
                entry.isUncertain = true
                return entry
            }
            return [
                .taken(
                    id,
                    .success(
                        Taken(
                            entries: uncertain + taken, hasMore: old.count + taken.count >= limit,
                            isOutboxEmpty: outbox.isEmpty)))
            ]
        case .settle(let id, let resolutions, _):
            if let storeFailure { return [.settled(id, .failure(storeFailure))] }
            var processed: [String] = []
            for (settled, resolution) in resolutions.sorted(by: { $0.key < $1.key }) {
                if case .resend = resolution {
                    sent.remove(settled)
                    outbox = outbox.map { $0.id == settled ? $0.sentAgain : $0 }
                    continue
                }
                if case .confirmed(let content) = resolution { processed.append(content) }
                outbox.removeAll { $0.id == settled }
            }
            return [.settled(id, .success(SettleReport(processed: processed, isOutboxEmpty: outbox.isEmpty)))]
        case .openSocket(let id, _, _):
            return [.socketOpened(id, socketFailure.map { .failure($0) } ?? .success(()))]
        case .sendFrame(let socket, .connectionInit):
            return [.frame(socket, .connectionAck(timeout: .seconds(300)))]
        case .sendFrame(let socket, .start(let id, _, _, _)):
            return acknowledgesStarts ? [.frame(socket, .startAck(id))] : []
        case .sendFrame(_, .stop): return []
        case .fetch(let id, let request): return [.fetched(id, fetch(request))]
        case .sendMutation(let id, let entry, let mode): return [.answered(id, mutate(entry.position, mode))]
        case .check(let id, let entry, _): return [.checked(id, check(entry.position))]
        case .ask(let id, let entry, _): return [.decided(id, decide(entry.position))]
        case .timer, .closeSocket, .synced, .emit, .report, .answer, .refreshed: return []
        }
    }
}

extension SyncEffect {
    /// Whether the world answers it.
    var isAnswered: Bool {
        switch self {
        case .timer, .closeSocket, .synced, .emit, .report, .answer, .refreshed: false
        default: true
        }
    }

    /// Whether it stores what was read, or that it is complete.
    var isOfPage: Bool { if case .apply(_, let work) = self { !work.isNumber } else { false } }

    fileprivate var work: RemoteWork<Content>? { if case .apply(_, let work) = self { work } else { nil } }

    /// Whether it is a commit.
    var isOfStore: Bool {
        switch self {
        case .claim, .renew, .release, .clear, .apply, .sweep, .take, .settle: true
        default: false
        }
    }
}

extension RemoteWork {
    /// Whether it stores no more than the number of a full sync.
    var isNumber: Bool { page == nil && changes.isEmpty && state?.fullSyncAt == nil }
}

extension World {
    /// What the hub was notified of.
    var hub: [HubEvent<String>] { log.compactMap { if case .emit(let event) = $0 { event } else { nil } } }
    /// What the error handler received.
    var reports: [SyncReport] { log.compactMap { if case .report(let report) = $0 { report } else { nil } } }
    /// The requests for pages.
    var fetches: [FetchRequest] { log.compactMap { if case .fetch(_, let request) = $0 { request } else { nil } } }
    /// The commits of remote changes.
    var applied: [RemoteWork<String>] { log.filter(\.isOfPage).compactMap(\.work) }
    /// The numbers of full syncs that were stored before any page.
    var numbers: [Int64] { log.compactMap(\.work).filter(\.isNumber).map(\.generation) }
    /// The answers to commands.
    var answers: [CommandResult] { log.compactMap { if case .answer(_, let result) = $0 { result } else { nil } } }
    /// How refreshes ended: with what kind of problem, if there was one.
    var refreshed: [SyncProblem.Kind?] {
        var kinds: [SyncProblem.Kind?] = []
        for case .refreshed(_, let problem) in log { kinds.append(problem?.kind) }
        return kinds
    }
    /// The positions of mutations that were sent, in order.
    var mutations: [Int64] {
        log.compactMap { if case .sendMutation(_, let entry, _) = $0 { entry.position } else { nil } }
    }
    /// The positions of entries whose records were read, in order.
    var checks: [Int64] { log.compactMap { if case .check(_, let entry, _) = $0 { entry.position } else { nil } } }
    /// What the store received about an entry, in order.
    func resolutions(_ position: Int64) -> [Resolution<String>] {
        log.compactMap { effect in
            if case .settle(_, let all, _) = effect { all.first { $0.key.position == position }?.value } else { nil }
        }
    }
    /// The models that were swept.
    var swept: [String] {
        log.compactMap { if case .sweep(_, let model, _) = $0 { model } else { nil } }
    }

    /// Starts, answers everything, and forgets what happened until then.
    mutating func goLive() {
        start()
        run()
        log = []
    }
}

/// A model that was read before.
func synced(_ name: String = "Post", parents: [String] = [], expression: String? = nil) -> ModelPlan {
    var plan = ModelPlan(name: name, parents: parents, expression: expression, shape: "s")
    plan.stored = StoredState(
        lastSync: 200_000, expression: expression, shape: "s", identity: "ann", fullSyncAt: 999_999_000, generation: 4)
    return plan
}

func change(_ key: String, _ version: Int64, at time: Int64, deleted: Bool = false) -> RemoteChange<String> {
    RemoteChange(
        key: RecordKey(key), version: version, lastChangedAt: time, isDeleted: deleted, content: "\(key)@\(version)")
}

extension TakenEntry {
    fileprivate var sentAgain: TakenEntry {
        var entry = self
        entry.attempts += 1
        return entry
    }
}

func entry(
    _ position: Int64, _ kind: MutationKind = .update, _ model: String = "Post", _ key: String? = nil,
    hasCondition: Bool = false, modeCount: Int = 1
) -> TakenEntry {
    TakenEntry(
        id: OutgoingMutation.ID(model: model, key: key ?? "\(position)", position: position), kind: kind,
        hasCondition: hasCondition, modeCount: modeCount)
}
