import HoldfastEngine
import HoldfastInMemory
import HoldfastModel
import HoldfastSchema
import HoldfastStorage
import HoldfastSync

/// Everyone who takes part in a run.
///
/// Unchecked because everything happens on one thread.
final class SimulatedWorld: @unchecked Sendable {
    private let scenario: Scenario
    private let schema: SimulatedSchema
    private let rights: Rights
    private let simulator: Simulator
    private let notes: RunNotes
    private let service: SimulatedService
    private let clients: [SimulatedClient]
    private let ledger = EditLedger()
    private let mutationLog: MutationLog
    private var letterCount = 0
    private var isSettled = false
    private var backgroundTasks: [Task<Void, Never>] = []

    init(
        _ scenario: Scenario, of schema: SimulatedSchema, simulator: Simulator, notes: RunNotes,
        make: @escaping SimulationRun.MakeAdapter
    ) throws {
        self.scenario = scenario
        self.schema = schema
        let rights = Rights(schema, seed: scenario.seed)
        self.rights = rights
        self.simulator = simulator
        self.notes = notes
        // With a change feed events of all processes come from it, otherwise those of a process from itself.
        let hasFeed = scenario.servers > 1 || scenario.seed % 2 == 0
        let service = SimulatedService(
            scenario, of: schema, rights,
            store: SimulatedStore(isKeptOpen: true) { InMemoryAdapter(changeLogCommitCount: hasFeed ? 50 : 0) },
            simulator: simulator, notes: notes)
        self.service = service
        let ledger = ledger
        let mutationLog = MutationLog(
            schema, rights, service.history, misled: scenario.misledClients, strategy: { scenario.strategy(of: $0) })
        self.mutationLog = mutationLog
        clients = scenario.clients.indices.map { number in
            let storage = scenario.clients[number].storage
            let note = notes.notes(of: .client(number))
            let logged = scenario.hasSecondHandle(number) ? 50 : 0
            let store = SimulatedStore(isKeptOpen: storage == Scenario.memory) {
                storage == Scenario.memory
                    ? InMemoryAdapter(changeLogCommitCount: logged) : try make(storage, "client-\(number)")
            }
            let provider = SimulatedProvider(
                user: scenario.clients[number].user ?? 0, rights, simulator: simulator,
                seed: SplitMix64.number(scenario.seed, 0x5057, UInt64(number)))
            let network = SimulatedNetwork(
                client: number, service: service, simulator: simulator, seed: scenario.seed,
                mutationLog: mutationLog, provider: provider, note: note)
            return SimulatedClient(
                number, scenario, of: schema, rights, provider, store: store, network: network,
                watch: ClientWatch(
                    client: number, schema: schema, store: store, history: service.history, ledger: ledger,
                    mutationLog: mutationLog, network: network,
                    hasInterests: scenario.hasInterests(number) || scenario.changesUsers(number) && !rights.isOpen,
                    isMisled: scenario.misledClients.contains(number)),
                simulator: simulator, note: note)
        }
        // Weak, since the clients know the service.
        service.cut = { [weak self] server in
            for client in self?.clients ?? [] { await client.network.cut(to: server) }
        }
    }

    func open() async throws {
        try await service.start()
        for client in clients { try await client.open() }
    }

    /// Plays the steps: those of one process of a client one after the other, as an application makes them.
    func play() async {
        await withTaskGroup(of: Void.self) { group in
            for client in clients {
                let steps = scenario.steps.filter { $0.action.client == client.number }
                let isOfSecond = { (step: Scenario.Step) in step.action.isEdit && client.usesSecondHandle(step.id) }
                for part in [steps.filter { !isOfSecond($0) }, steps.filter(isOfSecond)] where !part.isEmpty {
                    group.addTask { await self.play(part) }
                }
            }
            group.addTask { await self.play(self.scenario.steps.filter { $0.action.client == nil }) }
        }
    }

