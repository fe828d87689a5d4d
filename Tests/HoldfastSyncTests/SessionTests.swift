import Testing

@testable import HoldfastSync

@Suite struct SessionTests {
    private static let start = Session.Input.command(CommandID(number: 1), .start)
    private static let stop = Session.Input.command(CommandID(number: 2), .stop)
    private static let clear = Session.Input.command(CommandID(number: 3), .clear)
    private static let toClaiming = [start]
    private static let toConnecting = [start, .claimed(.held), .loaded(nil)]
    private static let toSubscribing = toConnecting + [.connected]
    private static let toHydrating = toSubscribing + [.subscribed]
    private static let toLive = toHydrating + [.hydrated]
    private static let toBackingOff = toLive + [.socketLost]
    private static let toLiveAgain = toBackingOff + [.retry, .connected, .subscribed, .hydrated]
    private static let toWithoutSockets =
        toConnecting + [.socketLost, .retry, .socketLost, .retry, .socketLost]
    private static let toStopping = toLive + [stop]
    private static let toRefused = toLive + [.refused(.signedOut)]
    private static let toOffline = toLive + [.network(isUp: false)]

    private static let toOfflineClaiming: [Session.Input] = [
        .network(isUp: false), start, .claimed(.held), .loadFailed,
    ]

    struct Row: Sendable, CustomStringConvertible {
        var before: [Session.Input]
        var input: Session.Input
        var state: Session.State
        var actions: [Session.Action] = []

        init(
            _ before: [Session.Input], _ input: Session.Input, _ state: Session.State, _ actions: [Session.Action] = []
        ) {
            (self.before, self.input, self.state, self.actions) = (before, input, state, actions)
        }

        var description: String { "\(before.last.map { "\($0)" } ?? "nothing"), then \(input)" }
    }

