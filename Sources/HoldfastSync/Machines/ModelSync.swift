/// The synchronization of one model: pages, commits, the sweep, and changes from subscriptions.
struct ModelSync<Content: Sendable>: Sendable {
    /// Where the model is.
    enum State: Sendable, Hashable {
        /// It waits for its turn.
        case waiting
        /// The number of a full sync is being stored.
        case numbering
        /// Pages are still to come.
        case fetching
        /// The last page is being committed.
        case applying
        /// Records that a full sync has not seen are being removed.
        case sweeping
        /// It is complete; changes from subscriptions are applied as they come.
        case synced
        /// The service refuses to read it; it is tried again with the next socket.
        ///
        /// Changes from subscriptions are applied as they come.
        case refused
        /// It could not be read or stored, and is tried again after a while.
        case failed
    }

    /// What the model wants done.
    enum Action: Sendable, Hashable {
        /// Read a page.
        case fetch(FetchRequest)
        /// Take its turn in the store; ``ModelSync/takeWork(wall:)`` then says with what.
        case queue
        /// It is complete, for the n-th time in this session.
        case synced(isFull: Bool, added: Int, updated: Int, deleted: Int)
        /// It need not be waited for.
        case settled
        /// It must be read again.
        case again
        case retry(attempt: Int, ServiceFailure)
        case retryStore(attempt: Int, StoreFailure)
        case report(SyncReport)
        case signedOut
    }

    /// What is next for the store.
    enum StoreWork: Sendable {
        case apply(RemoteWork<Content>)
        case sweep(Int64)
    }

    /// A commit in progress.
    enum Commit: Sendable, Hashable {
        /// The number of a full sync.
        case number(StoredState)
        /// Records of a page of which more follow.
        case part
        case page(StoredState, isLast: Bool)
        case changes
        case sweep
        case end(StoredState)
    }

    /// How many rejections in a row make a model refused, until the next connection.
    static var rejectionLimit: Int { 3 }

    /// How often mutations wait for a second attempt, so that connections which never last do not hold them up.
    private static var waitLimit: Int { 3 }
    /// Many small pages would cost more than they help.
    private static var leastSlowLimit: Int { 50 }

    /// What is known of the model.
    ///
    /// Its stored state follows the commits.
    private(set) var plan: ModelPlan
    private(set) var state = State.waiting
    /// Whether mutations need not wait for it: it is complete or refused, or it has failed and is not tried again first.
    private(set) var isSettled = false
    private var run: ModelRun<Content>?
    private var commit: Commit?
    /// What the store is doing or has failed to do, and where the model is when that is done once more.
    private var unstored: (work: StoreWork, commit: Commit, state: State)?
    private var isQueued = false
    private var isWaitingForCommit = false
    private var hasSwept = false
    /// Why the model is refused, while the records are removed that were read for another user.
    private var refusal: ServiceFailure?
    /// Changes from subscriptions that wait to be applied.
    private(set) var changes = ChangeFold<Content>()
    /// Whether changes may have been missed that a delta query must bring.
    private var hasGap = false
    private var mode = 0
    private var refusals = ModeRefusals()
    /// Whether the session began with no one signed in.
    private let isOfGuest: Bool
    /// Whether it is refused until someone signs in.
    private(set) var needsUser = false
    private var attempt = 0
    /// How often mutations have waited for a second attempt since the model was complete.
    private var waitCount = 0
    private var rejections = 0
    /// How many records the last page that was asked for may have.
    private var requestLimit = 0
    /// How many records a page may have at most: a longer one does not go through the transport.
    ///
    /// For all readings of the session, so that it is not found out again with each attempt.
    private var pageLimit = Int.max
    /// How many records a page may have at most after pages that were not answered: the connection may be slow.
    private var slowLimit = Int.max
    /// How many pages in a row were not answered.
    private var lossCount = 0

    init(_ plan: ModelPlan, isOfGuest: Bool = false) {
        self.plan = plan
        self.isOfGuest = isOfGuest
    }

    /// Whether it can be read when its turn comes.
    var isWaiting: Bool { state == .waiting && !isWaitingForCommit }

