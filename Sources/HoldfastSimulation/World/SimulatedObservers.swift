import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastSync

/// What is reported to observers of an application while it runs: of its records, of its changes on their way, and of
/// the hub.
///
/// Unchecked because everything happens on one thread.
final class SimulatedObservers: @unchecked Sendable {
    private let history: ServiceHistory
    private let schema: SimulatedSchema
    /// What the changes that were observed make of the records: for each model, the cells of each key.
    private var observed: [String: [RecordKey: [Value]]] = [:]
    private var receipts: [(receipt: Receipt, task: Task<Void, Never>)] = []
    /// The last states of the receipts that came to their end.
    private var ends: [String: Receipt.State] = [:]
    /// The receipts of changes that were made before the store was cleared.
    private var cleared: Set<String> = []
    private var hub = HubOrder()
    private var reading = ReadingOrder()
    /// Receives what was reported wrongly, at once: the application may not live until the end of the run.
    private let violation: @Sendable (String) -> Void
    private var problemCount = 0
    /// Whether the store may not be readable at some time.
    private let failsReads: Bool

    init(
        history: ServiceHistory, _ schema: SimulatedSchema, failsReads: Bool = false,
        violation: @escaping @Sendable (String) -> Void
    ) {
        self.history = history
        self.schema = schema
        self.failsReads = failsReads
        self.violation = violation
    }

    // MARK: - Records

    /// Begins to observe all models; observing begins before this returns.
    func observe(_ data: DataStore) throws -> [Task<Void, Never>] {
        try schema.models.map { try observe($0.type, data) }
    }

    private func observe<M: SimulatedRecord>(_ type: M.Type, _ data: DataStore) throws -> Task<Void, Never> {
        let changes = try data.observe(type)
        return Task { await self.follow(changes, data) }
    }

    private func follow<M: SimulatedRecord>(_ changes: ModelChanges<M>, _ data: DataStore) async {
        var iterator = changes.makeAsyncIterator()
        await read(M.self, data)
        while true {
            do {
                guard let change = try await iterator.next() else { return }
                try note(change)
            } catch let error as StorageError where error.kind == .changesMissed || isPassing(error) {
                await read(M.self, data)
            } catch {
                return
            }
        }
    }

    private func read<M: SimulatedRecord>(_ type: M.Type, _ data: DataStore) async {
        while true {
            do {
                let models = try await data.query(type)
                observed[M.modelName] = Dictionary(
                    models.compactMap { model in (try? model.recordKey()).map { ($0, model.cells) } },
                    uniquingKeysWith: { first, _ in first })
                return
            } catch let error as StorageError where isPassing(error) {
                continue
            } catch {
                return
            }
        }
    }

    /// Whether an error says that the store could not be read once.
    private func isPassing(_ error: StorageError) -> Bool { error.kind == .io && failsReads }

    private func note<M: SimulatedRecord>(_ change: ModelChange<M>) throws {
        let key = try change.model.recordKey()
        observed[M.modelName, default: [:]][key] = change.kind == .deleted ? nil : change.model.cells
        guard change.kind != .deleted, let version = change.serviceVersion else { return }
        let record = ServiceHistory.Record(model: M.modelName, key: key)
        if history.states[record]?.contains(where: { $0.version == version }) != true {
            add("observers were notified of version \(version) of \(record.text), which the service never gave it")
        }
    }

    /// What the changes that were observed make of a model's records.
    func texts(of model: String) -> [String] { LiveResults.texts((observed[model] ?? [:]).values, of: model) }

    // MARK: - Receipts

    /// Follows a change to its end.
    func follow(_ receipt: Receipt) {
        let task = Task {
            var last: Receipt.State?
            var isOver = false
            while !isOver {
                isOver = true
                do {
                    for try await state in receipt.states {
                        if last?.isSettled == true { self.add("receipt \(receipt.id) continued after its end") }
                        last = state
                    }
                } catch let error as StorageError where self.isPassing(error) {
                    // An application begins again.
                    isOver = false
                } catch {
                    self.add("receipt \(receipt.id) failed: \(error)")
                }
            }
            if let last, last.isSettled { self.ends[receipt.id] = last }
        }
        receipts.append((receipt, task))
    }

    /// The store was cleared.
    func noteClear() { cleared.formUnion(receipts.map(\.receipt.id)) }

    /// What of the receipts does not fit the records once nothing is unsent.
    func receiptProblems() async -> [String] {
        var found: [String] = []
        for (receipt, _) in receipts {
            guard let state = try? await receipt.state() else { continue }
            if !state.isSettled { found.append("receipt \(receipt.id) has no end: \(state)") }
            if cleared.contains(receipt.id), state != .cleared {
                found.append("the change of receipt \(receipt.id) was cleared, and is \(state)")
            }
            guard let last = ends[receipt.id] else {
                found.append("who follows receipt \(receipt.id) never learns its end")
                continue
            }
            if case .rejected = last { continue }
            // A letter may be gone by now; what was confirmed stays so.
            if case .rejected = state { found.append("receipt \(receipt.id) was confirmed, and is refused") }
        }
        return found
    }

