/// The session as a whole: from the lease to being live, and back.
struct Session: Sendable {
    /// Where the session is.
    enum State: Sendable, Hashable {
        /// The application has not started it.
        case stopped
        /// It takes the lease, or waits until another process gives it up, and reads its plan.
        case claiming
        /// It waits for a network.
        case offline
        /// It opens its sockets for the n-th time since it was last live for long.
        case connecting(Int)
        /// It waits until every subscription is active or given up.
        case subscribing
        /// It reads the models.
        case hydrating
        /// It sends and receives.
        case live
        /// It waits before it connects for the n-th time.
        case backingOff(Int)
        /// It ended until the application starts it again.
        case refused(SessionRefusal)
        /// It finishes what is in progress.
        case stopping
    }

    /// What the session learns.
    enum Input: Sendable, Hashable {
        case command(CommandID, SyncCommand)
        case claimed(ClaimResult)
        /// The plan was read; with the reason, if it forbids the session.
        case loaded(SessionRefusal?)
        case loadFailed
        case network(isUp: Bool)
        case connected
        /// The sockets take long to open.
        case delayed
        /// It was live for so long that the next lost socket is the first one again.
        case lasted
        case socketLost
        case subscribed
        /// A query was answered.
        case reached
        /// A query shows that the service cannot be reached.
        case unreachable
        case hydrated
        case retry
        case leaseLost
        /// Someone has signed in since the session began with no one.
        case userChanged
        case refused(SessionRefusal)
        case cleared(StoreFailure?)
        case released
    }

    /// What the session wants done.
    enum Action: Sendable, Hashable {
        case claim
        case claimLater(Duration)
        case load
        case keepLease
        case announceNetwork(isActive: Bool)
        case announceOutbox
        case connect
        case subscribe
        case announceSubscribed
        case hydrate
        case readAll
        case announceReady
        case connectLater(attempt: Int)
        case claimAfterFailure(attempt: Int)
        case disconnect
        case disconnectSockets
        case endWork
        case clear
        case release
        case report(SessionRefusal)
        case answer(CommandID, CommandResult)
    }

    /// How many times in a row sockets are lost before the session goes on without them.
    static let socketLimit = 3
    /// How long sockets may take to open before the session goes on without them.
    static let socketPatience = Duration.seconds(5)

    private(set) var state = State.stopped
    /// Whether the device has a network, as far as is known.
    private(set) var isNetworkUp = true
    /// Whether it reads and sends without sockets, as where something on the way lets none pass.
    ///
    /// Sockets are tried meanwhile, and do not interrupt what works.
    private(set) var isWithoutSockets = false
    /// Whether the service has answered since then.
    private var isReached = false
    /// Whether subscriptions were started after the models were read.
    private var isSubscribingLate = false
    private var attempt = 0
    /// Whether it waits before it claims the store once more.
    private var isClaimDelayed = false
    private var current: (id: CommandID, command: SyncCommand)?
    private var result = CommandResult.done
    /// Whether the store was cleared, or failed to be, for the command in progress.
    private var hasCleared = false
    private var queue: [(id: CommandID, command: SyncCommand)] = []

    /// Whether the lease is held and used.
    var isRunning: Bool {
        switch state {
        case .offline, .connecting, .subscribing, .hydrating, .live, .backingOff: true
        case .stopped, .claiming, .refused, .stopping: false
        }
    }

    /// Whether sockets are being opened, or will be.
    var isConnecting: Bool { if case .connecting = state { true } else { isConnected && isWithoutSockets } }

    /// Whether sockets are wanted.
    var isConnected: Bool {
        switch state {
        case .connecting, .subscribing, .hydrating, .live: true
        default: false
        }
    }

