import HoldfastServer
import HoldfastStorage

/// The service: processes on one store.
///
/// Unchecked because everything happens on one thread.
final class SimulatedService: @unchecked Sendable {
    /// One process.
    private struct Process {
        var server: SyncServer
        var adapter: SimulatedAdapter
    }

    let store: SimulatedStore
    let history: ServiceHistory
    private let simulator: Simulator
    private let scenario: Scenario
    private let schema: SimulatedSchema
    private let notes: RunNotes
    private var processes: [Int: Process] = [:]
    /// By how many milliseconds the clock of each process is wrong, and was at most.
    private var clockErrors: [Int: Int64] = [:]
    private var highestClockErrors: [Int: Int64] = [:]
    private var commitFaults: [Int: [(fault: Scenario.CommitFault, count: Int)]] = [:]
    private var starts = 0
    /// The last backup.
    private var backup: SimulatedStore.Backup?
    /// Whether an administrator restores the store, so that no process may run.
    private var isRestoring = false
    /// By how many milliseconds the clock of the first process was wrong when versions were last renewed.
    private var errorAtRenewal: Int64 = .min
    /// Ends the sockets of a process that died.
    var cut: @Sendable (Int) async -> Void = { _ in }

    /// By how many milliseconds the clock of one of several processes may be wrong, and any clock go back.
    private static let largestClockError: Int64 = 30_000

    /// How long the service keeps tombstones.
    static func tombstoneLife(_ scenario: Scenario) -> Duration { .seconds(scenario.tombstoneLife ?? 600) }

    init(
        _ scenario: Scenario, of schema: SimulatedSchema, _ rights: Rights, store: SimulatedStore,
        simulator: Simulator, notes: RunNotes
    ) {
        self.scenario = scenario
        self.schema = schema
        self.simulator = simulator
        self.notes = notes
        self.store = store
        history = ServiceHistory(
            schema, expectsParents: scenario.misledClients.isEmpty && rights.isOpen,
            strategy: { scenario.strategy(of: $0) })
    }

    /// Starts all processes that do not run.
    func start() async throws { for number in 0..<scenario.servers { try await start(number) } }

    /// Starts a process if it does not run.
    func start(_ number: Int) async throws {
        guard processes[number] == nil, !isRestoring else { return }
        let process = try await open(number)
        // Meanwhile an administrator may have begun to restore the store, or another start came first.
        guard processes[number] == nil, !isRestoring else {
            process.adapter.die()
            try? await process.server.close()
            return
        }
        processes[number] = process
    }

    /// Opens the store.
    private func open(_ number: Int) async throws -> Process {
        starts += 1
        let seed = scenario.seed &+ UInt64(starts) &* 7_919
        let adapter = try SimulatedAdapter(store, simulator: simulator, seed: seed, slowest: scenario.storePause)
        let note = notes.notes(of: .server(number))
        adapter.committed = { [history, store] request, receipt in
            if note.notes.keepsTimeline {
                let text = MessageText.commit(request, store.schema)
                if !text.isEmpty { note.notes.mark(text, note.place, .commit) }
            }
            for problem in history.add(request, receipt, store.schema) { note.violation(problem) }
        }
        adapter.fate = { [unowned self] in nextFate(of: number) }
        let function = SimulatedConflictFunction(seed: scenario.seed, schema: schema) { [simulator] in
            try? await simulator.sleep($0)
        }
        let options = ServerOptions(
            apiKeys: ["key"],
            verify: { credentials in
                let token = credentials.headers["authorization"] ?? ""
                return Rights.identity(ofToken: token).map { .verified($0) } ?? .refused("No such user.")
            }, strategy: scenario.strategy.ofService,
            strategies: (scenario.strategies ?? [:]).mapValues(\.ofService), handler: function.resolution,
            tombstoneLife: Self.tombstoneLife(scenario), report: { note("server \(number) reports \($0)") })
        let surroundings = simulator.surroundings(seed: seed) { [unowned self] _ in clock(of: number) }
        let server = try await SyncServer.open(
            schemas: schema.served, options: options, surroundings: surroundings
        ) { adapter }
        return Process(server: server, adapter: adapter)
    }