    /// Ends with the application.
    func end() async {
        for (_, task) in receipts {
            task.cancel()
            await task.value
        }
    }

    // MARK: - The hub

    /// Records an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - hasSockets: Whether the client has open sockets.
    ///   - readings: How many readings of each model have ended.
    func note(_ event: HubEvent<SyncContent>, hasSockets: Bool, readings: [String: Int] = [:]) {
        if let problem = hub.note(event, hasSockets: hasSockets) { add(problem) }
        if let problem = reading.note(event, readings: readings) { add(problem) }
        switch event {
        case .outboxMutationProcessed(let content):
            for remote in content.records { check(remote, of: content.model) }
        default: break
        }
    }

    /// Records a problem.
    func note(_ report: SyncReport) { hub.note(report) }

    private func check(_ remote: RemoteRecord, of model: String) {
        let record = ServiceHistory.Record(model: model, key: remote.key)
        if history.state(of: record, version: remote.version, lastChangedAt: remote.lastChangedAt) == nil {
            add("the hub heard of version \(remote.version) of \(record.text), which the service never gave it")
        }
    }

    /// The application has ended the session.
    func noteEnd(at microseconds: Int64) { reading.noteEnd(at: microseconds) }

    /// A live query says that the records of its model are synchronized.
    func noteSynced(_ model: String, at microseconds: Int64) {
        if let problem = reading.problem(ofSynced: model, at: microseconds) { add(problem) }
    }

    /// What is wrong in the hub's last events once nothing is unsent.
    var hubProblems: [String] { hub.problems }

    /// The models that the service refuses in this connection, whose records do not count as synchronized.
    var refusedModels: Set<String> { hub.refused }

    private func add(_ problem: String) {
        guard problemCount < 5 else { return }
        problemCount += 1
        violation(problem)
    }
}

/// The order in which the hub must hear of things: a session's subscriptions, queries, and its readiness.
struct HubOrder: Sendable {
    private enum Phase: Sendable { case idle, subscribed, reading, read, started, ready }

    private var phase = Phase.idle
    /// Whether there are subscriptions that no queries have followed.
    private var isSubscribed = false
    /// Whether queries began without subscriptions, which may follow at any time.
    private var isWithoutSockets = false
    private var synced: Set<String> = []
    /// The models that the service refuses, which the hub does not hear of.
    private(set) var refused: Set<String> = []
    private var models: [String] = []
    private var isOutboxEmpty: Bool?
    private var isNetworkActive: Bool?

    /// Records an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - hasSockets: Whether the client has open sockets.
    /// - Returns: What is wrong with it.
    mutating func note<Content>(_ event: HubEvent<Content>, hasSockets: Bool = true) -> String? {
        switch event {
        case .networkStatus(let isActive):
            isNetworkActive = isActive
            if !isActive { (phase, isSubscribed, isWithoutSockets) = (.idle, false, false) }
        case .outboxStatus(let isEmpty): isOutboxEmpty = isEmpty
        // A lost socket is not announced, so that a session may begin at any time.
        case .subscriptionsEstablished:
            isSubscribed = true
            if !isWithoutSockets { phase = .subscribed }
        case .syncQueriesStarted(let models):
            defer { (phase, self.models, synced, refused, isSubscribed) = (.reading, models, [], [], false) }
            isWithoutSockets = !hasSockets
            if hasSockets, !isSubscribed { return "the hub heard of queries before the subscriptions" }
        case .modelSynced(let model, _, _, _, _):
            defer { synced.insert(model) }
            if phase == .idle || phase == .subscribed { return "the hub heard of model \(model) before the queries" }
            if synced.contains(model) { return "the hub heard twice that model \(model) was read" }
        case .syncQueriesReady: return advance(from: .reading, to: .read, "the end of queries")
        case .syncStarted: return advance(from: .read, to: .started, "the start")
        case .ready: return advance(from: .started, to: .ready, "readiness")
        case .outboxMutationProcessed, .conditionalSaveFailed, .syncReceived: break
        }
        return nil
    }

    /// Records a problem.
    mutating func note(_ report: SyncReport) {
        if case .model(let name, _, retry: nil) = report { refused.insert(name) }
    }

    private mutating func advance(from expected: Phase, to next: Phase, _ name: String) -> String? {
        defer { phase = next }
        return phase == expected ? nil : "the hub heard of \(name) at the wrong time"
    }

    /// What is wrong in the last events once everything is synchronized.
    var problems: [String] {
        var problems: [String] = []
        if isOutboxEmpty != true { problems.append("the hub last heard that the outbox is not empty") }
        if isNetworkActive != true { problems.append("the hub last heard that there is no network") }
        if phase != .ready { problems.append("the hub did not hear that the session is ready") }
        for model in models where !synced.contains(model) && !refused.contains(model) {
            problems.append("the hub did not hear that model \(model) was read")
        }
        return problems
    }
}
