import HoldfastEngine
import HoldfastModel
import HoldfastSchema
import HoldfastStorage
import HoldfastSync
import HoldfastWire

/// A device: an application on a store, with its sync engine, through all its crashes.
///
/// Unchecked because everything happens on one thread.
final class SimulatedClient: @unchecked Sendable {
    /// The application from one start to its death.
    struct Life {
        var adapter: SimulatedAdapter
        /// Another process on the same store.
        var second: (adapter: SimulatedAdapter, data: DataStore)?
        /// The models of the application.
        var schema: SimulatedSchema
        var data: DataStore
        var engine: SyncEngine
        var transport: ProcessTransport
        var tasks: [Task<Void, Never>]
        var liveResults: LiveResults
        var observers: SimulatedObservers

        /// The models whose live queries do not call their records synchronized, although the service lets them be read.
        var unsynced: [String] { liveResults.unsynced.filter { !observers.refusedModels.contains($0) } }
    }

    let number: Int
    let store: SimulatedStore
    let network: SimulatedNetwork
    let provider: SimulatedProvider
    let watch: ClientWatch
    let scenario: Scenario
    /// The models of the application's version.
    private(set) var schema: SimulatedSchema
    let rights: Rights
    private let simulator: Simulator
    private let note: PlaceNotes
    private var lives = 0
    private(set) var life: Life?
    private var clockError: Int64
    /// Whether the application wants to be synchronized with the service.
    private var wantsSync = false
    /// What it asks for, as the scenario says.
    private(set) var interest: String?
    private var pendingDeath: (commits: Int, isBefore: Bool, pause: Int64)?
    /// What the application does as soon as its next change has arrived at the service.
    private var reactions: [@Sendable () -> Void] = []
    /// With each handle the application makes one edit after the other.
    private let editing = (first: AsyncMutex(), second: AsyncMutex())
    private var commitFaults: [(fault: Scenario.CommitFault, count: Int)] = []
    /// How many readings of the store are still to fail, and how many there were meanwhile.
    private var (readFaultCount, readCount) = (0, UInt64(0))
    private(set) var crashes = 0
    /// The changes that were given up, and about which the application has decided.
    var decidedLetters: [DeadLetter] = []
    private var burial: Task<Void, Never>?
    /// The models of the present version; `nil` once the application has them.
    private var nextSchema: SimulatedSchema?

    init(
        _ number: Int, _ scenario: Scenario, of schema: SimulatedSchema, _ rights: Rights,
        _ provider: SimulatedProvider, store: SimulatedStore, network: SimulatedNetwork, watch: ClientWatch,
        simulator: Simulator, note: PlaceNotes
    ) {
        self.number = number
        self.scenario = scenario
        let isEarlier = scenario.clients[number].isEarlier == true
        self.schema = isEarlier ? schema.earlier : schema
        nextSchema = isEarlier ? schema : nil
        self.rights = rights
        self.provider = provider
        self.store = store
        self.network = network
        self.watch = watch
        self.simulator = simulator
        self.note = note
        clockError = scenario.clients[number].clockError
        interest = scenario.clients[number].interest
    }

    /// Whether the client reads so few records of a model that it lacks some.
    var isTruncated: Bool { scenario.clients[number].maxRecords != nil }

