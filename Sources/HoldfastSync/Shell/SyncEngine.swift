package import HoldfastEngine
package import HoldfastStorage
import HoldfastWire

/// Synchronizes a store with a service: carries out the effects of ``SyncCore``, and reports their outcomes to it.
///
/// Everything that happens goes through one mailbox, in order. ``run()`` does the work and must be running.
package actor SyncEngine {
    let store: DataStore
    let surroundings: Surroundings
    let authorization: SyncAuthorization
    let models: [String: SyncedModel]
    private let order: [(model: SyncedModel, parents: [String])]
    /// The models of which it depends on groups what may be read.
    let modelsOfGroups: [WireModel]
    private let settings: SyncSettings
    private let decide: @Sendable (SyncConflict) async -> SyncDecision
    private let notify: @Sendable (SyncNotification) -> Void
    private let track: @Sendable (SyncActivity) -> Void
    private let subscribes: @Sendable () -> Bool
    let client: ServiceClient
    private let storeClient: StoreClient

    private let events: AsyncStream<SyncEvent<SyncContent>>
    let mailbox: AsyncStream<SyncEvent<SyncContent>>.Continuation
    private var core: SyncCore<SyncContent>
    private var fence: SyncFence?
    private(set) var identity: String?
    var scopes: [String: SyncScope] = [:]
    private var outgoing: [OutgoingMutation.ID: OutgoingMutation] = [:]
    /// The records of settled mutations that the store no longer has, until the hub is notified.
    private var goneRows: [OutgoingMutation.ID: [Value]] = [:]
    private var tasks: [EffectID: Task<Void, Never>] = [:]
    private var commands: [CommandID: CheckedContinuation<CommandResult, Never>] = [:]
    private var refreshes: [CommandID: CheckedContinuation<Void, any Error>] = [:]
    private var lastCommand = 0
    var sockets: [SocketID: SocketDriver] = [:]
    nonisolated let socketRenewal = SocketRenewal()

    /// Creates an engine that is stopped.
    ///
    /// - Parameters:
    ///   - store: The store; it must record mutations.
    ///   - models: The models to be synchronized.
    ///   - transport: The transport to the service.
    ///   - authorization: The authorization of requests.
    ///   - surroundings: Time and randomness.
    ///   - settings: How it behaves.
    ///   - decide: The conflict handler; prefers the service's record by default.
    ///   - subscribes: Whether changes at the service are subscribed to, asked at each start.
    ///   - notify: Called with what happens, in order; it must return immediately.
    ///   - track: Called with each step of the engine, in order and before it has effects; it must return immediately.
    package init(
        store: DataStore, models: [SyncedModel], transport: any SyncTransport, authorization: SyncAuthorization,
        surroundings: Surroundings, settings: SyncSettings = SyncSettings(),
        decide: @escaping @Sendable (SyncConflict) async -> SyncDecision = { _ in .applyRemote },
        subscribes: @escaping @Sendable () -> Bool = { true },
        notify: @escaping @Sendable (SyncNotification) -> Void = { _ in },
        track: @escaping @Sendable (SyncActivity) -> Void = { _ in }
    ) {
        let mailbox: AsyncStream<SyncEvent<SyncContent>>.Continuation
        (events, mailbox) = AsyncStream.makeStream()
        self.mailbox = mailbox
        self.store = store
        self.surroundings = surroundings
        let authorization = authorization.reportingChanges { mailbox.yield(.userChanged) }
        self.authorization = authorization
        self.settings = settings
        self.decide = decide
        self.notify = notify
        self.track = track
        self.subscribes = subscribes
        order = models.withParents()
        modelsOfGroups = models.map(\.wire).filter { $0.isReadByGroups() }
        self.models = Dictionary(models.map { ($0.entity.name, $0) }, uniquingKeysWith: { first, _ in first })
        client = ServiceClient(transport: transport, authorization: authorization)
        storeClient = StoreClient(store: store, models: self.models, holder: surroundings.uuid())
        core = SyncCore(settings: settings, seed: surroundings.random())
    }

    /// The names of the models whose changes are sent; `nil` for all of the store.
    nonisolated var sentModels: Set<String>? { storeClient.sentModels }

    /// Works until ``close()``.
    package func run() async {
        // Before anything else, so that no change is missed.
        let changes = store.observeLocalChanges()
        let watcher = Task { await watchOutbox(changes) }
        var state = core.session.state
        for await event in events {
            let now = Moment(uptime: surroundings.uptime(), wall: surroundings.wallMicroseconds() / 1_000)
            if case .fetched(let id, .success(let page)) = event, case .fetch(let model)? = core.work[id] {
                track(.page(model: model, rows: page.count))
            }
            let effects = core.handle(event, at: now)
            if core.session.state != state {
                state = core.session.state
                track(.state(SyncState(state)))
            }
            for effect in effects { perform(effect) }
        }
        watcher.cancel()
        for task in tasks.values { task.cancel() }
        for socket in sockets.values { socket.end() }
        for command in commands.values { command.resume(returning: .failed("the sync engine was closed")) }
        for id in refreshes.keys { endRefresh(id, Self.closed) }
        (tasks, sockets, commands) = ([:], [:], [:])
    }

    /// Begins to synchronize; returns once the store is claimed or another process is found to have it.
    package nonisolated func start() async -> CommandResult {
        // Already now: what is saved next is a change of the user who is signed in, and not of the last session's.
        store.expectSession()
        return await command(.start)
    }

    /// Ends synchronizing; returns once nothing is in progress in the store any longer.
    package func stop() async -> CommandResult { await command(.stop) }

    /// Ends synchronizing and empties the store.
    package func clear() async -> CommandResult { await command(.clear) }

    /// Reads what has changed of each model; returns once it is stored.
    ///
    /// - Throws: ``SyncProblem`` if a model cannot be read, or nothing can; `CancellationError`.
    package func refresh() async throws {
        lastCommand += 1
        let id = CommandID(number: lastCommand)
        try await withTaskCancellationHandler {
            try await beginRefresh(id)
        } onCancel: {
            Task { await self.endRefresh(id, CancellationError()) }
        }
    }

    /// Compares the store with the service, whether or not the engine is started.
    package nonisolated func verify(limit: Int) async throws -> [SyncDifference] {
        var verification = SyncVerification(
            store: store, client: client, modeCount: authorization.modeCount, pageSize: settings.syncPageSize,
            limit: limit)
        for (model, _) in order where verification.differences.count < limit { try await verification.compare(model) }
        return verification.differences
    }

    /// Sets whether the device has a network; by default it has.
    package nonisolated func setNetwork(isUp: Bool) { mailbox.yield(.network(isUp: isUp)) }

    /// Ends ``run()``.
    ///
    /// Stop the engine first, so that another process does not have to wait until the lease ends.
    package nonisolated func close() { mailbox.finish() }

    private func command(_ command: SyncCommand) async -> CommandResult {
        lastCommand += 1
        let id = CommandID(number: lastCommand)
        return await withCheckedContinuation { continuation in
            commands[id] = continuation
            if case .terminated = mailbox.yield(.command(id, command)) {
                commands[id] = nil
                continuation.resume(returning: .failed("the sync engine is closed"))
            }
        }
    }

    private func beginRefresh(_ id: CommandID) async throws {
        // What is cancelled from here on ends the refresh, which has its continuation by then.
        try Task.checkCancellation()
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            refreshes[id] = continuation
            if case .terminated = mailbox.yield(.refresh(id)) { endRefresh(id, Self.closed) }
        }
    }

    /// Answers a refresh that is not answered yet; with an error, if it failed.
    private func endRefresh(_ id: CommandID, _ error: (any Error)?) {
        guard let continuation = refreshes.removeValue(forKey: id) else { return }
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
    }

    private static let closed = SyncProblem(.notRunning, "The synchronizer was closed.")

    /// Notifies the core of local changes.
    private func watchOutbox(_ changes: LocalChanges) async {
        // It fails only when the store is closed, after which nothing is left to be sent.
        do { for try await _ in changes { mailbox.yield(.outboxChanged) } } catch {}
    }

    // MARK: - Effects

    private func perform(_ effect: SyncEffect<SyncContent>) {
        switch effect {
        case .claim(let id): work(id) { .claimed(id, await self.claim()) }
        case .renew(let id): work(id) { .renewed(id, await self.renew()) }
        case .release(let id): work(id) { await self.release(id) }
        case .clear(let id): work(id) { .cleared(id, await self.clearStore()) }
        case .load(let id): work(id) { .loaded(id, await self.load(id)) }
        case .apply(let id, let content):
            withFence(id, without: .applied(id, .failure(.fenceLost))) { [storeClient] in
                .applied(id, await storeClient.apply(content, $0))
            }
        case .sweep(let id, let model, let generation):
            withFence(id, without: .swept(id, .failure(.fenceLost))) { [storeClient] in
                .swept(id, await storeClient.sweep(model, generation, $0))
            }
        case .take(let id, let limit, let includesSent):
            withFence(id, without: .taken(id, .failure(.fenceLost))) {
                await self.take(id, limit: limit, includesSent: includesSent, $0)
            }
        case .settle(let id, let resolutions, let generations):
            withFence(id, without: .settled(id, .failure(.fenceLost))) {
                await self.settle(id, resolutions, generations, $0)
            }
        case .fetch(let id, let request):
            guard let model = models[request.model] else { break }
            track(.reading(model: request.model, isFull: request.since == nil, isFirst: request.token == nil))
            work(id) { [client, scope = scope(of: request.model)] in
                .fetched(id, await client.page(request, of: model, in: scope))
            }
        case .sendMutation(let id, let entry, let mode):
            withEntry(id, entry) { client, outgoing, model, scope in
                .answered(id, await client.mutate(outgoing, of: model, in: scope, mode: mode))
            }
        case .check(let id, let entry, let mode):
            withEntry(id, entry) { client, outgoing, model, scope in
                .checked(id, await client.check(outgoing, of: model, in: scope, mode: mode))
            }
        case .ask(let id, let entry, let remote):
            withEntry(id, entry) { [decide] _, outgoing, _, _ in
                .decided(id, await decide(SyncConflict(outgoing, remote)).asCoreDecision(remote))
            }
        case .timer(let id, let duration):
            work(id) { [surroundings] in
                try? await surroundings.sleep(duration)
                return .timerFired(id)
            }
        case .openSocket(let id, let socket, let mode): open(id, socket, mode: mode)
        case .sendFrame(let socket, let frame): sockets[socket]?.send(frame)
        case .closeSocket(let socket): sockets.removeValue(forKey: socket)?.end()
        case .synced(let model): track(.synced(model: model))
        case .emit(.conditionalSaveFailed(let id, _)):
            let row = goneRows.removeValue(forKey: id)
            notify(.hub(.conditionalSaveFailed(id, row.map { SyncContent(model: id.model, deletedRow: $0) })))
        case .emit(let event):
            if case .modelSynced(let model, _, _, _, _) = event, let fence { store.markSynced(model, fence) }
            notify(.hub(event))
        case .report(let report): notify(.report(report))
        case .refreshed(let id, let problem): endRefresh(id, problem)
        case .answer(let id, let result): commands.removeValue(forKey: id)?.resume(returning: result)
        }
    }

    /// Does something that ends in an event.
    func work(_ id: EffectID, _ body: @escaping @Sendable () async -> SyncEvent<SyncContent>) {
        tasks[id] = Task {
            mailbox.yield(await body())
            tasks[id] = nil
        }
    }

    private func withFence(
        _ id: EffectID, without lost: SyncEvent<SyncContent>,
        _ body: @escaping @Sendable (SyncFence) async -> SyncEvent<SyncContent>
    ) {
        guard let fence else {
            mailbox.yield(lost)
            return
        }
        work(id) { await body(fence) }
    }

    private func withEntry(
        _ id: EffectID, _ entry: OutgoingMutation.ID,
        _ body:
            @escaping @Sendable (ServiceClient, OutgoingMutation, SyncedModel, SyncScope)
            async -> SyncEvent<SyncContent>
    ) {
        guard let outgoing = outgoing[entry], let model = models[entry.model] else { return }
        let scope = scope(of: entry.model)
        work(id) { [client] in await body(client, outgoing, model, scope) }
    }

    private func scope(of model: String) -> SyncScope { scopes[model] ?? SyncScope() }

    /// The records that the sync expressions select now.
    private func evaluatedScopes() -> Result<[String: SyncScope], StoreFailure> {
        var scopes: [String: SyncScope] = [:]
        for (model, _) in order {
            do {
                guard let expression = try model.expression() else { continue }
                scopes[model.entity.name] = try SyncScope(expression, of: model)
            } catch {
                return .failure(.failed("the sync expression of '\(model.entity.name)': \(error)"))
            }
        }
        return .success(scopes)
    }

    private func claim() async -> ClaimResult {
        // With an expression that cannot be used nothing is synchronized, and the start says so.
        if case .failure(.failed(let words)) = evaluatedScopes() { return .failed(words) }
        let now = surroundings.wallMicroseconds()
        do {
            fence = try await store.claim(storeClient.holder, until: now + leaseMicroseconds, now: now)
            return fence == nil ? .taken(settings.leaseLife / 2) : .held
        } catch {
            return .failed("\(error)")
        }
    }

    private func renew() async -> ClaimResult {
        guard let fence else { return .taken(.zero) }
        do {
            let holds = try await store.renew(fence, until: surroundings.wallMicroseconds() + leaseMicroseconds)
            return holds ? .held : .taken(.zero)
        } catch {
            return .failed("\(error)")
        }
    }

    private func release(_ id: EffectID) async -> SyncEvent<SyncContent> {
        store.markNothingSynced()
        if let fence { try? await store.release(fence) }
        fence = nil
        (outgoing, goneRows) = ([:], [:])
        // No caller waits for these any longer.
        for (other, task) in tasks where other != id { task.cancel() }
        return .released(id)
    }

    private func clearStore() async -> StoreFailure? {
        do {
            try await store.clear()
            return nil
        } catch {
            return StoreFailure(error)
        }
    }

    private func load(_ id: EffectID) async -> Result<SyncPlan, StoreFailure> {
        let user: String?
        do {
            user = try await authorization.identity()
        } catch {
            if core.work[id] == .load { store.expectLastUser() }
            // The words may quote a token.
            return .failure(.failed("the signed-in user could not be determined; it is tried again later"))
        }
        // Without a network it may take a new token to tell the groups. They are asked for again with each socket.
        let readIdentity = try? await authorization.readIdentity(of: user, for: modelsOfGroups)
        // The user of a session that was ended meanwhile must not become that of the next one, or of an empty store.
        guard core.work[id] == .load else { return .failure(.failed("the session has ended")) }
        let fence = fence
        identity = user
        store.setIdentity(user)
        // Evaluated again, since they can depend on the user.
        switch evaluatedScopes() {
        case .failure(let failure): return .failure(failure)
        case .success(let found): scopes = found
        }
        if let fence {
            do {
                // Before the outbox is looked at: what other handles save from now on is not an earlier user's.
                guard try await store.keepIdentity(user, fence) else { return .failure(.fenceLost) }
            } catch {
                return .failure(StoreFailure(error))
            }
        }
        let plan = await storeClient.plan(
            order, scopes: scopes, user: user, identity: readIdentity, modeCount: authorization.modeCount,
            subscribes: subscribes())
        guard case .success(let found) = plan, !found.isOutboxEmpty, !found.hasChangesOfOthers, let user, let fence
        else { return plan }
        do {
            try await store.assignChanges(to: user, fence, of: storeClient.sentModels)
        } catch {
            return .failure(StoreFailure(error))
        }
        return plan
    }

    private func take(
        _ id: EffectID, limit: Int, includesSent: Bool, _ fence: SyncFence
    ) async -> SyncEvent<SyncContent> {
        let answer = await storeClient.take(limit, includesSent: includesSent, identity: identity, fence)
        switch answer {
        case .failure(let failure): return .taken(id, .failure(failure))
        case .success(let answer):
            let taken = answer.mutations
            for entry in taken { outgoing[entry.id] = entry }
            let facts = taken.map { TakenEntry($0, modeCount: authorization.modeCount) }
            var result = Taken(entries: facts, hasMore: answer.hasMore, received: answer.received)
            if taken.isEmpty, !answer.hasMore {
                let models = storeClient.sentModels
                do {
                    result.isOutboxEmpty = try await store.isOutboxEmpty(of: models)
                    if !result.isOutboxEmpty {
                        result.hasChangesOfOthers = try await store.hasChanges(ofOthersThan: identity, of: models)
                    }
                } catch {
                    result.failure = StoreFailure(error)
                }
            }
            return .taken(id, .success(result))
        }
    }

    private func settle(
        _ id: EffectID, _ resolutions: [OutgoingMutation.ID: Resolution<SyncContent>], _ generations: [String: Int64],
        _ fence: SyncFence
    ) async -> SyncEvent<SyncContent> {
        let settled = resolutions.sorted { $0.key < $1.key }.compactMap { id, resolution in
            outgoing[id].map { ($0, resolution) }
        }
        let result = await storeClient.settle(settled, generations: generations, fence)
        if case .success = result {
            for (mutation, resolution) in settled {
                if case .gone(.conditionFailed) = resolution { goneRows[mutation.id] = mutation.row }
            }
            for id in resolutions.keys { outgoing[id] = nil }
        }
        return .settled(id, result)
    }

    private var leaseMicroseconds: Int64 { settings.leaseLife.microseconds }
}

extension TakenEntry {
    fileprivate init(_ outgoing: OutgoingMutation, modeCount: Int) {
        let kind: MutationKind =
            switch outgoing.operation {
            case .create: .create
            case .update: .update
            case .delete: .delete
            }
        self.init(
            id: outgoing.id, kind: kind, hasCondition: outgoing.condition != nil, modeCount: modeCount,
            attempts: outgoing.attempts, isUncertain: outgoing.isUncertain)
    }
}