    /// Whether it is refused only since the service does not accept the credentials.
    var isUnauthenticated: Bool { state == .refused && refusals.isUnauthenticated }

    /// Whether it is being read.
    var isRunning: Bool { [.numbering, .fetching, .applying, .sweeping].contains(state) }

    /// Begins to read the model: in full or what changed.
    mutating func begin(identity: String?, settings: SyncSettings, wall: Int64) -> [Action] {
        guard !isRunning else { return [] }
        guard commit == nil else {
            isWaitingForCommit = true
            return []
        }
        if let unstored {
            state = unstored.state
            return queue()
        }
        let choice = SyncChoice(plan, identity: identity, settings: settings, wall: wall)
        // The changes to what a query read before it was interrupted have not been seen.
        hasGap = choice.resume != nil
        hasSwept = false
        refusal = nil
        mode = 0
        refusals = ModeRefusals()
        needsUser = false
        run = ModelRun(choice, plan: plan, identity: identity, settings: settings)
        guard choice.resume?.kind != .sweep else {
            state = .sweeping
            return queue()
        }
        return read(choice)
    }

    /// Reads the first page, once the number of a full sync is stored.
    ///
    /// Answers to mutations get that number, too. If it were stored with the first page alone, a sweep could remove
    /// what was answered after its pages:
    ///
    /// ```
    /// device                                      store
    /// reads the only page of full sync 1
    /// stores it                                   has it, number 1, sweep to be done
    ///   and does not learn that it has it
    /// a creation is answered: number 0            has the record, number 0
    /// is killed, and begins again: sweep of 1     the record is gone
    /// ```
    private mutating func read(_ choice: SyncChoice) -> [Action] {
        guard choice.generation == plan.stored.generation else {
            state = .numbering
            return queue()
        }
        state = .fetching
        return fetch()
    }

    /// A page came, or it did not.
    mutating func fetched(
        _ answer: Result<FetchedPage<Content>, ServiceFailure>, identity: String?, settings: SyncSettings
    ) -> [Action] {
        let waitsForStore = state == .failed && unstored?.state == .fetching
        guard state == .fetching || waitsForStore, var run, run.isFetching else { return [] }
        switch answer {
        case .failure(let failure):
            run.isFetching = false
            self.run = run
            // It is asked for again once the page before it is stored.
            return waitsForStore ? [] : failed(failure)
        case .success(let page):
            (rejections, lossCount) = (0, 0)
            if page.nextToken == nil, slowLimit < settings.syncPageSize { slowLimit += slowLimit / 4 }
            // Only a full sync removes what the service no longer has, and one that ends early does not.
            let isBase = page.isBase && !run.choice.isFull
            let news = isBase ? [] : run.received(page)
            self.run = run
            if isBase || run.isTooLong {
                let reason: SyncChoice.FullReason =
                    plan.stored.isTruncated ? .whole : isBase ? .service : .delta
                let full = SyncChoice(full: reason, generation: plan.stored.generation + 1)
                self.run = ModelRun(full, plan: plan, identity: identity, settings: settings)
                return read(full)
            }
            if !run.hasMore {
                // What the store has failed to do may wait for its turn.
                if unstored?.state == .fetching { unstored?.state = .applying }
                if !waitsForStore { state = .applying }
            }
            return news.map { .report($0) } + queue()
        }
    }

    /// Its turn in the store has come; `nil` if there is nothing to do any longer.
    mutating func takeWork(wall: Int64) -> (work: StoreWork, then: [Action])? {
        isQueued = false
        guard commit == nil else { return nil }
        if let unstored, unstored.state == state {
            commit = unstored.commit
            return (unstored.work, [])
        }
        guard let next = nextWork(wall: wall), let commit else { return nil }
        unstored = (next.work, commit, state)
        return next
    }

