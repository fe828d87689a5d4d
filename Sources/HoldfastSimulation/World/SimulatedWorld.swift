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
    private let simulator: Simulator
    private let notes: RunNotes
    private let service: SimulatedService
    private let comparison: FinalComparison
    private let reasons: LetterReasons
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
        comparison = FinalComparison(schema: schema, rights: rights, history: service.history)
        reasons = LetterReasons(
            scenario: scenario, schema: schema, rights: rights, history: service.history, mutationLog: mutationLog)
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
            do { found += try await comparison.differences(of: client) } catch { found.append("\(error)") }
        }
        return found
    }

    /// Looks at what must hold in the end.
    func judge() async {
        var letters: [Int: [DeadLetterText]] = [:]
        for client in clients {
            do {
                let rows = try await client.store.rows(of: DeadLetter.entity.name)
                let stored = (0..<rows.rowCount).compactMap { DeadLetter(rows[$0]) }
                let given = stored + client.decidedLetters.filter { !stored.contains($0) }
                let created = Set(given.filter { $0.operation == .create }.compactMap(reasons.record))
                for letter in given {
                    letterCount += 1
                    if let problem = reasons.problem(letter, of: client, created: created) {
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