    private func play(_ steps: [Scenario.Step]) async {
        for step in steps {
            let wait = step.at * 1_000 - simulator.now
            if wait > 0 { try? await simulator.sleep(.microseconds(wait)) }
            let text = "step \(step.id): \(step.action.summary)"
            let kind: RunMark.Kind = step.action.isFault ? .fault : .edit
            if let client = step.action.client {
                notes.add(text, .client(client), kind)
            } else {
                notes.add("service \(text)", step.action.server.map { .server($0) } ?? .everywhere, kind)
            }
            await play(step)
        }
    }

    private func play(_ step: Scenario.Step) async {
        switch step.action {
        case .save(let client, let model, let record, let fields, let parent):
            let client = clients[client]
            await client.edit(step.id) {
                await client.save(step: step.id, model, record, fields, parent: parent, ledger)
            }
        case .empty(let client, let model, let record, let fields):
            let client = clients[client]
            await client.edit(step.id) { await client.empty(step: step.id, model, record, fields, ledger) }
        case .react(let client, let model, let record, let fields):
            let client = clients[client]
            client.react { [self] in
                backgroundTasks.append(
                    Task {
                        await client.edit(step.id) {
                            await client.save(step: step.id, model, record, fields, parent: nil, ledger)
                        }
                    })
            }
        case .delete(let client, let model, let record):
            let client = clients[client]
            await client.edit(step.id) { await client.delete(step: step.id, model, record, ledger) }
        case .saveIf(let client, let model, let record, let fields):
            let client = clients[client]
            await client.edit(step.id) { await client.saveIf(step: step.id, model, record, fields, ledger) }
        case .deleteIf(let client, let model, let record):
            let client = clients[client]
            await client.edit(step.id) { await client.deleteIf(step: step.id, model, record, ledger) }
        case .move(let client, let model, let record, let parent):
            let client = clients[client]
            await client.edit(step.id) { await client.move(step: step.id, model, record, to: parent, ledger) }
        case .letter(let client, let decision):
            let client = clients[client]
            await client.edit(step.id) { await client.decide(decision, step: step.id, ledger) }
        case .command(let client, let command):
            backgroundTasks.append(Task { await self.clients[client].command(command) })
        case .network(let client, let isUp): await clients[client].setNetwork(isUp: isUp)
        case .requests(let client, let fault, let count): clients[client].network.add(fault, count: count)
        case .provider(let client, let fault, let count): clients[client].provider.add(fault, count: count)
        case .sockets(let client, let fault): await clients[client].network.apply(fault)
        case .death(let client, let commits, let isBefore, let pause):
            clients[client].scheduleDeath(commits: commits, isBefore: isBefore, pause: pause)
        case .commits(let client, let fault, let count): clients[client].add(fault, count: count)
        case .reads(let client, let count): clients[client].addReadFaults(count: count)
        case .clock(let client, let by): clients[client].moveClock(by: by)
        case .interest(let client, let title):
            backgroundTasks.append(Task { await self.clients[client].change(interest: title) })
        case .user(let client, let user):
            backgroundTasks.append(Task { await self.clients[client].change(user: user) })
        case .upgrade(let client): clients[client].upgrade()
        case .serverCommits(let server, let fault, let count): service.add(fault, to: server, count: count)
        case .serverDeath(let server, let pause):
            backgroundTasks.append(
                Task {
                    await self.service.kill(server)
                    try? await self.simulator.sleep(.milliseconds(pause))
                    await self.start(server)
                })
        case .serverClock(let server, let by): service.moveClock(of: server, by: by)
        case .purge: await service.purge()
        case .backup: await service.backUp()
        case .restore: await service.restore()
        }
    }

    private func start(_ server: Int) async {
        do { try await service.start(server) } catch { notes.violation("server \(server) cannot start: \(error)") }
    }