    static let table: [Row] = [
        Row([], start, .claiming, [.announceNetwork(isActive: false), .claim]),
        Row([], stop, .stopped, [.answer(CommandID(number: 2), .done)]),
        Row([], clear, .stopping, [.disconnect, .endWork, .clear]),
        Row(toClaiming, .claimed(.held), .claiming, [.keepLease, .load, .answer(CommandID(number: 1), .done)]),
        Row(
            toClaiming, .claimed(.taken(.seconds(9))), .claiming,
            [.claimLater(.seconds(9)), .answer(CommandID(number: 1), .following)]),
        Row(toClaiming, .claimed(.failed("full")), .stopped, [.answer(CommandID(number: 1), .failed("full"))]),
        Row([start, .claimed(.held)], .loadFailed, .claiming, [.claimAfterFailure(attempt: 0)]),
        Row([start, .claimed(.held), .loadFailed], .retry, .claiming, [.claim]),
        Row(
            [start, .claimed(.held), .loadFailed], .claimed(.failed("x")), .claiming, [.claimAfterFailure(attempt: 1)]),
        Row(
            [start, .claimed(.held)], .loaded(nil), .connecting(0),
            [.announceOutbox, .announceNetwork(isActive: true), .connect]),
        Row(
            [start, .claimed(.held)], .loaded(.otherUser), .refused(.otherUser),
            [.disconnect, .endWork, .release, .report(.otherUser)]),
        Row([.network(isUp: false), start, .claimed(.held)], .loaded(nil), .offline, [.announceOutbox]),
        Row(toConnecting, .connected, .subscribing, [.subscribe]),
        Row(toConnecting, .socketLost, .backingOff(0), [.disconnect, .connectLater(attempt: 0)]),
        Row(toSubscribing, .subscribed, .hydrating, [.announceSubscribed, .hydrate]),
        Row(toHydrating, .hydrated, .live, [.announceReady]),
        Row(toLive, .socketLost, .backingOff(0), [.disconnect, .connectLater(attempt: 0)]),
        Row(toLive, .connected, .live), Row(toLive, .hydrated, .live), Row(toLive, .retry, .live),
        Row(toBackingOff, .retry, .connecting(1), [.connect]),
        Row(toBackingOff + [.retry], .socketLost, .backingOff(1), [.disconnect, .connectLater(attempt: 1)]),
        Row(toBackingOff, .socketLost, .backingOff(0)), Row(toBackingOff, .lasted, .backingOff(0)),
        Row(
            Array(toWithoutSockets.dropLast()), .socketLost, .hydrating,
            [.disconnect, .connectLater(attempt: 2), .hydrate]),
        Row(toWithoutSockets, .unreachable, .backingOff(3), [.disconnect, .connectLater(attempt: 3)]),
        Row(toWithoutSockets + [.unreachable], .retry, .connecting(4), [.connect]),
        Row(toWithoutSockets, .reached, .hydrating), Row(toWithoutSockets + [.reached], .unreachable, .hydrating),
        Row(toWithoutSockets, .retry, .hydrating, [.connect]),
        Row(toWithoutSockets, .hydrated, .live, [.announceReady]),
        Row(toWithoutSockets + [.hydrated], .unreachable, .live),
        Row(toWithoutSockets + [.hydrated], .retry, .live, [.connect]),
        Row(
            toWithoutSockets + [.hydrated, .retry], .socketLost, .live,
            [.disconnectSockets, .connectLater(attempt: 3)]),
        Row(toWithoutSockets + [.hydrated, .retry], .connected, .live, [.subscribe]),
        Row(
            toWithoutSockets + [.hydrated, .retry, .connected], .subscribed, .live,
            [.announceSubscribed, .readAll]),
        Row(toWithoutSockets + [.hydrated, .retry, .connected, .subscribed], .subscribed, .live),
        Row(
            toWithoutSockets + [.hydrated, .retry, .connected], .socketLost, .hydrating,
            [.disconnect, .connectLater(attempt: 3), .hydrate]),
        Row(
            toWithoutSockets + [.hydrated, .retry, .connected, .lasted], .socketLost, .backingOff(0),
            [.disconnect, .connectLater(attempt: 0)]),
        Row(toConnecting, .delayed, .hydrating, [.hydrate]), Row(toSubscribing, .delayed, .subscribing),
        Row(toConnecting + [.delayed], .connected, .hydrating, [.subscribe]),
        Row(
            toConnecting + [.delayed], .socketLost, .hydrating,
            [.disconnectSockets, .connectLater(attempt: 0)]),
        Row(toConnecting + [.delayed], .unreachable, .backingOff(0), [.disconnect, .connectLater(attempt: 0)]),
        Row(toHydrating, .unreachable, .hydrating),
        Row(toLiveAgain, .lasted, .live),
        Row(toLiveAgain, .socketLost, .backingOff(1), [.disconnect, .connectLater(attempt: 1)]),
        Row(toLiveAgain + [.lasted], .socketLost, .backingOff(0), [.disconnect, .connectLater(attempt: 0)]),
        Row(
            toLiveAgain + [.network(isUp: false), .network(isUp: true)], .socketLost, .backingOff(0),
            [.disconnect, .connectLater(attempt: 0)]),
        Row(toBackingOff, .network(isUp: false), .offline, [.disconnect, .announceNetwork(isActive: false)]),
        Row(toLive, .network(isUp: false), .offline, [.disconnect, .announceNetwork(isActive: false)]),
        Row(toLive, .network(isUp: true), .live),
        Row(toOffline, .network(isUp: true), .connecting(0), [.announceNetwork(isActive: true), .connect]),
        Row(toOffline, .retry, .offline),
        // Without a network it may not be possible to say who is signed in.
        Row(toOfflineClaiming, .network(isUp: true), .claiming, [.claim]),
        Row(toOfflineClaiming + [.network(isUp: true)], .retry, .claiming),
        Row(toOfflineClaiming, .retry, .claiming, [.claim]), Row(toOfflineClaiming + [.retry], .retry, .claiming),
        Row([.network(isUp: false), start, .claimed(.held)], .network(isUp: true), .claiming),
        Row(toLive, .userChanged, .claiming, [.disconnect, .endWork, .claim]),
        Row(toLive + [.userChanged], .userChanged, .claiming), Row(toStopping, .userChanged, .stopping),
        Row(toLive, .leaseLost, .claiming, [.disconnect, .endWork, .claim]),
        Row(toStopping, .leaseLost, .stopping), Row([], .leaseLost, .stopped),
        Row(toRefused, .leaseLost, .refused(.signedOut)),
        Row(
            toLive, .refused(.signedOut), .refused(.signedOut), [.disconnect, .endWork, .release, .report(.signedOut)]),
        Row(toStopping, .refused(.signedOut), .stopping),
        Row(toRefused, start, .claiming, [.announceNetwork(isActive: false), .claim]),
        Row(toLive, start, .live, [.answer(CommandID(number: 1), .done)]),
        Row(toLive, stop, .stopping, [.disconnect, .endWork, .release]),
        Row(toLive, clear, .stopping, [.disconnect, .endWork, .clear]),
        Row(toStopping, .released, .stopped, [.answer(CommandID(number: 2), .done)]),
        Row(toStopping, .claimed(.held), .stopping), Row(toStopping, .loaded(nil), .stopping),
        Row(toStopping, start, .stopping),
        Row(
            toStopping + [start], .released, .claiming,
            [.answer(CommandID(number: 2), .done), .announceNetwork(isActive: false), .claim]),
        Row(toLive + [clear], .cleared(nil), .stopping, [.release]),
        Row(toLive + [clear, .cleared(nil)], .released, .stopped, [.answer(CommandID(number: 3), .done)]),
        Row(
            toLive + [clear, .cleared(.failed("busy"))], .released, .stopped,
            [.answer(CommandID(number: 3), .failed("busy"))]),
        Row(toRefused + [clear], .released, .stopping),
        Row(toRefused + [clear, .released], .cleared(nil), .stopping, [.release]),
        Row(
            toRefused + [clear, .released, .cleared(nil)], .released, .stopped,
            [.answer(CommandID(number: 3), .done)]),
        Row(toRefused + [clear, .released, .cleared(nil), .released, clear], .released, .stopping),
    ]

