public import HoldfastEngine
public import HoldfastModel
import HoldfastStorage

/// Synchronizes a store with a service: sends local changes, and receives the changes of others.
///
/// The application continues to save, query, and observe with the `DataStore`. Of several synchronizers of one store,
/// also in several processes, one works and the others take over when it ends. Call ``close()`` before the store is
/// closed.
///
/// ```swift
/// let service = SyncService(transport: transport, authorization: authorization)
/// let synchronizer = try Synchronizer(store, with: service)
/// try await synchronizer.start()
/// for try await outbox in store.observeOutbox() where outbox.isEmpty { break }  // everything was sent
/// await synchronizer.close()
/// ```
public final class Synchronizer: Sendable {
    /// How a start went.
    public enum StartResult: Sendable, Hashable {
        /// The session is running.
        case started
        /// Another process synchronizes the store; this one takes over when that one ends.
        case following
    }

    /// The store.
    public let store: DataStore
    let engine: SyncEngine
    private let board = StatusBoard()
    private let work: Task<Void, Never>
    private let counting: Task<Void, Never>

    /// Creates a synchronizer that is stopped.
    ///
    /// - Parameters:
    ///   - store: The store; it must record mutations.
    ///   - service: The service, and how the store is synchronized with it.
    /// - Throws: `ModelError` `.unregistered` if the service names a model that the store does not have.
    public convenience init(_ store: DataStore, with service: SyncService) throws(ModelError) {
        try self.init(store, with: service) { _ in }
    }

    /// Creates a synchronizer that is stopped.
    ///
    /// - Parameters:
    ///   - store: The store; it must record mutations.
    ///   - service: The service, and how the store is synchronized with it.
    ///   - notify: Called with what happens, in order; it must return immediately.
    /// - Throws: `ModelError` `.unregistered` if the service names a model that the store does not have.
    package init(
        _ store: DataStore, with service: SyncService, notify: @escaping @Sendable (SyncNotification) -> Void
    ) throws(ModelError) {
        self.store = store
        let (board, wall) = (board, store.surroundings.wallMicroseconds)
        let engine = SyncEngine(
            store: store, models: try service.syncedModels(of: store), transport: service.transport,
            authorization: service.authorization, surroundings: store.surroundings, settings: service.settings,
            decide: { await service.decide($0, in: store) }, subscribes: service.subscribes,
            notify: { notification in
                board.update { $0.note(notification, at: wall()) }
                if case .report(let report) = notification { service.errorHandler(SyncProblem(report)) }
                notify(notification)
            },
            track: { activity in board.update { $0.note(activity) } })
        self.engine = engine
        work = Task { await engine.run() }
        counting = Task {
            var counts = store.observeOutbox(repeats: true, of: engine.sentModels).makeAsyncIterator()
            while !Task.isCancelled {
                do {
                    // Ends with the store.
                    guard let outbox = try await counts.next() else { return }
                    board.update { ($0.outboxCount, $0.deadLetterCount) = (outbox.entryCount, outbox.deadLetterCount) }
                    // To count very many after each commit that sends some of them would take quadratic time.
                    guard outbox.entryCount + outbox.deadLetterCount > 1_000 else { continue }
                    try await store.surroundings.sleep(.milliseconds(100))
                } catch {
                    // A store that cannot be read is reported by the engine. Another commit may never come, so this
                    // asks again.
                    try? await store.surroundings.sleep(.milliseconds(500))
                }
            }
        }
    }

    deinit {
        engine.close()
        counting.cancel()
    }

    /// The current status.
    public var status: SyncStatus { board.status }

    /// The current status, and every change of it.
    ///
    /// A slow reader gets the newest status and misses those in between. Ends with ``close()``.
    public var statuses: AsyncStream<SyncStatus> { board.statuses() }

    /// Waits until every model is complete and every change is sent.
    ///
    /// A model that the service refuses is not complete; ``SyncStatus/ModelStatus/problem`` says so.
    ///
    /// ``SyncStatus/isSynchronized`` says the same, but the number of unsent changes in a status is a moment old:
    /// right after a save it may not count that one.
    ///
    /// ```swift
    /// try await store.save(Post(title: "Hold fast", rating: 5))
    /// try await synchronizer.waitUntilSynchronized()  // the service has it
    /// ```
    ///
    /// - Throws: ``SyncProblem`` `.commandFailed` if the synchronizer is closed before; `CancellationError`;
    ///   ``/HoldfastStorage/StorageError`` if the store cannot be read.
    public func waitUntilSynchronized() async throws {
        // A change that is saved and sent between two looks at the outbox leaves the status as it was. So this asks
        // again whenever the outbox was looked at:
        //
        //     caller                             synchronizer
        //     save: 1 change                     0 unsent changes
        //     synchronized, but 1 change: waits  sends it
        //                                        0 unsent changes, as before
        for await status in board.statuses(repeats: true) where status.isSynchronized {
            if try await store.isOutboxEmpty(of: engine.sentModels) { return }
        }
        try Task.checkCancellation()
        throw SyncProblem(.commandFailed, "The synchronizer was closed.")
    }

