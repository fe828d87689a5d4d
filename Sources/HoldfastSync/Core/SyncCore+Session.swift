extension SyncCore {
    /// Sends an input to the session, and carries out its actions.
    mutating func send(toSession input: Session.Input) {
        for action in session.handle(input) { perform(action) }
    }

    private mutating func perform(_ action: Session.Action) {
        switch action {
        case .claim: queue(.claim)
        case .claimLater(let wait): arm(.claim, wait)
        case .claimAfterFailure(let attempt): arm(.claim, backoff.delay(attempt))
        case .load: _ = begin(.load) { .load($0) }
        case .keepLease: arm(.lease, settings.leaseLife / 2)
        case .announceNetwork(let isActive): add(.emit(.networkStatus(isActive: isActive)))
        case .announceOutbox: announceOutbox(isEmpty: plan.isOutboxEmpty)
        case .connect:
            // Another user may have signed in, or a key may have expired.
            socketMode = 0
            if !session.isWithoutSockets, plan.subscribes { arm(.patience, Session.socketPatience) }
            connect()
        case .subscribe:
            disarm { $0 == .patience }
            liveSince = now.uptime
            subscribe()
        case .announceSubscribed: add(.emit(.subscriptionsEstablished))
        case .hydrate: hydrate()
        case .readAll: readAll()
        case .announceReady: goLive()
        case .connectLater(let attempt): connectLater(attempt)
        case .disconnect: disconnect()
        case .disconnectSockets: disconnectSockets()
        case .endWork: endWork()
        case .clear: queue(.clear)
        case .release: queue(.release)
        case .report(let refusal): add(.report(.refused(refusal)))
        case .answer(let id, let result): add(.answer(id, result))
        }
    }

    mutating func network(isUp: Bool) {
        let wasUp = session.isNetworkUp
        send(toSession: .network(isUp: isUp))
        guard isUp, !wasUp, outboxProgress.isOn else { return }
        for id in entries.keys { entries[id]?.resetAttempts() }
        disarm { if case .entry = $0 { true } else { false } }
        for id in entries.keys.sorted() where entries[id]?.state == .retry {
            update(id) { $0.go() }
        }
    }

    mutating func loaded(_ answer: Result<SyncPlan, StoreFailure>) {
        switch answer {
        case .failure(.fenceLost): send(toSession: .leaseLost)
        case .failure(let failure):
            // Without a network it fails for the same reason each time.
            if failure != loadFailure { add(.report(.store(failure))) }
            loadFailure = failure
            send(toSession: .loadFailed)
        case .success(let plan):
            loadFailure = nil
            self.plan = plan
            models = Dictionary(
                plan.models.map { ($0.name, ModelSync($0, isOfGuest: plan.isOfGuest)) },
                uniquingKeysWith: { first, _ in first })
            subscriptions =
                !plan.subscribes
                ? []
                : plan.models.flatMap { model in
                    SubscribedOperation.allCases.map {
                        Subscription(model: model.name, operation: $0, modeCount: model.modeCount)
                    }
                }
            send(toSession: .loaded(plan.hasChangesOfOthers ? .otherUser : nil))
        }
    }

    mutating func renewed(_ result: ClaimResult) {
        // The plan may take longer to read than the lease lasts.
        guard session.isRunning || session.state == .claiming else { return }
        switch result {
        case .held: arm(.lease, settings.leaseLife / 2)
        case .failed: arm(.lease, settings.leaseLife / 8)
        case .taken: send(toSession: .leaseLost)
        }
    }

    /// The store refused a commit.
    ///
    /// Without the fence nothing may be done any longer.
    ///
    /// - Returns: Whether the session continues.
    mutating func survives(_ failure: StoreFailure) -> Bool {
        guard failure == .fenceLost else { return true }
        send(toSession: .leaseLost)
        return false
    }

    /// Forgets everything that is in progress but the job in the store, which cannot be taken back.
    private mutating func endWork() {
        forget { if case .store = $0 { false } else { true } }
        armed = [:]
        lane = []
        models = [:]
        outdated = []
        subscriptions = []
        entries = [:]
        outcomes = [:]
        loadFailure = nil
        outboxProgress = OutboxProgress()
    }
}