    @Test(arguments: table) func everyRowOfTheTableHolds(row: Row) {
        var session = Session()
        for input in row.before { _ = session.handle(input) }
        let actions = session.handle(row.input)
        #expect(session.state == row.state)
        #expect(actions == row.actions)
    }

    /// No order of inputs brings the session to a place where a command is never answered.
    @Test func everyCommandIsAnsweredOnceAndInOrder() {
        let free: [Session.Input] = [
            Self.start, Self.stop, Self.clear, .socketLost, .leaseLost, .network(isUp: false), .network(isUp: true),
            .refused(.signedOut),
        ]
        var count = 0
        func go(_ course: Course, _ depth: Int) {
            var end = course
            for _ in 0..<30 { if let input = end.due.first { end.send(input) } }
            count += 1
            if end.asked != end.answered { Issue.record("\(course.inputs): \(end.asked), answered \(end.answered)") }
            if end.isAnsweredEarly { Issue.record("\(course.inputs): answered before the store was cleared") }
            guard depth > 0 else { return }
            for input in free + course.due {
                var next = course
                next.send(input)
                go(next, depth - 1)
            }
        }
        go(Course(), 5)
        #expect(count > 40_000)
    }

    /// A session with the inputs that what it wanted leads to.
    private struct Course {
        var session = Session()
        var inputs: [Session.Input] = []
        var due: [Session.Input] = []
        var asked: [Int] = []
        var answered: [Int] = []
        private var isClearing = false
        /// Whether a command was answered while the store was being cleared.
        private(set) var isAnsweredEarly = false

        mutating func send(_ input: Session.Input) {
            inputs.append(input)
            if input == .cleared(nil) { isClearing = false }
            if let index = due.firstIndex(of: input) { due.remove(at: index) }
            if case .command(let id, _) = input { asked.append(id.number) }
            for action in session.handle(input) {
                switch action {
                case .claim: due.append(.claimed(.held))
                case .claimLater, .claimAfterFailure, .connectLater: due.append(.retry)
                case .load: due.append(.loaded(nil))
                case .connect: due.append(.connected)
                case .subscribe: due.append(.subscribed)
                case .hydrate: due.append(.hydrated)
                case .clear:
                    due.append(.cleared(nil))
                    isClearing = true
                case .release: due.append(.released)
                case .endWork: due.removeAll { $0 == .loaded(nil) || $0 == .retry }
                case .answer(let id, _):
                    answered.append(id.number)
                    if isClearing { isAnsweredEarly = true }
                default: break
                }
            }
        }
    }
}