    /// Starts to synchronize the store.
    ///
    /// Returns once this process holds the lease of the store, or another process is found to hold it; ``statuses``
    /// reports the progress. Does nothing if it was started before. Commands are carried out in the order in which they
    /// arrive.
    ///
    /// - Throws: ``SyncProblem`` `.commandFailed`; the session is stopped then.
    @discardableResult
    public func start() async throws(SyncProblem) -> StartResult {
        switch await engine.start() {
        case .done: return .started
        case .following: return .following
        case .failed(let words): throw SyncProblem(.commandFailed, words)
        }
    }

    /// Stops synchronizing the store until ``start()``.
    ///
    /// Returns when no operation on the store is in progress any longer. Records and unsent changes stay.
    ///
    /// - Throws: ``SyncProblem`` `.commandFailed` after ``close()``.
    public func stop() async throws(SyncProblem) { try Self.check(await engine.stop()) }

    /// Stops synchronizing, and deletes all records and all unsent changes, in one commit.
    ///
    /// The next ``start()`` reads the service's records again.
    ///
    /// - Throws: ``SyncProblem`` `.commandFailed`; the session is stopped and the store unchanged then.
    public func clear() async throws(SyncProblem) { try Self.check(await engine.clear()) }

    /// Reads what has changed at the service, and returns once the store has it.
    ///
    /// For a list that is pulled down, or for a notification that comes while the application is in the background. While
    /// sockets are open, changes arrive by themselves. Each model is read, also one that failed before and waits for its
    /// next attempt. A model that the service refuses is left out; ``SyncStatus/ModelStatus/problem`` says so. Unsent
    /// changes are not waited for.
    ///
    /// ```swift
    /// try await synchronizer.refresh()
    /// let posts = try await store.query(Post.self)
    /// ```
    ///
    /// - Throws: ``SyncProblem``: `.notRunning` if the session was not started, has ended, or follows another process;
    ///   `.refused` if it was refused; `.disconnected` without a network; `.modelFailed` or `.storeFailed` for the first
    ///   model that cannot be read. It is tried again all the same. `CancellationError`, after which the reading
    ///   continues.
    public func refresh() async throws { try await engine.refresh() }

    /// Compares the store with the service, and changes neither; ``repair()`` corrects what differs.
    ///
    /// Reads all records that the service gives to this user, and keeps their keys in memory, of one model at a time.
    /// Unsent changes do not count as differences. A change that another device makes meanwhile, and that this one
    /// has not received yet, can count as one.
    ///
    /// ```swift
    /// let differences = try await synchronizer.verify()
    /// if !differences.isEmpty { try await synchronizer.repair() }
    /// ```
    ///
    /// - Parameter limit: The number of differences after which to end; 1,000 by default.
    /// - Returns: What differs, model by model.
    /// - Throws: ``SyncProblem`` `.modelFailed` if the service does not answer or refuses; `CancellationError`;
    ///   ``/HoldfastStorage/StorageError`` if the store cannot be read.
    /// - Complexity: O(records of the service), one request per page, and one for each record that only the store has.
    public func verify(limit: Int = 1_000) async throws -> [SyncDifference] { try await engine.verify(limit: limit) }

    /// Reads every model in full again and corrects what differs from the service, without emptying the store.
    ///
    /// Records that the service no longer has are removed, unless they have unsent changes. Returns as
    /// ``start()``; ``statuses`` reports when the models are read. Other synchronizers of the store must be stopped.
    ///
    /// ```swift
    /// try await synchronizer.repair()
    /// for await status in synchronizer.statuses where status.isSynchronized { break }  // every model was read again
    /// ```
    ///
    /// - Throws: ``SyncProblem`` `.commandFailed`; the session is stopped then, and the call can be repeated.
    @discardableResult
    public func repair() async throws(SyncProblem) -> StartResult {
        try await stop()
        do {
            var states: [ModelState] = []
            for schema in store.modelSchemas {
                guard var state = try await store.modelState(of: schema.name) else { continue }
                // The watermark stays: if the full sync ends early, a delta from there has what it did not read.
                state.fullSyncAt = nil
                (state.token, state.tokenLabel, state.tokenMode, state.tokenCount) = (nil, nil, nil, 0)
                states.append(state)
            }
            try await store.save(states: states)
        } catch {
            throw SyncProblem(.commandFailed, "\(error)")
        }
        return try await start()
    }