    /// Starts the application.
    func open() async throws {
        lives += 1
        let schema = schema
        let violation: @Sendable (String) -> Void = { [unowned self, lives] problem in
            // What an application meets while it ends means nothing.
            if life != nil, self.lives == lives { note.violation(problem) }
        }
        let seed = SplitMix64.number(scenario.seed, UInt64(number) + 100, UInt64(lives))
        let surroundings = surroundings(seed: seed)
        let (adapter, data) = try await handle(of: schema, surroundings, seed: seed)
        var second: (SimulatedAdapter, DataStore)?
        if scenario.hasSecondHandle(number) {
            do {
                second = try await handle(of: schema, self.surroundings(seed: ~seed), seed: ~seed)
            } catch {
                adapter.die()
                try? await data.close()
                throw error
            }
        }
        let transport = ProcessTransport(network)
        var settings = SyncSettings()
        settings.syncPageSize = 5
        // Shorter than what the service promises, since clocks differ.
        settings.tombstoneLife = SimulatedService.tombstoneLife(scenario) * 5 / 6
        if let count = scenario.clients[number].maxRecords { settings.syncMaxRecords = count }
        if let seconds = scenario.clients[number].overlap { settings.watermarkOverlap = .seconds(seconds) }
        // The last delta heals what events have missed. They must be right without it.
        if scenario.seed % 3 != 0 { settings.trailingDelay = SimulationRun.settlingTimeout * 2 }
        let handler = scenario.clients[number].handler
        let failsReads = scenario.failsReads(number)
        let observers = SimulatedObservers(
            history: watch.history, schema, failsReads: failsReads, violation: violation)
        let schemas = schema.schemas
        let engine = SyncEngine(
            store: data,
            models: try schema.models.reversed().map { model in
                guard let wanted = schema.interest, wanted.model == model.name else {
                    return try SyncedModel(model.schema, among: schemas)
                }
                return try SyncedModel(
                    model.schema, among: schemas,
                    expression: { [unowned self] in interest.map { .compare(wanted.field, .less, .text($0)) } })
            },
            transport: transport,
            authorization: provider.authorization, surroundings: surroundings, settings: settings,
            decide: { _ in handler == .applyRemote ? .applyRemote : .retryLocal },
            notify: { [unowned self] in note($0, observers) })
        let liveResults = LiveResults(
            schema, failsReads: failsReads, violation: violation,
            noteSynced: { [simulator] in observers.noteSynced($0, at: simulator.now) })
        let tasks =
            try [Task { await engine.run() }, Task { await liveResults.follow(data) }] + observers.observe(data)
        life = Life(
            adapter: adapter, second: second, schema: schema, data: data, engine: engine, transport: transport,
            tasks: tasks, liveResults: liveResults, observers: observers)
        if !network.isUp { engine.setNetwork(isUp: false) }
        if wantsSync { Task { _ = await engine.start() } }
    }

    /// Opens the store.
    private func handle(
        of schema: SimulatedSchema, _ surroundings: Surroundings, seed: UInt64
    ) async throws -> (SimulatedAdapter, DataStore) {
        let isShared = scenario.hasSecondHandle(number)
        let adapter = try SimulatedAdapter(
            store, simulator: simulator, seed: seed, slowest: scenario.storePause, isShared: isShared)
        adapter.fate = { [unowned self] in nextFate() }
        adapter.failsToRead = { [unowned self] in failsToRead() }
        adapter.died = { [unowned self] in fall() }
        adapter.committed = { [unowned self] request, _ in
            if request.isClear { life?.observers.noteClear() }
            if note.notes.keepsTimeline {
                let text = MessageText.commit(request, store.schema)
                if !text.isEmpty { note.notes.mark(text, note.place, .commit) }
            }
            // In a task of its own, since the one that commits may be cancelled.
            for problem in await Task(operation: { await self.watch.check(request) }).value {
                note.violation(problem)
            }
        }
        var options = DataStoreOptions(surroundings: surroundings)
        // The pauses of a feed on disk would pass in real time.
        options.observesOtherHandles = isShared
        let data = try await DataStore.open(adapter, models: schema.models.map(\.type), options: options)
        return (adapter, data)
    }

    /// The surroundings of a process; all processes of a device have its clock.
    private func surroundings(seed: UInt64) -> Surroundings {
        simulator.surroundings(seed: seed) { [unowned self] now in
            1_700_000_000_000_000 + now + clockError * 1_000
        }
    }