    /// Ends a process at once.
    func kill(_ number: Int) async {
        guard let process = processes.removeValue(forKey: number) else { return }
        process.adapter.die()
        await cut(number)
        try? await process.server.close()
    }

    /// Moves the clock of a process.
    ///
    /// A service may rely on clocks that differ by a minute at most and never go back by more: jumps do not add up.
    func moveClock(of number: Int, by milliseconds: Int64) {
        let most = scenario.servers == 1 ? .max : Self.largestClockError
        let error = min(clockErrors[number, default: 0] + milliseconds, most)
        let highest = highestClockErrors[number, default: 0]
        clockErrors[number] = max(error, highest - Self.largestClockError)
        highestClockErrors[number] = max(error, highest)
    }

    /// What the clock of a process shows, in microseconds since 1970.
    private func clock(of number: Int) -> Int64 {
        1_700_000_000_000_000 + simulator.now + (clockErrors[number] ?? 0) * 1_000
    }

    func add(_ fault: Scenario.CommitFault, to number: Int, count: Int) {
        commitFaults[number, default: []].append((fault, count))
    }

    /// Ends all faults.
    func endFaults() { commitFaults = [:] }

    private func nextFate(of number: Int) -> SimulatedAdapter.Fate {
        // A process that cannot start is of no use.
        guard processes[number] != nil, let first = commitFaults[number]?.first else { return .carriedOut }
        commitFaults[number]?[0].count -= 1
        if first.count <= 1 { commitFaults[number]?.removeFirst() }
        notes.add("commit of server \(number) fails: \(first.fault.rawValue)", .server(number), .fault)
        return .failing(first.fault)
    }

    func purge() async {
        guard let process = processes.min(by: { $0.key < $1.key })?.value else { return }
        let count = try? await process.server.purgeTombstones()
        notes.add("\(count ?? 0) tombstones are gone")
    }

    /// Copies the store while it is in use.
    func backUp() async {
        do {
            backup = try await store.backUp(isExact: scenario.hasExactBackups == true)
        } catch {
            notes.violation("the service cannot be backed up: \(error)")
        }
    }

    /// Goes back to the last backup, as an administrator does.
    func restore() async {
        guard let backup, !isRestoring else { return }
        isRestoring = true
        await end()
        try? await simulator.sleep(.seconds(2))
        do {
            try await store.restore(backup)
            var rows: [(entity: EntitySchema, rows: RowBuffer)] = []
            for model in schema.models {
                guard let entity = try store.schema?.entity(named: model.name) else { continue }
                rows.append((entity, try await store.rows(of: entity.name)))
            }
            history.restore(rows)
            notes.add("the service has what it had at its backup")
            // A clock that has gone back since is set right first: it would give versions that devices already have.
            clockErrors[0] = max(clockErrors[0] ?? 0, errorAtRenewal)
            history.isRenewing = true
            let process = try await open(0)
            try await renewVersions(process.server)
            errorAtRenewal = clockErrors[0] ?? 0
            process.adapter.die()
            try? await process.server.close()
        } catch {
            notes.violation("the service cannot be restored: \(error)")
        }
        history.isRenewing = false
        isRestoring = false
        do { try await start() } catch { notes.violation("the service cannot start: \(error)") }
    }

    /// An administrator repeats what has failed.
    private func renewVersions(_ server: SyncServer) async throws {
        while true {
            do throws(StorageError) {
                try await server.renewVersions()
                return
            } catch {
                if error.retry == .never { throw error }
                try await simulator.sleep(.seconds(2))
            }
        }
    }

    /// The process that a client reaches, which may be another one after a death.
    func server(for client: Int) -> (number: Int, server: SyncServer)? {
        let wanted = client % max(1, scenario.servers)
        if let process = processes[wanted] { return (wanted, process.server) }
        return processes.min { $0.key < $1.key }.map { ($0.key, $0.value.server) }
    }

    func isRunning(_ number: Int, _ server: SyncServer) -> Bool { processes[number]?.server === server }

    /// Ends all processes in order.
    func end() async { for number in processes.keys.sorted() { await kill(number) } }
}

extension Scenario.Strategy {
    /// The same as the service calls it.
    fileprivate var ofService: ConflictStrategy {
        switch self {
        case .automerge: .automerge
        case .optimistic: .optimisticConcurrency
        case .function: .handler
        }
    }
}
