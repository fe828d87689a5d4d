extension SyncCore {
    /// Reads every model, parents first.
    mutating func hydrate() {
        add(.emit(.syncQueriesStarted(models: plan.models.map(\.name))))
        readWaiting()
        checkHydrated()
    }

    /// Begins with the models whose turn has come: nothing that they refer to is still to be read, and not too many are
    /// read at once.
    ///
    /// A parent that is settled although it failed keeps nothing waiting. What is complete comes last.
    private mutating func readWaiting() {
        guard session.state == .hydrating || session.state == .live else { return }
        for model in plan.models where models[model.name]?.isWaiting == true {
            guard hasRoom else { return }
            guard model.parents.allSatisfy({ models[$0]?.isSettled ?? true }) else { continue }
            read(model.name)
        }
        for model in plan.models where isOutdated(model.name) {
            guard hasRoom else { return }
            read(model.name)
        }
    }

    /// Whether a model that is complete or has failed is to be read again now; what has failed is read after its delay.
    private func isOutdated(_ name: String) -> Bool {
        guard outdated.contains(name), let state = models[name]?.state else { return false }
        return state == .synced || state == .failed && armed[.model(name)] == nil
    }

    /// Whether another model may be read at once.
    private var hasRoom: Bool { models.values.count(where: \.isRunning) < max(1, settings.fetchWindow) }

    /// Begins to read a model.
    private mutating func read(_ name: String) {
        guard session.state == .hydrating || session.state == .live else { return }
        outdated.remove(name)
        let (identity, settings, wall) = (plan.identity, settings, now.wall)
        change(name) { $0.begin(identity: identity, settings: settings, wall: wall) }
    }

    mutating func fetched(_ name: String, _ answer: Result<FetchedPage<Content>, ServiceFailure>) {
        let (identity, settings) = (plan.identity, settings)
        change(name) { $0.fetched(answer, identity: identity, settings: settings) }
        switch answer {
        case .failure(.unsent), .failure(.unknown): send(toSession: .unreachable)
        default: send(toSession: .reached)
        }
    }

    mutating func committed(_ name: String, _ answer: Result<CommitReport<Content>, StoreFailure>) {
        if case .failure(let failure) = answer, !survives(failure) { return }
        if case .success(let report) = answer {
            if let received = report.received { add(.emit(.syncReceived(received))) }
            self.report(report.deadLetters)
            if report.mayLackValues { readLater(name) }
            if report.unkept > 0 { add(.report(.unkept(model: name, count: report.unkept))) }
        }
        change(name) { $0.committed(answer) }
        // What the service says may leave nothing to be sent.
        if outboxProgress.announcedEmpty == false, entries.isEmpty { outboxChanged() }
    }

    /// Lets a model learn something, and does what it wants.
    mutating func change(_ name: String, _ change: (inout ModelSync<Content>) -> [ModelSync<Content>.Action]) {
        // In place: with a copy of the model, each change from a subscription would copy all those that wait.
        guard let index = models.index(forKey: name) else { return }
        let actions = change(&models.values[index])
        perform(actions, of: name)
    }

    /// Reads a model whose delay has ended when its turn comes.
    mutating func readAgain(_ name: String) { perform([.again], of: name) }

    /// Reads a model after a while, since an event does not say what has changed.
    ///
    /// A sender whose events say too little may send very many, to all devices. While they come, the delay grows.
    mutating func readLater(_ name: String) {
        guard armed[.missed(name)] == nil else { return }
        var delay = max(settings.trailingDelay, .seconds(1))
        if let last = readingsForEvents[name], now.uptime - last.at < last.delay {
            delay = max(delay, min(last.delay * 2, .seconds(10 * 60)))
        }
        readingsForEvents[name] = (now.uptime + delay, delay)
        arm(.missed(name), delay)
    }

    mutating func perform(_ actions: [ModelSync<Content>.Action], of name: String) {
        for action in actions {
            switch action {
            case .fetch(let request):
                // The page of an earlier reading must not be taken for one of this.
                forget { $0 == .fetch(name) }
                noteRefreshes(request)
                _ = begin(.fetch(name)) { .fetch($0, request) }
            case .queue: queue(.model(name))
            case .synced(let isFull, let added, let updated, let deleted):
                add(.synced(model: name))
                noteRefreshes(synced: name)
                announce(
                    .modelSynced(model: name, isFull: isFull, added: added, updated: updated, deleted: deleted), name)
            case .settled: checkHydrated()
            case .again:
                switch models[name]?.state {
                // The delay of one that has failed can have ended while a page was being stored.
                case .synced?, .failed?: outdated.insert(name)
                default: break
                }
            case .retry(let attempt, let failure):
                let delay = backoff.delay(attempt, atLeast: failure.retryAfter)
                let report = SyncReport.model(name, failure, retry: delay)
                add(.report(report))
                arm(.model(name), delay)
                // A first request is often lost with a connection that was kept. If no socket is accepted either, the next
                // connection begins with a first request again.
                let isUnreachable = session.state == .hydrating && session.isWithoutSockets
                if attempt > 0 || !failure.mayPass || isUnreachable { endRefreshes(SyncProblem(report)) }
            case .retryStore(let attempt, let failure):
                add(.report(.store(failure)))
                arm(.model(name), backoff.delay(attempt))
                endRefreshes(SyncProblem(.store(failure)))
            case .report(let report):
                add(.report(report))
                if models.values.allSatisfy(\.needsUser) { return send(toSession: .refused(.signedOut)) }
            case .signedOut: send(toSession: .refused(.signedOut))
            }
        }
        readWaiting()
    }

    /// Notifies the hub of a model, once in a connection.
    private mutating func announce(_ event: HubEvent<Content>, _ model: String) {
        if announced.insert(model).inserted { add(.emit(event)) }
    }

    private mutating func checkHydrated() {
        guard session.state == .hydrating, models.values.allSatisfy(\.isSettled) else { return }
        // Without subscriptions no socket has shown that the service accepts the credentials.
        let hasSockets = plan.subscribes && !session.isWithoutSockets
        let isRefused = !hasSockets && !models.isEmpty && models.values.allSatisfy(\.isUnauthenticated)
        send(toSession: isRefused ? .refused(.unauthorized) : .hydrated)
    }

    /// All models have been read: mutations are sent from now on.
    mutating func goLive() {
        liveSince = now.uptime
        add(.emit(.syncQueriesReady))
        outboxProgress.isOn = true
        // Those that were taken before a gap, and not sent.
        for id in entries.keys where entries[id]?.state == .pending { entries[id]?.waited() }
        queue(.take)
        pump()
        add(.emit(.syncStarted))
        add(.emit(.ready))
        arm(.trailing, settings.trailingDelay)
        readingCount = 0
        readAllLater()
    }

    /// Reads what has changed of each model.
    mutating func readAll() {
        for model in plan.models { change(model.name) { $0.missed() } }
    }

    /// Reads the models again after a while: when their full syncs are due, and more often without sockets.
    mutating func readAllLater() {
        let interval =
            session.isWithoutSockets
            ? min(.seconds(300), .seconds(60) * (1 << min(readingCount, 3)))
            // An application may want a full sync with each start.
            : max(settings.syncInterval, .seconds(60 * 60))
        readingCount += 1
        arm(.reading, interval)
    }
}

extension ServiceFailure {
    /// How long the service wants to be left alone.
    var retryAfter: Duration? {
        if case .unknown(let retryAfter) = self { retryAfter } else { nil }
    }
}