    private func note(_ notification: SyncNotification, _ observers: SimulatedObservers) {
        switch notification {
        case .hub(let event):
            observers.note(event, hasSockets: network.hasSockets, readings: watch.readings)
            note("hub \(event.name)", .detail)
            if case .outboxMutationProcessed = event, !reactions.isEmpty { reactions.removeFirst()() }
        case .report(let report):
            observers.note(report)
            note("report \(report)")
            // What another user has changed and not sent is given up.
            if report == .refused(.otherUser) { Task { await self.command(.clear) } }
            guard report == .refused(.unauthorized) else { return }
            if provider.isRenewalOpen, !scenario.refusedClients.contains(number) {
                violation("it gave up although there may be another token")
            }
            // The application tries again. With an expired token this would hide that it was not renewed.
            if provider.isTokenAlive { Task { if self.wantsSync { await self.command(.start) } } }
        }
    }

    // MARK: - Death

    func scheduleDeath(commits: Int, isBefore: Bool, pause: Int64) { pendingDeath = (commits, isBefore, pause) }

    func add(_ fault: Scenario.CommitFault, count: Int) { commitFaults.append((fault, count)) }

    func addReadFaults(count: Int) { readFaultCount += count }

    /// Ends all faults.
    func endFaults() {
        pendingDeath = nil
        commitFaults = []
        readFaultCount = 0
    }

    /// Whether the next reading of the store fails: one of ten, so that it can be any that the application makes.
    private func failsToRead() -> Bool {
        guard readFaultCount > 0 else { return false }
        readCount += 1
        var random = SplitMix64(seed: SplitMix64.number(scenario.seed, 0x12EAD, UInt64(number)), readCount)
        guard random.chance(10) else { return false }
        readFaultCount -= 1
        note("a reading fails", .fault)
        return true
    }

    private func nextFate() -> SimulatedAdapter.Fate {
        if let death = pendingDeath {
            if death.commits <= 0 { return .death(isBefore: death.isBefore) }
            pendingDeath?.commits -= 1
        }
        guard let first = commitFaults.first else { return .carriedOut }
        commitFaults[0].count -= 1
        if commitFaults[0].count <= 0 { commitFaults.removeFirst() }
        note("commit fails: \(first.fault.rawValue)", .fault)
        return .failing(first.fault)
    }

    /// The process is gone; the application comes back after a while.
    private func fall() {
        let pause = pendingDeath?.pause ?? 0
        pendingDeath = nil
        if life != nil { crashes += 1 }
        vanish(for: pause)
    }

    /// The process ends where it is, and another one comes later.
    private func vanish(for pause: Int64) {
        guard let life else { return }
        self.life = nil
        note("dies", .fault)
        life.transport.isDead = true
        burial = Task {
            await end(life)
            try? await simulator.sleep(.milliseconds(pause))
            note("comes back")
            // A store whose disk is full cannot be upgraded; its user tries again.
            for attempt in 0... {
                do {
                    return try await open()
                } catch {
                    await store.close()
                    if attempt == 20 { return note.violation("client \(number) cannot open its store: \(error)") }
                    try? await simulator.sleep(.seconds(5))
                }
            }
        }
    }

    private func end(_ life: Life) async {
        life.adapter.die()
        life.second?.adapter.die()
        await network.cut()
        life.engine.close()
        try? await life.data.close()
        try? await life.second?.data.close()
        await life.observers.end()
        for task in life.tasks { await task.value }
        await store.close()
    }

    /// The present version of the application takes the place of the earlier one.
    func upgrade() {
        guard let next = nextSchema else { return }
        nextSchema = nil
        schema = next
        watch.upgrade(next.lateFields)
        vanish(for: 1_000)
    }

    /// Waits until the application is back, if it died.
    func back() async {
        while life == nil, let burial {
            await burial.value; if life != nil { break }; if burial == self.burial { break }
        }
    }

    /// Ends the application in order.
    func shutDown() async {
        await back()
        guard let life else { return }
        self.life = nil
        _ = await life.engine.stop()
        life.transport.isDead = true
        await end(life)
    }

    // MARK: - What users do

    /// Lets the application edit records, one edit after the other.
    ///
    /// - Parameters:
    ///   - step: The number of the edit; two processes edit at the same time.
    ///   - body: The edit.
    func edit(_ step: Int, _ body: () async -> Void) async {
        let lock = usesSecondHandle(step) ? editing.second : editing.first
        await lock.lock()
        await body()
        lock.unlock()
    }