    /// Sets whether the device has a network; by default it has.
    ///
    /// Without a network no attempt is made; when it returns, all attempts are made immediately.
    ///
    /// ```swift
    /// synchronizer.setNetwork(isUp: false)  // for instance from a monitor of the system
    /// try await store.save(Post(title: "Hold fast"))  // waits in the outbox
    /// synchronizer.setNetwork(isUp: true)
    /// for try await outbox in store.observeOutbox() where outbox.isEmpty { break }
    /// ```
    public func setNetwork(isUp: Bool) { engine.setNetwork(isUp: isUp) }

    /// Ends permanently; idempotent.
    public func close() async {
        _ = await engine.stop()
        engine.close()
        await work.value
        counting.cancel()
        await counting.value
        board.finish()
    }

    private static func check(_ result: CommandResult) throws(SyncProblem) {
        if case .failed(let words) = result { throw SyncProblem(.commandFailed, words) }
    }
}

extension SyncService {
    /// The models to be synchronized.
    fileprivate func syncedModels(of store: DataStore) throws(ModelError) -> [SyncedModel] {
        let all = store.modelSchemas
        let schemas = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for name in (models ?? []).union(expressions.map(\.schema.name)) where schemas[name] == nil {
            throw ModelError.unregistered(name)
        }
        var synced: [SyncedModel] = []
        for schema in all where schema.isSyncable && models?.contains(schema.name) ?? true {
            let expression = expressions.first { $0.schema.name == schema.name }
            let entity = try schema.entity(among: schemas)
            synced.append(
                try SyncedModel(schema, among: schemas, filtersDeltas: expression?.filtersDeltas ?? false) {
                    guard let predicate = expression?.predicate(), !(predicate is QueryPredicateConstant) else {
                        return nil
                    }
                    return try schema.plan(where: predicate).predicate.convertingOperands(for: entity)
                })
        }
        return synced
    }

    /// Asks the conflict handler about models.
    ///
    /// A store that cannot be read for a moment decides nothing. Where the service's record cannot be shown, it wins, and
    /// the dead letter keeps the change. So it does where the store cannot hold the handler's record, as a save of it
    /// would find; the dead letter says so.
    fileprivate func decide(_ conflict: SyncConflict, in store: DataStore) async -> SyncDecision {
        let (mutation, name) = (conflict.mutation, conflict.mutation.id.model)
        guard let remoteRow = conflict.remote.row else { return .applyRemote }
        do {
            let shown = try await reading(store) { () -> RecordConflict? in
                guard let remote = try await store.models(name, [remoteRow]).first ?? nil else { return nil }
                let localRow =
                    mutation.operation == .delete
                    ? mutation.row : try await store.storedRow(name, mutation.recordKey)
                let local = try await store.models(name, [localRow].compactMap(\.self)).first ?? nil
                return RecordConflict(modelName: name, operation: mutation.operation, local: local, remote: remote)
            }
            guard let shown else { return .applyRemote }
            switch await conflictHandler(shown) {
            case .applyRemote: return .applyRemote
            case .retryLocal: return .retryLocal
            case .retry(let model):
                let row = try await reading(store) {
                    try await store.row(of: model, as: name, at: mutation.recordKey, over: remoteRow)
                }
                return row.map { .retry($0) } ?? .applyRemote
            }
        } catch {
            return DeadReason(ofHandlersRecord: error).map { .giveUp($0) } ?? .applyRemote
        }
    }

    /// Reads a store, and again for a minute if it cannot be read.
    private func reading<Result>(
        _ store: DataStore, _ body: () async throws -> Result
    ) async throws -> Result {
        for _ in 1..<60 {
            do { return try await body() } catch let error as StorageError where !error.refusesValues {}
            // Only the end of the session interrupts the pause, and then the decision does not count.
            try await store.surroundings.sleep(.seconds(1))
        }
        return try await body()
    }
}

extension DeadReason {
    /// Why a change is given up of which the conflict handler made a record that cannot be stored; `nil` if the error
    /// says something else.
    fileprivate init?(ofHandlersRecord error: any Error) {
        let (kind, words): (String, String)
        switch error {
        case let error as ModelError: (kind, words) = (error.kind.rawValue, error.message)
        case let error as StorageError where error.refusesValues: (kind, words) = (error.kind.rawValue, error.message)
        default: return nil
        }
        self = .givenUp(errorType: kind, message: "The record of the conflict handler cannot be stored. \(words)")
    }
}