    /// Ends all faults, and waits until all clients are synchronized.
    func settle() async {
        notes.add("faults end")
        // Commands of the last steps are called first, so that none of them stops a client after it was started here.
        try? await simulator.sleep(.milliseconds(1))
        for client in clients {
            client.network.endFaults()
            client.provider.endFaults()
            client.endFaults()
        }
        service.endFaults()
        for number in 0..<scenario.servers { await start(number) }
        for client in clients {
            await client.back()
            await client.setNetwork(isUp: true)
            let changes = scenario.changesInterests(client.number)
            backgroundTasks.append(
                Task {
                    // Expressions are looked at when a client starts.
                    if changes { await client.command(.stop) }
                    await client.command(.start)
                })
        }
        if clients.contains(where: \.hasReactions) {
            try? await simulator.sleep(.seconds(30))
            for client in clients { client.dropReactions() }
            try? await simulator.sleep(.seconds(1))
        }
        let begin = simulator.now
        var restarts = restarts
        var found = await differences()
        while !found.isEmpty, simulator.now < begin + SimulationRun.settlingTimeout.microseconds {
            try? await simulator.sleep(.seconds(simulator.now < begin + 60_000_000 ? 5 : 60))
            found = await differences()
            guard !found.isEmpty, let next = restarts.first, simulator.now > begin + next.after.microseconds else {
                continue
            }
            restarts.removeFirst()
            for client in next.clients {
                await client.command(.stop)
                await client.command(.start)
            }
        }
        for difference in found.prefix(8) { notes.violation("not synchronized: \(difference)") }
        isSettled = found.isEmpty
        if isSettled { notes.add("all clients are synchronized") }
    }

    /// When clients begin again if not everyone is synchronized, after the end of the faults.
    ///
    /// What was refused stays so until the next start, a delta of which a record was missing is not asked for again
    /// before, and an event that was lost is missed until the next reading. That start comes soon, so that a delta must
    /// be enough. Only what a full sync did not show comes with the next one, which is due much later. Everything else
    /// must heal by itself.
    private var restarts: [(after: Duration, clients: [SimulatedClient])] {
        let waiting = scenario.clientsWaitingForStart
        let restarts: [(after: Duration, clients: [SimulatedClient])] = [
            (.seconds(60), clients.filter { waiting.contains($0.number) || $0.network.losesEvents }),
            (SimulationRun.settlingTimeout / 2, clients.filter(\.network.hidesRecords)),
        ]
        return restarts.filter { !$0.clients.isEmpty }
    }

    /// How clients differ from the service.
    private func differences() async -> [String] {
        var found: [String] = []
        // More are not reported.
        for client in clients where found.count < 8 {
            do { found += try await differences(of: client) } catch { found.append("\(error)") }
        }
        return found
    }

    private func differences(of client: SimulatedClient) async throws -> [String] {
        guard client.life != nil, let schema = client.store.schema else { return ["client \(client.number) is dead"] }
        var found: [String] = []
        let outbox = try await client.store.rows(of: OutboxEntry.entity.name)
        if !outbox.isEmpty { found.append("client \(client.number) has \(outbox.rowCount) unsent changes") }
        let shelf = try await client.store.rows(of: ShelfItem.entity.name)
        let waiting = (0..<shelf.rowCount).compactMap { ShelfItem(shelf[$0]) }.filter { $0.reason != .notStorable }
        if !waiting.isEmpty { found.append("client \(client.number) has \(waiting.count) records on its shelf") }
        for model in self.schema.models {
            let entity = try schema.entity(named: model.name)
            let rows = try await client.store.rows(of: entity.name)
            var expected = service.history.content(of: entity.name)
            if let wanted = self.schema.interest, wanted.model == model.name, let limit = client.interest {
                expected = expected.filter { $0.value.fields[wanted.field]?.text.map { $0 < limit } ?? false }
            }
            if !rights.isOpen {
                expected = expected.filter { rights.shows(model, $0.value.fields, to: client.provider.user) }
            }
            let unread = client.isTruncated ? try await unread(model.name, at: client) : []
            // Without a parent that it must have, the service shows a record to no one.
            let hidden = expected.filter { hidesParent(of: $0.value, model, from: client.provider.user) }
            for key in hidden.keys { expected[key] = nil }
            for row in 0..<rows.rowCount {
                let key = entity.key(of: rows[row])
                if unread.contains(key.outboxText) || hidden[key] != nil { continue }
                let name = "\(entity.name) \(key.outboxText) of client \(client.number)"
                guard let state = expected.removeValue(forKey: key) else {
                    // It was deleted while the device was away for longer than tombstones live.
                    let record = ServiceHistory.Record(model: entity.name, key: key)
                    if client.isTruncated, service.history.hasForgotten(record) { continue }
                    found.append("\(name) is not at the service")
                    continue
                }
                for (field, value) in zip(entity.fields, rows[row])
                where !field.type.meansTheSame(value, state.fields[field.name] ?? .null) {
                    found.append(
                        "\(field.name) of \(name) is \(value.plain), and \((state.fields[field.name] ?? .null).plain) at the service"
                    )
                }
            }
            if client.isTruncated { continue }
            for key in expected.keys.map(\.outboxText).sorted() {
                found.append("\(entity.name) \(key) is not at client \(client.number)")
            }
        }
        return found
    }

