import HoldfastStorage

/// Makes scenarios from seeds.
///
/// ```swift
/// var generator = ScenarioGenerator()
/// generator.clients = 4
/// generator.operations = 200
/// let scenario = generator.scenario(seed: 42)  // the same in every run
/// ```
public struct ScenarioGenerator: Sendable {
    /// How many operations of applications a scenario has.
    public var operations = 60
    /// How many clients at most.
    public var clients = 3
    /// How many processes of the service at most.
    public var servers = 2
    /// Whether anything goes wrong.
    public var hasFaults = true
    /// Whether tombstones may live shorter or longer, and clients may read few records.
    public var isHarsh = false
    /// Where clients may keep their records.
    public var storages = [Scenario.memory]
    /// How the service deals with conflicts; `nil` for a choice of the seed.
    public var strategy: Scenario.Strategy?
    /// How it deals with conflicts of some models, by their names.
    public var strategies: [String: Scenario.Strategy] = [:]
    /// The schema whose records change.
    public var schema: SimulatedSchema

    /// Creates a generator with the defaults.
    ///
    /// - Parameter schema: The schema whose records change; one of folders, papers, and remarks by default.
    public init(_ schema: SimulatedSchema = .standard) { self.schema = schema }

    /// The scenario of a seed.
    public func scenario(seed: UInt64) -> Scenario {
        var random = SplitMix64(seed: seed, 1)
        let count = random.number(in: min(2, clients)...clients)
        var scenario = Scenario(
            seed: seed, strategy: random.pick([.optimistic, .automerge]),
            strategies: strategies.isEmpty ? nil : strategies,
            clients: (0..<count).map { _ in client(&random) }, servers: random.number(in: 1...servers),
            tombstoneLife: isHarsh ? random.pick([60, nil, 6_000]) : nil, steps: [])
        // Drawn from another sequence, so that the rest of a seed's scenario stays as it is.
        var other = SplitMix64(seed: seed, 2)
        if other.chance(20) { scenario.strategy = .function }
        if let strategy { scenario.strategy = strategy }
        if hasUsers { for number in 0..<count { scenario.clients[number].user = user(&random) } }
        let topic = random.chance(40) ? Topic.anything : random.pick(Topic.allCases)
        // A calm run has few faults, so that long histories develop; a rough one has many.
        let faults = hasFaults ? random.pick(topic == .anything ? [0, 5, 15, 30, 45] : [15, 30]) : 0
        // Some kinds of faults hide others, so each run has only some of them.
        // A restored service is read in full, which heals what went wrong before, as does the start that lost events need.
        let kinds = topic.kinds ?? FaultKind.allCases.filter { random.chance($0.hidesOthers ? 10 : 60) }
        if kinds.contains(.upgrade), faults > 0 {
            for number in 0..<count { scenario.clients[number].isEarlier = random.chance(70) ? true : nil }
        }
        if topic == .processes { scenario.servers = servers }
        if hasFaults {
            // What happens between the reading and the writing of another is seen only where these take time.
            scenario.storePause = random.pick([nil, nil, 30, 400])
            scenario.hasExactBackups = random.chance(50) ? true : nil
        }
        if topic == .interests, hasFaults {
            for number in 0..<count where random.chance(50) {
                scenario.clients[number].interest = random.pick(Self.interests)
            }
        }
        addSteps(to: &scenario, topic, kinds, faults: faults, &random)
        for number in 0..<count where scenario.clients[number].storage == Scenario.memory && other.chance(20) {
            scenario.clients[number].hasSecondHandle = true
        }
        if faults > 0, other.chance(30) { addProviderFaults(to: &scenario, &other) }
        // From a third sequence, for the same reason.
        var rare = SplitMix64(seed: seed, 3)
        addRareOperations(to: &scenario, &rare)
        return scenario
    }

