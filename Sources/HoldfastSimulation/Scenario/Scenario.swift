/// A run as data: who takes part, what they do, and what goes wrong.
///
/// Everything that is random hangs on the seed and on the number of a step, so that leaving out one step leaves the
/// others as they are.
public struct Scenario: Sendable, Hashable, Codable {
    /// A client.
    public struct Client: Sendable, Hashable, Codable {
        /// Where its records are: ``Scenario/memory``, or the name of another one that the caller has an adapter for.
        public var storage: String
        /// What its conflict handler says.
        public var handler: Handler
        /// How far its clock is off, in milliseconds.
        public var clockError: Int64
        /// Which records of one model it asks for: those whose text comes before this one; all of them by default.
        public var interest: String?
        /// How many records of a model it reads at most; a number that no run reaches by default.
        public var maxRecords: Int?
        /// By how many seconds it asks for changes again that it has seen; as many as the sync engine does by default.
        public var overlap: Int?
        /// Who is signed in at first; user 0 by default.
        public var user: Int?
        /// Whether the application is an earlier version, whose models lack some optional fields; `nil` for no.
        public var isEarlier: Bool?
        /// Whether half of its edits come from another process that has the store open, such as an app extension.
        ///
        /// Only with ``Scenario/memory``; `nil` for no.
        public var hasSecondHandle: Bool?
    }

    /// The storage that every run has.
    public static let memory = "memory"

    /// What a conflict handler says.
    public enum Handler: String, Sendable, Hashable, Codable, CaseIterable { case applyRemote, retryLocal }

    /// How the service deals with conflicts.
    public enum Strategy: String, Sendable, Hashable, Codable, CaseIterable {
        case optimistic, automerge
        /// A function decides: it refuses a change, or prefers one of the two records.
        case function
    }

    /// One thing that happens.
    public struct Step: Sendable, Hashable, Codable {
        /// Names the step in reports, and its values in records.
        public var id: Int
        /// When it happens, in milliseconds since the run began.
        public var at: Int64
        /// What happens.
        public var action: Action
    }

    /// What happens.
    public enum Action: Sendable, Hashable, Codable {
        /// A client creates a record, or changes these fields of it; a new one belongs to a parent.
        case save(client: Int, model: String, record: Int, fields: [String], parent: Int?)
        /// A client takes the values of some fields of a record away.
        case empty(client: Int, model: String, record: Int, fields: [String])
        /// A client saves a record as soon as its next change has arrived at the service.
        case react(client: Int, model: String, record: Int, fields: [String])
        /// A client deletes a record, and what belongs to it.
        case delete(client: Int, model: String, record: Int)
        /// A client changes these fields of a record if a number in it is still what the client has, also at the service.
        case saveIf(client: Int, model: String, record: Int, fields: [String])
        /// A client deletes a record, and what belongs to it, on the same condition.
        case deleteIf(client: Int, model: String, record: Int)
        /// A client has a record belong to another one from now on, or to none where it need not.
        case move(client: Int, model: String, record: Int, parent: Int?)
        /// A client decides about its oldest change that was given up, if there is one.
        case letter(client: Int, LetterDecision)
        /// A client gives its sync engine a command.
        case command(client: Int, Command)
        /// A client loses its network or has it again.
        case network(client: Int, isUp: Bool)
        /// The next requests of a client meet a fault.
        case requests(client: Int, RequestFault, count: Int)
        /// What a client knows of its user meets a fault.
        case provider(client: Int, ProviderFault, count: Int)
        /// The sockets of a client meet a fault.
        case sockets(client: Int, SocketFault)
        /// A client dies at one of its next commits, and comes back after some milliseconds.
        case death(client: Int, commits: Int, isBefore: Bool, pause: Int64)
        /// The next commits of a client fail.
        case commits(client: Int, CommitFault, count: Int)
        /// Some of the next readings of a client's store fail.
        case reads(client: Int, count: Int)
        /// A client's clock jumps by some milliseconds.
        case clock(client: Int, by: Int64)
        /// A client asks for other records of one model from now on, and starts again.
        case interest(client: Int, String?)
        /// Another user signs in at a client, or an earlier one again.
        case user(client: Int, Int)
        /// The application of a client is replaced by the present version, with what is unsent.
        case upgrade(client: Int)
        /// The next commits of a process of the service fail.
        case serverCommits(server: Int, CommitFault, count: Int)
        /// A process of the service dies, and comes back after some milliseconds.
        case serverDeath(server: Int, pause: Int64)
        /// The clock of a process of the service jumps by some milliseconds.
        case serverClock(server: Int, by: Int64)
        /// The service takes out old tombstones.
        case purge
        /// The store of the service is backed up.
        case backup
        /// The service stops, goes back to the last backup with renewed versions, and starts again.
        case restore
    }

