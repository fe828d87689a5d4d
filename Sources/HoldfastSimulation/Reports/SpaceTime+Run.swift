import HoldfastReport

extension SpaceTime {
    /// What a run reports, with the service in the middle: half of the clients on its left, the others on its right.
    init(_ report: RunReport, of scenario: Scenario) {
        let clients = scenario.clients.indices
        let left = (clients.count + 1) / 2
        var laneIndexes: [RunPlace: Int] = [:]
        var lanes: [Lane] = []
        func add(_ place: RunPlace, _ name: String, isLeft: Bool) {
            laneIndexes[place] = lanes.count
            lanes.append(Lane(name, hasTextOnLeft: isLeft))
        }
        for number in clients.prefix(left) { add(.client(number), "client \(number)", isLeft: true) }
        for number in 0..<max(1, scenario.servers) {
            add(.server(number), scenario.servers > 1 ? "server \(number)" : "server", isLeft: false)
        }
        for number in clients.dropFirst(left) { add(.client(number), "client \(number)", isLeft: false) }
        self.init(
            lanes: lanes,
            marks: report.marks.compactMap { mark in
                let kind: Mark.Kind
                switch mark.kind {
                case .edit: kind = .edit
                case .fault: kind = .fault
                case .commit: kind = .commit
                case .note: kind = .note
                case .violation: kind = .violation
                case .detail: return nil
                }
                return Mark(lane: laneIndexes[mark.place], at: mark.at, kind, mark.text)
            },
            messages: report.messages.compactMap { message in
                guard let from = laneIndexes[message.from], let to = laneIndexes[message.to] else { return nil }
                let kind: Message.Kind =
                    switch message.kind {
                    case .request: .request
                    case .answer: .answer
                    case .event: .event
                    }
                return Message(
                    from: from, to: to, sentAt: message.sentAt, arrivedAt: message.arrivedAt, kind, message.text)
            })
    }
}

extension Scenario {
    /// How often each kind of fault is in it.
    package var faultKinds: [String: Int] {
        steps.filter(\.action.isFault).reduce(into: [:]) { $0[$1.action.faultKind, default: 0] += 1 }
    }
}

extension Scenario.Action {
    /// What goes wrong, without the numbers.
    fileprivate var faultKind: String {
        switch self {
        case .requests(_, let fault, _): "request: \(fault.rawValue)"
        case .provider(_, let fault, _): "provider: \(fault.rawValue)"
        case .sockets(_, let fault): "socket: \(fault.rawValue)"
        case .commits(_, let fault, _): "commit of a client: \(fault.rawValue)"
        case .reads: "reading of a client"
        case .serverCommits(_, let fault, _): "commit of the service: \(fault.rawValue)"
        case .network(_, let isUp): isUp ? "network: up" : "network: down"
        case .death(_, _, let isBefore, _): "death of a client \(isBefore ? "before" : "after") a commit"
        case .serverDeath: "death of a server"
        case .clock: "clock of a client"
        case .serverClock: "clock of a server"
        case .purge: "purge of tombstones"
        case .upgrade: "upgrade of a client"
        case .restore: "restore of the service"
        case .save, .empty, .react, .delete, .saveIf, .deleteIf, .move, .letter, .command, .interest, .user,
            .backup:
            "other"
        }
    }
}