    /// Adds what applications do, and what goes wrong meanwhile.
    ///
    /// - Parameters:
    ///   - scenario: Receives the steps.
    ///   - topic: What they are about.
    ///   - kinds: The kinds of faults.
    ///   - faults: How many of a hundred steps are faults.
    ///   - random: Where the choices come from.
    private func addSteps(
        to scenario: inout Scenario, _ topic: Topic, _ kinds: [FaultKind], faults: Int, _ random: inout SplitMix64
    ) {
        // Few records bring conflicts, many bring pages.
        let records = random.pick(topic == .interests ? [12] : [2, 4, 12])
        // The time between two steps, in milliseconds.
        let pace = random.pick(topic.paces)
        // How often a client does several things at once.
        let bursts = random.pick([0, 0, 20, 50])
        var last: (client: Int, model: SimulatedModel, record: Int)?
        var time: Int64 = 0
        var operations = 0
        for client in scenario.clients.indices {
            scenario.steps.append(Scenario.Step(id: client, at: 0, action: .command(client: client, .start)))
        }
        while operations < self.operations {
            let isBurst = last != nil && random.chance(bursts)
            time += Int64(random.number(in: 0...(isBurst ? 6 : 2 * pace)))
            let id = scenario.steps.count
            // Mostly one client; the same moment at several is what a service must get right.
            let isAlone = isBurst && random.chance(70)
            let client = isAlone ? last?.client ?? 0 : random.number(in: 0...(scenario.clients.count - 1))
            let action: Scenario.Action
            if !kinds.isEmpty, random.chance(faults) {
                action = fault(random.pick(kinds), client, of: scenario, topic, &random)
            } else {
                operations += 1
                let again = isBurst && random.chance(60) ? last.map { ($0.model, $0.record) } : nil
                let (model, record) = again ?? (random.pick(models), random.number(in: 0...(records - 1)))
                last = (client, model, record)
                action = operation(client, model, record, of: records, topic, &random)
                for step in parents(of: action, from: id, at: time) {
                    operations += 1
                    scenario.steps.append(step)
                }
            }
            scenario.steps.append(Scenario.Step(id: scenario.steps.count, at: time, action: action))
            guard faults > 0, action.restartsReading, random.chance(40) else { continue }
            // While pages are read.
            for action in interruption(of: action, &random) {
                time += Int64(random.number(in: 20...600))
                scenario.steps.append(Scenario.Step(id: scenario.steps.count, at: time, action: action))
            }
        }
    }

    /// Has users' names come late and tokens end at some times of a scenario.
    private func addProviderFaults(to scenario: inout Scenario, _ random: inout SplitMix64) {
        for _ in 0...(operations / 30) {
            let client = random.number(in: 0...(scenario.clients.count - 1))
            var time = Int64(random.number(in: 0...Int(scenario.end)))
            let fault = random.pick(Scenario.ProviderFault.allCases)
            var actions: [Scenario.Action] = [.provider(client: client, fault, count: random.number(in: 1...3))]
            switch fault {
            case .tokenExpired, .renewalFails, .noToken: break
            case .identityFails, .identityLate:
                // Only a session that begins asks for it.
                actions += [.command(client: client, .stop), .command(client: client, .start)]
                if random.chance(50) {
                    actions.append(.user(client: client, hasUsers ? user(&random) : random.number(in: 0...1)))
                }
            }
            for action in actions {
                let index = scenario.steps.firstIndex { $0.at > time } ?? scenario.steps.endIndex
                scenario.steps.insert(Scenario.Step(id: scenario.steps.count, at: time, action: action), at: index)
                time += Int64(random.number(in: 0...3_000))
            }
        }
    }

    /// Adds operations that are rare in applications, each soon after a save of the same record.
    private func addRareOperations(to scenario: inout Scenario, _ random: inout SplitMix64) {
        let saves = scenario.steps.filter { if case .save = $0.action { true } else { false } }
        if saves.isEmpty { return }
        for _ in 0..<(operations / 15) {
            let step = random.pick(saves)
            guard case .save(let author, let name, let record, let fields, _) = step.action,
                let model = schema.model(name)
            else { continue }
            // Mostly another client than the one that saved it.
            let client = random.chance(30) ? author : random.number(in: 0...(scenario.clients.count - 1))
            guard let action = rareOperation(client, model, record, fields, &random) else { continue }
            let time = step.at + Int64(random.number(in: 0...4_000))
            let index = scenario.steps.firstIndex { $0.at > time } ?? scenario.steps.endIndex
            scenario.steps.insert(Scenario.Step(id: scenario.steps.count, at: time, action: action), at: index)
        }
    }

    /// An operation that is rare in applications; `nil` if the model has none.
    private func rareOperation(
        _ client: Int, _ model: SimulatedModel, _ record: Int, _ fields: [String], _ random: inout SplitMix64
    ) -> Scenario.Action? {
        // What a condition or a parent says to those who may not read the record is another question.
        if hasUsers { return nil }
        if random.chance(20) { return .letter(client: client, random.chance(70) ? .retry : .discard) }
        if random.chance(40), !schema.movableLinks(of: model).isEmpty {
            let parent = random.chance(85) ? random.number(in: 0...3) : nil
            return .move(client: client, model: model.name, record: record, parent: parent)
        }
        if model.number == nil { return nil }
        return random.chance(70)
            ? .saveIf(client: client, model: model.name, record: record, fields: fields)
            : .deleteIf(client: client, model: model.name, record: record)
    }