    /// Whether no rule shows a user a record that another one must belong to.
    private func hidesParent(of state: ServiceHistory.State, _ model: SimulatedModel, from user: Int) -> Bool {
        if rights.isOpen { return false }
        return requiredParents(of: state, model).contains { parent in
            guard let model = schema.model(parent.model),
                let shown = service.history.states[parent]?.last(where: { !$0.isLost })
            else { return false }
            return !rights.shows(model, shown.fields, to: user)
        }
    }

    private func requiredParents(of state: ServiceHistory.State, _ model: SimulatedModel) -> [ServiceHistory.Record] {
        model.links.filter { $0.isOwned && $0.isRequired }.compactMap { $0.parent(of: state.fields) }
    }

    /// The keys of the records that the newest full sync of a model did not reach, which stay as they were.
    private func unread(_ model: String, at client: SimulatedClient) async throws -> Set<String> {
        let states = try await client.store.rows(of: ModelState.entity.name)
        let generation = (0..<states.rowCount).compactMap { ModelState(states[$0]) }.first { $0.model == model }?
            .generation
        let rows = try await client.store.rows(of: RecordMetadata.entity.name)
        let metadata = (0..<rows.rowCount).compactMap { RecordMetadata(rows[$0]) }
        return Set(metadata.filter { $0.model == model && $0.generation < generation ?? 0 }.map(\.key))
    }

    /// Looks at what must hold in the end.
    func judge() async {
        var letters: [Int: [DeadLetterText]] = [:]
        for client in clients {
            do {
                let rows = try await client.store.rows(of: DeadLetter.entity.name)
                let stored = (0..<rows.rowCount).compactMap { DeadLetter(rows[$0]) }
                let given = stored + client.decidedLetters.filter { !stored.contains($0) }
                let created = Set(given.filter { $0.operation == .create }.compactMap(record))
                for letter in given {
                    letterCount += 1
                    if let problem = problem(letter, of: client.number, created: created) {
                        notes.violation(problem)
                    }
                    letters[client.number, default: []].append(
                        DeadLetterText(
                            model: letter.model, key: letter.key, isDeletion: letter.operation == .delete,
                            payload: letter.payload ?? ""))
                }
                for problem in try await client.liveProblems() { notes.violation(problem) }
                for problem in await client.observerProblems(isSettled: isSettled) { notes.violation(problem) }
            } catch {
                notes.violation("client \(client.number) cannot be read: \(error)")
            }
        }
        // What is still on its way is not lost.
        guard isSettled else { return }
        // A handler that retries changes may set a value twice, and so may a function of the service.
        let retryingClients = scenario.clients.indices.filter {
            scenario.clients[$0].handler == .retryLocal || scenario.hasFunctions
        }
        for problem in ledger.problems(service.history, letters: letters, retryingClients: Set(retryingClients)) {
            notes.violation(problem)
        }
    }

    private func record(_ letter: DeadLetter) -> ServiceHistory.Record? {
        guard let entity = schema.model(letter.model)?.entity else { return nil }
        return RecordKey(outboxText: letter.key, of: entity).map {
            ServiceHistory.Record(model: letter.model, key: $0)
        }
    }