    /// A command for a sync engine.
    public enum Command: String, Sendable, Hashable, Codable, CaseIterable { case start, stop, clear }

    /// What an application does about a change that was given up.
    public enum LetterDecision: String, Sendable, Hashable, Codable, CaseIterable { case retry, discard }

    /// What becomes of a request.
    public enum RequestFault: String, Sendable, Hashable, Codable, CaseIterable {
        /// It never arrives.
        case lost
        /// It arrives, and its answer does not.
        case answerLost
        /// It arrives after the client has given up.
        case late
        /// It arrives twice.
        case twice
        /// It takes seconds.
        case slow
        /// It arrives, and its answer takes seconds.
        case answerSlow
        /// The service or something before it refuses it with a status.
        case status401, status403, status429, status500, status503
        /// The answer is not JSON.
        case garbage
        /// The answer has no data and no errors.
        case empty
        /// Of a page one record is missing, and there is an error instead.
        case partial
        /// Of a page one record cannot be read.
        case damaged
    }

    /// What goes wrong with who is signed in, and with tokens.
    public enum ProviderFault: String, Sendable, Hashable, Codable, CaseIterable {
        /// The token expires; another one has to be requested.
        case tokenExpired
        /// The token expires, and the first requests for another one fail.
        case renewalFails
        /// Some requests find no token.
        case noToken
        /// It cannot be said who is signed in.
        case identityFails
        /// It takes seconds to say who is signed in, also if the answer is of no use any longer.
        case identityLate
    }

    /// What becomes of sockets.
    public enum SocketFault: String, Sendable, Hashable, Codable, CaseIterable {
        /// They end.
        case cut
        /// They carry nothing any longer, and do not end.
        case halfOpen
        /// They end, and the next one is refused.
        case refused
        /// They end, and all others are refused until the client's network goes away: also after the faults.
        case blocked
        /// Each of the next events comes again after the one that follows it.
        case eventTwice
        /// Of the next events, each two change places.
        case eventsSwapped
        /// The next events never come, and the sockets stay open.
        case eventLost
    }

    /// How a commit fails.
    public enum CommitFault: String, Sendable, Hashable, Codable, CaseIterable {
        /// The store is full; nothing was written.
        case full
        /// The store is busy; nothing was written.
        case busy
        /// It was written, and the store does not know.
        case unknownWritten
        /// It was not written, and the store does not know.
        case unknownLost
    }

    /// Decides the order of all jobs, and everything random.
    public var seed: UInt64
    /// How the service deals with conflicts.
    public var strategy: Strategy
    /// How it deals with conflicts of some models, by their names.
    public var strategies: [String: Strategy]?
    /// The clients, which steps name by their place.
    public var clients: [Client]
    /// How many processes the service has.
    public var servers: Int
    /// For how many seconds the service keeps tombstones; 600 by default.
    public var tombstoneLife: Int?
    /// How many milliseconds a store takes at most for what takes it long now and then; two by default.
    public var storePause: Int?
    /// Whether a backup has the store as it was, with the numbers of its commits; `nil` for a copy of its records.
    public var hasExactBackups: Bool?
    /// In the order of their times.
    public var steps: [Step]

    /// When the last step happens, in milliseconds.
    var end: Int64 { steps.map(\.at).max() ?? 0 }
}

extension Scenario.Action {
    /// The client that does it, or that it happens to.
    var client: Int? {
        switch self {
        case .save(let client, _, _, _, _), .empty(let client, _, _, _), .react(let client, _, _, _),
            .delete(let client, _, _), .saveIf(let client, _, _, _), .deleteIf(let client, _, _),
            .move(let client, _, _, _), .letter(let client, _), .command(let client, _), .network(let client, _),
            .requests(let client, _, _), .provider(let client, _, _), .sockets(let client, _),
            .death(let client, _, _, _), .commits(let client, _, _), .reads(let client, _), .clock(let client, _),
            .interest(let client, _), .user(let client, _), .upgrade(let client):
            client
        case .serverCommits, .serverDeath, .serverClock, .purge, .backup, .restore: nil
        }
    }

    /// The process of the service that it happens to.
    var server: Int? {
        switch self {
        case .serverCommits(let server, _, _), .serverDeath(let server, _), .serverClock(let server, _): server
        default: nil
        }
    }

    /// Whether an application changes records with it.
    var isEdit: Bool {
        switch self {
        case .save, .empty, .react, .delete, .saveIf, .deleteIf, .move, .letter: true
        default: false
        }
    }

    /// Whether something goes wrong with it.
    var isFault: Bool {
        switch self {
        case .command, .interest, .user, .backup: false
        default: !isEdit
        }
    }