    /// What texts come before; they begin with the number of a step.
    private static let interests: [String?] = [nil, "s2", "s3", "s5"]

    private func client(_ random: inout SplitMix64) -> Scenario.Client {
        Scenario.Client(
            storage: random.pick(storages), handler: random.pick(Scenario.Handler.allCases),
            clockError: hasFaults && random.chance(20) ? Int64(random.number(in: -90_000_000...90_000_000)) : 0,
            interest: hasFaults && random.chance(15) ? random.pick(Self.interests) : nil,
            maxRecords: isHarsh && random.chance(8) ? 5 : nil,
            // Most runs are shorter than the two minutes by which deltas overlap: all of them would be base queries.
            overlap: hasFaults && random.chance(60) ? random.pick([0, 5]) : nil)
    }

    private func operation(
        _ client: Int, _ model: SimulatedModel, _ record: Int, of records: Int, _ topic: Topic,
        _ random: inout SplitMix64
    ) -> Scenario.Action {
        if random.chance(topic == .absence ? 35 : 18) {
            return .delete(client: client, model: model.name, record: record)
        }
        let fields = model.fields.map(\.name).filter { _ in random.chance(40) }
        if random.chance(8) { return .empty(client: client, model: model.name, record: record, fields: fields) }
        if random.chance(8) {
            return .react(
                client: client, model: model.name, record: record,
                fields: fields.isEmpty ? model.fields.prefix(1).map(\.name) : fields)
        }
        return .save(
            client: client, model: model.name, record: record,
            fields: fields.isEmpty ? model.fields.prefix(1).map(\.name) : fields,
            parent: random.chance(80) ? random.number(in: 0...(records - 1)) : nil)
    }

    /// The models of edits; those in the middle of others change twice as often.
    private var models: [SimulatedModel] {
        let parents = Set(schema.models.flatMap { $0.links.map(\.model) })
        return schema.models.flatMap { model in
            Array(repeating: model, count: parents.contains(model.name) && !model.links.isEmpty ? 2 : 1)
        }
    }

    /// Whether it matters who is signed in.
    private var hasUsers: Bool { !Rights(schema, seed: 0).isOpen }

    private func user(_ random: inout SplitMix64) -> Int { random.number(in: 0...(Rights.userCount - 1)) }

    /// The edits that make what a record must belong to, where that would hardly happen by chance.
    ///
    /// - Parameters:
    ///   - action: An edit of a record.
    ///   - id: The number of the first of the edits.
    ///   - time: When they happen.
    /// - Returns: The edits, parents first; none for a record that needs at most one other.
    private func parents(of action: Scenario.Action, from id: Int, at time: Int64) -> [Scenario.Step] {
        guard case .save(let client, let name, _, _, let parent?) = action else { return [] }
        let names = ancestors(of: name)
        guard names.count > 1 else { return [] }
        return names.enumerated().map { index, name in
            let fields = schema.model(name)?.fields.prefix(1).map(\.name) ?? []
            return Scenario.Step(
                id: id + index, at: time,
                action: .save(client: client, model: name, record: parent, fields: fields, parent: parent))
        }
    }

    /// The models to whose records a record must belong, directly or not, parents first.
    private func ancestors(of model: String) -> [String] {
        var names: [String] = []
        var visited: Set<String> = [model]
        func visit(_ model: String) {
            for parent in schema.model(model)?.requiredParents ?? [] where visited.insert(parent).inserted {
                visit(parent)
                names.append(parent)
            }
        }
        visit(model)
        return names
    }

    /// A kind of what goes wrong.
    private enum FaultKind: CaseIterable {
        case command, network, offline, requests, moreRequests, sockets, death, commits, clock, serverDeath, serverClock
        case purge, interest, serverCommits, user, upgrade, restore, events, reads

        /// Whether what heals it heals other mistakes, too.
        var hidesOthers: Bool { self == .restore || self == .events }
    }

    /// What a run is about: some mistakes show only if the same few things happen again and again.
    private enum Topic: CaseIterable {
        case anything, absence, interests, users, pages, processes, answers, stores, upgrades, restores