    private mutating func nextWork(wall: Int64) -> (work: StoreWork, then: [Action])? {
        switch state {
        case .numbering:
            guard let run else { return nil }
            var stored = plan.stored
            stored.generation = run.choice.generation
            // An unfinished sweep must not use the new number, and there is no complete full sync now.
            stored.resume = nil
            stored.fullSyncAt = nil
            commit = .number(stored)
            return (.apply(RemoteWork(model: plan.name, generation: stored.generation, state: stored)), [])
        case .fetching, .applying:
            guard var run, let part = run.takePart(after: plan.stored, wall: wall) else { return nil }
            self.run = run
            commit = part.end.map { .page($0.state, isLast: $0.isLast) } ?? .part
            let work = RemoteWork(
                model: plan.name, generation: run.choice.generation, page: part.content, state: part.end?.state)
            return (.apply(work), fetch())
        case .sweeping:
            guard let run, refusal != nil || plan.stored.resume?.kind == .sweep else { return nil }
            guard hasSwept else {
                commit = .sweep
                return (.sweep(plan.stored.generation), [])
            }
            var stored = plan.stored
            stored.resume = nil
            stored.fullSyncAt = run.endedAt(wall)
            if refusal != nil { stored = run.removed }
            commit = .end(stored)
            return (.apply(RemoteWork(model: plan.name, generation: stored.generation, state: stored)), [])
        case .synced, .refused:
            guard !changes.isEmpty else { return nil }
            if changes.isIncomplete { hasGap = true }
            commit = .changes
            let work = RemoteWork(
                model: plan.name, generation: plan.stored.generation,
                changes: changes.take(SyncContent.recordsPerCommit))
            return (.apply(work), [])
        case .waiting, .failed:
            return nil
        }
    }

    /// A commit ended.
    mutating func committed(_ answer: Result<CommitReport<Content>, StoreFailure>) -> [Action] {
        guard let commit else { return [] }
        self.commit = nil
        defer { isWaitingForCommit = false }
        return outcome(of: commit, answer) + (isWaitingForCommit ? [.again] : [])
    }

    private mutating func outcome(
        of commit: Commit, _ answer: Result<CommitReport<Content>, StoreFailure>
    ) -> [Action] {
        switch answer {
        case .failure(let failure):
            guard state != .waiting else { return [] }
            // It is kept: on a full disk, what is read again would be read in vain, again and again.
            unstored?.state = state
            state = .failed
            attempt += 1
            return settle() + [.retryStore(attempt: attempt - 1, failure)]
        case .success(let report):
            unstored = nil
            if commit != .changes { run?.count(report) }
            let actions = ended(commit)
            // A page of a delta was being stored that was given up for a full sync.
            return state == .numbering ? queue() : actions + queueChanges()
        }
    }

    /// A subscription delivered a change.
    mutating func changed(_ change: RemoteChange<Content>, settings: SyncSettings) -> [Action] {
        changes.add(change, limit: settings.eventLimit)
        return queueChanges()
    }

    /// Changes may have been missed.
    mutating func missed() -> [Action] {
        guard state == .synced, commit == nil else {
            hasGap = true
            return []
        }
        return [.again]
    }

    /// The socket is gone: requests end, and the model must be read again.
    ///
    /// A commit in progress continues. Changes that wait are read again: a service that was restored from a backup may
    /// no longer have them.
    mutating func interrupt() {
        run = nil
        unstored = nil
        changes = ChangeFold()
        state = .waiting
        isSettled = false
        hasGap = true
        isWaitingForCommit = false
        attempt = 0
        rejections = 0
    }

    private mutating func ended(_ commit: Commit) -> [Action] {
        switch commit {
        case .number(let stored):
            plan.stored = stored
            guard state == .numbering else { return [] }
            state = .fetching
            return fetch()
        case .changes:
            attempt = 0
            guard state == .synced else { return [] }
            // What waits is stored before more is read: the reading would keep it waiting, and leave no room to others.
            return !changes.isEmpty ? queue() : hasGap ? [.again] : []
        case .part:
            return run?.hasWork == true ? queue() : []
        case .page(let stored, let isLast):
            plan.stored = stored
            // Interrupted while it was committed, or given up for a full sync.
            guard state == .fetching || state == .applying, let run else { return [] }
            guard isLast else { return run.hasWork ? queue() : fetch() }
            guard stored.resume?.kind == .sweep else {
                if run.keepsWatermark { hasGap = true }
                return finish()
            }
            state = .sweeping
            return queue()
        case .sweep:
            guard state == .sweeping else { return [] }
            hasSwept = true
            return queue()
        case .end(let stored):
            plan.stored = stored
            guard state == .sweeping else { return [] }
            return refusal.map { refuse($0) } ?? finish()
        }
    }