    /// Does what an input asks for.
    ///
    /// Inputs that do not fit the state change nothing.
    mutating func handle(_ input: Input) -> [Action] {
        switch (input, state) {
        case (.command(let id, let command), _):
            queue.append((id, command))
            return nextCommand()

        case (.claimed(.held), .claiming):
            return [.keepLease, .load] + finish(.start, .done)
        case (.claimed(.taken(let wait)), .claiming):
            isClaimDelayed = true
            return [.claimLater(wait)] + finish(.start, .following)
        case (.claimed(.failed(let words)), .claiming):
            guard current?.command == .start else { return claimAfterFailure() }
            state = .stopped
            return finish(.start, .failed(words))
        case (.loaded(nil), .claiming):
            attempt = 0
            guard isNetworkUp else {
                state = .offline
                return [.announceOutbox]
            }
            return [.announceOutbox, .announceNetwork(isActive: true)] + connect()
        case (.loaded(let refusal?), .claiming):
            return refuse(refusal)
        case (.loadFailed, .claiming):
            return claimAfterFailure()

        case (.network(let isUp), _):
            return network(isUp)
        case (.connected, .connecting):
            state = .subscribing
            return [.subscribe]
        case (.delayed, .connecting):
            goOnWithoutSockets()
            return [.hydrate]
        case (.connected, _) where isConnected && isWithoutSockets:
            isWithoutSockets = false
            isSubscribingLate = true
            return [.subscribe]
        case (.subscribed, _) where isSubscribingLate:
            isSubscribingLate = false
            return [.announceSubscribed, .readAll]
        case (.subscribed, .subscribing):
            state = .hydrating
            return [.announceSubscribed, .hydrate]
        case (.hydrated, .hydrating):
            state = .live
            return [.announceReady]
        case (.lasted, .live) where !isWithoutSockets:
            attempt = 0
            return []
        case (.socketLost, _) where isConnected:
            attempt += 1
            if isWithoutSockets { return [.disconnectSockets, .connectLater(attempt: attempt - 1)] }
            guard attempt >= Self.socketLimit else { return backOff() }
            goOnWithoutSockets()
            return [.disconnect, .connectLater(attempt: attempt - 1), .hydrate]
        case (.retry, .backingOff): return connect()
        case (.retry, _) where isConnected && isWithoutSockets: return [.connect]
        case (.reached, .hydrating):
            isReached = true
            return []
        case (.unreachable, .hydrating) where isWithoutSockets && !isReached:
            attempt += 1
            return backOff()
        case (.retry, .claiming) where isClaimDelayed:
            return claim()

        case (.leaseLost, _) where isRunning || state == .claiming, (.userChanged, _) where isRunning:
            state = .claiming
            return [.disconnect, .endWork] + claim()
        case (.refused(let refusal), _) where isRunning: return refuse(refusal)

        case (.cleared(let failure), .stopping):
            if case .failed(let words)? = failure { result = .failed(words) }
            if failure == .fenceLost { result = .failed("another process synchronizes this store; stop it first") }
            hasCleared = true
            return [.release]
        // A clear that begins while a refused session is still being released has its own release.
        case (.released, .stopping) where current?.command != .clear || hasCleared:
            state = .stopped
            guard let command = current?.command else { return nextCommand() }
            return finish(command, result)
        default:
            return []
        }
    }

    private mutating func network(_ isUp: Bool) -> [Action] {
        guard isUp != isNetworkUp else { return [] }
        isNetworkUp = isUp
        switch state {
        // Without a network it may not have been possible to say who is signed in.
        case .claiming where isUp && isClaimDelayed: return claim()
        case .stopped, .claiming, .refused, .stopping: return []
        case .offline:
            attempt = 0
            return [.announceNetwork(isActive: true)] + connect()
        default:
            state = .offline
            return [.disconnect, .announceNetwork(isActive: false)]
        }
    }

    private mutating func connect() -> [Action] {
        (isWithoutSockets, isSubscribingLate) = (false, false)
        state = .connecting(attempt)
        return [.connect]
    }

    private mutating func backOff() -> [Action] {
        (isWithoutSockets, isSubscribingLate) = (false, false)
        state = .backingOff(attempt - 1)
        return [.disconnect, .connectLater(attempt: attempt - 1)]
    }

    /// The first query shows whether it is only sockets that fail.
    private mutating func goOnWithoutSockets() {
        (isWithoutSockets, isReached, isSubscribingLate) = (true, false, false)
        state = .hydrating
    }

    private mutating func refuse(_ refusal: SessionRefusal) -> [Action] {
        state = .refused(refusal)
        return [.disconnect, .endWork, .release, .report(refusal)]
    }

    private mutating func claim() -> [Action] {
        isClaimDelayed = false
        return [.claim]
    }

    private mutating func claimAfterFailure() -> [Action] {
        attempt += 1
        isClaimDelayed = true
        return [.claimAfterFailure(attempt: attempt - 1)]
    }

    /// Begins the next command if none is in progress.
    private mutating func nextCommand() -> [Action] {
        guard current == nil, !queue.isEmpty else { return [] }
        let next = queue.removeFirst()
        current = next
        result = .done
        hasCleared = false
        switch (next.command, state) {
        case (.start, .stopped), (.start, .refused):
            state = .claiming
            attempt = 0
            return [.announceNetwork(isActive: false)] + claim()
        case (.start, _), (.stop, .stopped):
            return finish(next.command, .done)
        case (.stop, _):
            state = .stopping
            return [.disconnect, .endWork, .release]
        case (.clear, _):
            state = .stopping
            return [.disconnect, .endWork, .clear]
        }
    }

    /// Answers the command in progress, if it is of this kind, and begins the next one.
    private mutating func finish(_ command: SyncCommand, _ result: CommandResult) -> [Action] {
        guard let current, current.command == command else { return [] }
        self.current = nil
        return [.answer(current.id, result)] + nextCommand()
    }
}