    /// Whether another process than the one that synchronizes makes an edit.
    func usesSecondHandle(_ step: Int) -> Bool { scenario.hasSecondHandle(number) && !step.isMultiple(of: 2) }

    /// The handle with which the application makes an edit.
    func data(for step: Int, _ life: Life) -> DataStore {
        usesSecondHandle(step) ? life.second?.data ?? life.data : life.data
    }

    /// Judges why an edit failed.
    ///
    /// - Parameters:
    ///   - error: What it threw.
    ///   - step: The number of the edit.
    ///   - life: The application that made it.
    ///   - hasCondition: Whether it has a condition.
    /// - Returns: Whether it may have been saved all the same.
    func maySave(_ error: any Error, step: Int, _ life: Life, hasCondition: Bool = false) -> Bool {
        // The application died, or made place for the next version.
        if self.life?.adapter !== life.adapter { return true }
        if let error = error as? ModelError, error.kind == .brokenRelation { return false }
        if hasCondition, let error = error as? ModelError, error.kind == .conditionFailed { return false }
        if scenario.failsCommits(number), let error = error as? StorageError,
            [.full, .busy, .connectionLost].contains(error.kind)
        {
            return error.transaction == .outcomeUnknown
        }
        if scenario.failsReads(number), let error = error as? StorageError, error.kind == .io { return true }
        note.violation("step \(step) failed without a reason: \(error)")
        return true
    }

    /// Reports something that must never happen.
    func violation(_ problem: String) { note.violation(problem) }

    func react(_ edit: @escaping @Sendable () -> Void) { reactions.append(edit) }

    var hasReactions: Bool { !reactions.isEmpty }

    func dropReactions() { reactions = [] }

    func command(_ command: Scenario.Command) async {
        if command != .clear { wantsSync = command == .start }
        guard let engine = life?.engine else { return }
        let result =
            switch command {
            case .start: await engine.start()
            case .stop: await engine.stop()
            case .clear: await engine.clear()
            }
        note("\(command.rawValue): \(result)", .detail)
        if command != .start, result == .done, life?.engine === engine { life?.observers.noteEnd(at: simulator.now) }
        if command == .clear, wantsSync, life?.engine === engine { _ = await engine.start() }
    }

    /// Asks for other records from now on.
    func change(interest title: String?) async {
        interest = title
        guard wantsSync else { return }
        await command(.stop)
        await command(.start)
    }

    /// Lets another user sign in.
    func change(user number: Int) async {
        let wanted = wantsSync
        await command(.stop)
        provider.user = number
        guard wanted || wantsSync else { return }
        // A session that another command began meanwhile is one of the earlier user.
        await command(.stop)
        await command(.start)
    }

    func setNetwork(isUp: Bool) async {
        await network.setUp(isUp)
        life?.engine.setNetwork(isUp: isUp)
    }

    func moveClock(by milliseconds: Int64) { clockError += milliseconds }
}

extension CommitRequest {
    /// Whether it empties the store.
    fileprivate var isClear: Bool {
        operations.contains { if case .clear(OutboxEntry.entity.name) = $0 { true } else { false } }
    }
}

extension HubEvent {
    /// The name of the event, and the model that it is about.
    fileprivate var name: String {
        switch self {
        case .networkStatus(let isActive): "networkStatus(\(isActive))"
        case .outboxStatus(let isEmpty): "outboxStatus(empty: \(isEmpty))"
        case .subscriptionsEstablished: "subscriptionsEstablished"
        case .syncQueriesStarted: "syncQueriesStarted"
        case .modelSynced(let model, let isFull, let added, let updated, let deleted):
            "modelSynced(\(model), \(isFull ? "full" : "delta"), +\(added) ~\(updated) -\(deleted))"
        case .syncQueriesReady: "syncQueriesReady"
        case .syncStarted: "syncStarted"
        case .ready: "ready"
        case .outboxMutationProcessed: "outboxMutationProcessed"
        case .conditionalSaveFailed: "conditionalSaveFailed"
        case .syncReceived: "syncReceived"
        }
    }
}