    /// Whether no rule allows what was given up to one of those who were signed in at a client.
    private func isForbidden(
        _ letter: DeadLetter, of record: ServiceHistory.Record, at client: SimulatedClient
    ) -> Bool {
        guard !rights.isOpen, let model = schema.model(letter.model) else { return false }
        let action: ModelAccess.Action =
            switch letter.operation {
            case .create: .create
            case .update: .update
            case .delete: .delete
            }
        var states = (service.history.states[record] ?? []).map(\.fields)
        if states.isEmpty { states = client.provider.users.map { rights.state(of: model, by: $0) } }
        return states.contains { fields in
            client.provider.users.contains {
                !rights.shows(model, fields, to: $0) || !rights.allows(action, model, fields, to: $0)
            }
        }
    }

    /// Nothing is given up without a reason.
    ///
    /// - Parameters:
    ///   - letter: What was given up.
    ///   - client: Who gave it up.
    ///   - created: The records of which it gave up a creation; what follows a creation goes with it.
    /// - Returns: What is wrong, in words; `nil` if there was a reason.
    private func problem(_ letter: DeadLetter, of client: Int, created: Set<ServiceHistory.Record>) -> String? {
        guard let record = record(letter) else { return "client \(client) gave up a change of an unknown record" }
        if service.history.lost.contains(record) { return nil }
        if letter.message == DeadReason.overruled.message, scenario.clients[client].handler == .retryLocal,
            !scenario.misledClients.contains(client)
        {
            return "client \(client) gave up a change of \(record.text), which its handler always retries"
        }
        // It is compared with the refusal where it is committed.
        if letter.message == SyncedRecord.refusedParent { return nil }
        if !rights.isOpen {
            // It was carried out, and cannot be shown to this user without a parent that an earlier one created.
            if letter.message?.hasPrefix("Cannot return null") == true, clients[client].provider.users.count > 1,
                let state = service.history.states[record]?.last, let model = schema.model(record.model),
                created.isDisjoint(with: requiredParents(of: state, model))
            {
                return nil
            }
        }
        let isRefused = scenario.refusedClients.contains(client)
        if letter.errorType == "Unauthorized", isRefused || isForbidden(letter, of: record, at: clients[client]) {
            return nil
        }
        // A client that does not have all records may create one that is there, also one that it created before.
        let mayLackIt = scenario.hasInterests(client) || clients[client].isTruncated || scenario.clears(client)
        if !(created.contains(record) && mayLackIt), mutationLog.isAlone(client, with: record) {
            return
                "client \(client) gave up a change of \(record.text), which no one else has changed: \(letter.errorType ?? "-")"
        }
        // What has no condition fails for another reason; only a creation may meet a record that the client cannot see.
        // If the service no longer has the record, what was changed after it under a condition goes with that.
        let isCondition = letter.errorType == DeadReason.conditionFailed.errorType
        let mayFollow = clients[client].watch.conditional.contains(record)
        if isCondition, letter.condition == nil, letter.operation != .create, !mayFollow {
            return "client \(client) gave up a change of \(record.text) for a condition that it does not have"
        }
        let known = ["ConflictUnhandled", "ConditionalCheckFailedException"]
        if known.contains(letter.errorType ?? "") { return nil }
        return "client \(client) gave up a change of \(record.text): \(letter.errorType ?? "-")"
    }

    func end() async {
        for client in clients { await client.shutDown() }
        // A process of the service that died may still be about to start.
        for task in backgroundTasks { await task.value }
        await service.end()
    }

    var report: RunReport {
        var report = RunReport(seed: scenario.seed)
        report.operations = ledger.operations
        report.requests = mutationLog.requests
        report.mutations = mutationLog.mutations
        report.conflicts = mutationLog.conflicts
        report.crashes = clients.map(\.crashes).reduce(0, +)
        report.commits = clients.map(\.watch.commits).reduce(0, +)
        report.states = service.history.count
        report.deadLetters = letterCount
        return report
    }
}