    /// The action as one line of a timeline.
    var summary: String {
        switch self {
        case .save(_, let model, let record, let fields, let parent):
            "save \(model) \(record) \(fields.joined(separator: ","))"
                + (parent.map { " in \($0)" } ?? "")
        case .empty(_, let model, let record, let fields): "empty \(model) \(record) \(fields.joined(separator: ","))"
        case .react(_, let model, let record, let fields):
            "save \(model) \(record) \(fields.joined(separator: ",")) after the next change"
        case .delete(_, let model, let record): "delete \(model) \(record)"
        case .saveIf(_, let model, let record, let fields):
            "save \(model) \(record) \(fields.joined(separator: ",")) if its number is the same"
        case .deleteIf(_, let model, let record): "delete \(model) \(record) if its number is the same"
        case .move(_, let model, let record, let parent):
            "move \(model) \(record) to \(parent.map { "\($0)" } ?? "none")"
        case .letter(_, let decision): "\(decision.rawValue) the oldest change that was given up"
        case .command(_, let command): command.rawValue
        case .network(_, let isUp): "network \(isUp ? "up" : "down")"
        case .requests(_, let fault, let count): "next \(count) requests: \(fault.rawValue)"
        case .provider(_, let fault, let count): "provider: \(fault.rawValue), \(count) times"
        case .sockets(_, let fault): "sockets: \(fault.rawValue)"
        case .death(_, let commits, let isBefore, let pause):
            "dies \(isBefore ? "before" : "after") commit \(commits), back after \(pause) ms"
        case .commits(_, let fault, let count): "next \(count) commits: \(fault.rawValue)"
        case .reads(_, let count): "\(count) of the next readings fail"
        case .clock(_, let by): "clock jumps by \(by) ms"
        case .interest(_, let title): "asks for \(title.map { "what comes before \($0)" } ?? "everything")"
        case .user(_, let user): "user \(user) signs in"
        case .upgrade: "is upgraded"
        case .serverCommits(let server, let fault, let count):
            "next \(count) commits of server \(server): \(fault.rawValue)"
        case .serverDeath(let server, let pause): "server \(server) dies, back after \(pause) ms"
        case .serverClock(let server, let by): "clock of server \(server) jumps by \(by) ms"
        case .purge: "tombstones are purged"
        case .backup: "is backed up"
        case .restore: "is restored from its backup"
        }
    }
}

extension Scenario {
    /// The clients that cannot know what became of their requests: these arrive later or once more, or the client is
    /// refused to look it up.
    var misledClients: Set<Int> { clients(thatMeet: [.late, .twice]).union(refusedClients) }

    /// The clients that are refused what they may do.
    var refusedClients: Set<Int> { clients(thatMeet: [.status401, .status403]) }

    private func clients(thatMeet faults: Set<RequestFault>) -> Set<Int> {
        Set(
            steps.compactMap { step in
                guard case .requests(let client, let fault, _) = step.action else { return nil }
                return faults.contains(fault) ? client : nil
            })
    }

    /// The clients that may have something left that only a new start brings, since the service refused them or a page
    /// lacked a record.
    var clientsWaitingForStart: Set<Int> { refusedClients.union(clients(thatMeet: [.partial, .damaged])) }

    /// Whether a second process of a client has its store open.
    func hasSecondHandle(_ client: Int) -> Bool {
        clients[client].hasSecondHandle == true && clients[client].storage == Self.memory
    }

    /// How the service deals with conflicts of a model.
    func strategy(of model: String) -> Strategy { strategies?[model] ?? strategy }

    /// Whether a function decides conflicts of some models.
    var hasFunctions: Bool { strategy == .function || strategies?.values.contains(.function) == true }

    /// Whether another user signs in at a client at some time.
    func changesUsers(_ client: Int) -> Bool {
        steps.contains { if case .user(client, _) = $0.action { true } else { false } }
    }

    /// Whether commits of a client fail at some time.
    func failsCommits(_ client: Int) -> Bool {
        steps.contains { if case .commits(client, _, _) = $0.action { true } else { false } }
    }

    /// Whether readings of a client's store fail at some time.
    func failsReads(_ client: Int) -> Bool {
        steps.contains { if case .reads(client, _) = $0.action { true } else { false } }
    }

    /// Whether a client ever asks for some records of a model only.
    func hasInterests(_ client: Int) -> Bool { clients[client].interest != nil || changesInterests(client) }

    /// Whether a client empties its store at some time; another user may do so by signing in.
    func clears(_ client: Int) -> Bool {
        steps.contains { step in
            switch step.action {
            case .command(client, .clear), .user(client, _): true
            default: false
            }
        }
    }

    /// Whether a client asks for other records at some time.
    func changesInterests(_ client: Int) -> Bool {
        steps.contains { if case .interest(client, _) = $0.action { true } else { false } }
    }
}