        /// What goes wrong; `nil` for anything.
        var kinds: [FaultKind]? {
            switch self {
            case .anything: nil
            case .absence:
                [.offline, .offline, .offline, .network, .network, .purge, .purge, .clock, .serverClock]
            case .interests: [.interest, .interest, .offline, .network, .sockets, .command]
            case .users: [.user, .user, .offline, .network, .sockets, .death]
            case .pages: [.moreRequests, .moreRequests, .sockets, .network, .death]
            case .processes: [.serverDeath, .serverClock, .serverCommits, .network, .sockets]
            case .answers: [.moreRequests]
            case .stores: [.commits, .commits, .reads, .death, .sockets]
            case .upgrades: [.upgrade, .offline, .network, .death, .sockets, .moreRequests]
            case .restores: [.restore, .restore, .restore, .offline, .network, .death]
            }
        }

        /// How many milliseconds pass between two steps.
        var paces: [Int] {
            switch self {
            case .absence: [10_000, 60_000]
            case .interests: [200, 2_000]
            default: [20, 200, 2_000, 10_000, 60_000]
            }
        }

        /// What becomes of requests.
        var requestFaults: [Scenario.RequestFault] {
            switch self {
            case .pages: [.partial, .partial, .damaged, .lost, .answerLost, .status500]
            // None that would excuse a conflict of a client with itself.
            case .answers: [.answerLost, .answerLost, .answerSlow, .answerSlow, .lost, .slow]
            default: Scenario.RequestFault.allCases
            }
        }
    }

    /// What happens to a client that begins to read.
    private func interruption(of action: Scenario.Action, _ random: inout SplitMix64) -> [Scenario.Action] {
        guard let client = action.client else { return [] }
        if case .interest = action, random.chance(50) {
            return [.interest(client: client, random.pick(Self.interests))]
        }
        return random.pick([
            [.sockets(client: client, .cut)],
            [.command(client: client, .stop), .command(client: client, .start)],
            [.network(client: client, isUp: false), .network(client: client, isUp: true)],
        ])
    }

    private func fault(
        _ kind: FaultKind, _ client: Int, of scenario: Scenario, _ topic: Topic, _ random: inout SplitMix64
    ) -> Scenario.Action {
        let server = random.number(in: 0...(scenario.servers - 1))
        switch kind {
        case .command: return .command(client: client, random.pick([.start, .start, .start, .stop, .stop, .clear]))
        case .network: return .network(client: client, isUp: random.chance(60))
        // Clients that are away for long contradict each other.
        case .offline: return .network(client: client, isUp: random.chance(20))
        case .requests, .moreRequests:
            return .requests(
                client: client, random.pick(topic.requestFaults), count: random.number(in: 1...4))
        case .sockets:
            return .sockets(client: client, random.pick(Scenario.SocketFault.allCases.filter { $0 != .eventLost }))
        case .events: return .sockets(client: client, .eventLost)
        case .death:
            return .death(
                client: client, commits: random.number(in: 0...6), isBefore: random.chance(50),
                pause: Int64(random.pick([10, 1_000, 100_000, 300_000])))
        case .commits:
            return .commits(client: client, random.pick(Scenario.CommitFault.allCases), count: random.number(in: 1...3))
        case .reads: return .reads(client: client, count: random.number(in: 1...6))
        case .clock:
            let most = random.pick([600_000, 7_200_000])
            return .clock(client: client, by: Int64(random.number(in: -most...most)))
        case .serverDeath: return .serverDeath(server: server, pause: Int64(random.pick([10, 5_000, 60_000])))
        case .serverClock:
            // Several processes must agree to about a minute.
            let most = scenario.servers == 1 ? random.pick([30_000, 300_000]) : 30_000
            return .serverClock(server: server, by: Int64(random.number(in: -30_000...most)))
        case .purge: return .purge
        case .interest: return .interest(client: client, random.pick(Self.interests))
        case .user: return .user(client: client, hasUsers ? user(&random) : random.number(in: 0...1))
        case .upgrade: return .upgrade(client: client)
        case .restore: return random.chance(60) ? .backup : .restore
        case .serverCommits:
            return .serverCommits(
                server: server, random.pick(Scenario.CommitFault.allCases), count: random.number(in: 1...3))
        }
    }
}

extension Scenario.Action {
    /// Whether a client reads what the service has after it.
    fileprivate var restartsReading: Bool {
        switch self {
        case .command(_, .start), .command(_, .clear), .network(_, isUp: true), .interest, .user, .upgrade: true
        default: false
        }
    }
}