    private mutating func finish() -> [Action] {
        let run = run
        self.run = nil
        state = .synced
        (attempt, waitCount) = (0, 0)
        let counts = run?.counts ?? (added: 0, updated: 0, deleted: 0)
        var actions: [Action] = [
            .synced(
                isFull: run?.choice.isFull == true, added: counts.added, updated: counts.updated,
                deleted: counts.deleted)
        ]
        // Mutations are taken once what waits is stored.
        actions += queueChanges() + settle()
        if hasGap { actions.append(.again) }
        return actions
    }

    private mutating func failed(_ failure: ServiceFailure) -> [Action] {
        refusals.note(failure)
        switch failure {
        case _ where failure.isOfMode && mode + 1 < plan.modeCount:
            mode += 1
            return fetch()
        // A guest may read other models.
        case .unauthorized(isSignedOut: true):
            needsUser = isOfGuest
            return isOfGuest ? refuse(failure) : [.signedOut]
        case .notOffered, .unauthorized, .unauthenticated:
            guard run?.isFirstOfIdentity == true, refusals.isOfRequest else { return refuse(failure) }
            // What was read for another user is not this one's to see. The sweep keeps what has unsent changes.
            refusal = failure
            state = .sweeping
            return queue()
        case .rejected where run?.isResumed == true, .schemaMismatch where run?.isResumed == true:
            // The service may have forgotten the token. The first page has none.
            run?.restart()
            return fetch()
        case .rejected, .schemaMismatch:
            rejections += 1
            if rejections >= Self.rejectionLimit { return refuse(failure) }
            return fail(failure)
        case .tooLong where requestLimit > 1:
            pageLimit = requestLimit / 2
            return fetch()
        case .unknown, .tooLong, .unsent:
            if failure == .unknown(retryAfter: nil) {
                lossCount += 1
                if lossCount.isMultiple(of: 2) { slowLimit = max(Self.leastSlowLimit, requestLimit / 2) }
            }
            return fail(failure)
        }
    }

    private mutating func fail(_ failure: ServiceFailure) -> [Action] {
        run = nil
        unstored = nil
        state = .failed
        hasGap = true
        attempt += 1
        let retry = Action.retry(attempt: attempt - 1, failure)
        // The first request after a change of network is often lost with the connection that was kept. Edits that were
        // made offline are put on top of what the next attempt reads; sent before, they would contradict it.
        if attempt == 1, waitCount < Self.waitLimit, failure.mayPass {
            waitCount += 1
            return [retry]
        }
        return settle() + [retry]
    }

    private mutating func refuse(_ failure: ServiceFailure) -> [Action] {
        run = nil
        unstored = nil
        state = .refused
        return [.report(.model(plan.name, failure, retry: nil))] + queueChanges() + settle()
    }

    private mutating func settle() -> [Action] {
        defer { isSettled = true }
        return isSettled ? [] : [.settled]
    }

    /// Has changes from subscriptions stored, if the model applies them as they come.
    private mutating func queueChanges() -> [Action] {
        let appliesChanges = state == .synced || state == .refused
        return appliesChanges && !changes.isEmpty ? queue() : []
    }

    private mutating func queue() -> [Action] {
        guard !isQueued, commit == nil else { return [] }
        isQueued = true
        return [.queue]
    }

    private mutating func fetch() -> [Action] {
        let limit = min(pageLimit, slowLimit)
        guard let request = run?.next(model: plan.name, mode: mode, pageLimit: limit) else { return [] }
        requestLimit = request.limit
        return [.fetch(request)]
    }
}
