import AWSPluginsCore
import Amplify
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastSync

/// Synchronizes the store of a plug-in with the service of an API plug-in.
///
/// Commands are carried out one after the other, in the order in which they were given.
final class StoreSync: Sendable {
    /// Runs a closure that puts a command into the queue, at the moment that the caller chooses.
    typealias Queueing = (() -> Void) -> Void

    private struct Running {
        let synchronizer: Synchronizer
        let relay: HubRelay
        /// Passes on whether the service can be reached.
        let network: Task<Void, Never>?
    }

    private struct State {
        var running: Running?
        /// What the last start came to.
        var failure: DataStoreError?
        /// When that was, by the time that never goes back.
        var startedAt: Duration?
    }

    /// How long after a start another call may start again, if the start failed or its session was refused.
    static let pause: Duration = .seconds(30)

    private let configuration: DataStoreConfiguration
    private let commands = DataStoreCallbackQueue()
    private let state = Mutex(State())

    init(_ configuration: DataStoreConfiguration) { self.configuration = configuration }

    /// Starts synchronizing an open store, once the earlier commands are carried out.
    ///
    /// Changes that the application makes from this call on are dispatched on the Hub. A failure goes to the error
    /// handler.
    func start(_ store: DataStore, _ source: any DataStoreSyncSource) {
        state.withLock { $0.startedAt = uptime() }
        // Before the queue gets there, changes can be saved.
        store.expectSession()
        let relay = HubRelay(store, configuration.errorHandler)
        commands.run { (_: DataStoreResult<Void>) in
        } _: {
            do {
                try await self.begin(store, source, relay)
                self.state.withLock { $0.failure = nil }
            } catch {
                let error = DataStoreError(error, modelName: "")
                self.state.withLock { $0.failure = error }
                self.configuration.errorHandler(error)
            }
        }
    }

    /// What does the work, once it was begun.
    var synchronizer: Synchronizer? { state.withLock { $0.running?.synchronizer } }

    /// Whether the last start failed.
    var hasFailed: Bool { state.withLock { $0.failure != nil } }

    /// Whether the session has ended until it is started again.
    var isRefused: Bool { if case .refused = synchronizer?.status.state { true } else { false } }

    /// Whether any call starts again: what an application has changed since, for instance who is signed in, is not known.
    var isDue: Bool {
        guard hasFailed || isRefused, let startedAt = state.withLock(\.startedAt) else { return false }
        return uptime() - startedAt >= Self.pause
    }

    private var uptime: @Sendable () -> Duration { configuration.options.surroundings.uptime }

    /// Waits until the last start was carried out.
    ///
    /// - Throws: ``DataStoreError`` if it failed.
    func started() async throws {
        try await perform { if let failure = self.state.withLock(\.failure) { throw failure } }
    }

    /// Stops synchronizing the store until the next start.
    func stop(_ queueing: Queueing) async throws {
        try await perform(queueing) { try await self.synchronizer?.stop() }
    }

    /// Empties the store.
    ///
    /// - Parameters:
    ///   - queueing: Queues the command.
    ///   - clear: Does so if the store is not synchronized.
    /// - Throws: What the synchronizer throws, or what `clear` throws if the store is not synchronized.
    func clear(_ queueing: Queueing, _ clear: @escaping @Sendable () async throws -> Void) async throws {
        try await perform(queueing) {
            if let synchronizer = self.synchronizer {
                try await synchronizer.clear()
            } else {
                try await clear()
            }
        }
    }

    /// Ends for good with the store, which can be followed by another.
    func end(_ queueing: Queueing) async {
        try? await perform(queueing) {
            let running = self.state.withLock { state in
                defer { state = State() }
                return state.running
            }
            running?.network?.cancel()
            await running?.synchronizer.close()
            await running?.relay.end()
        }
    }

    private func begin(_ store: DataStore, _ source: any DataStoreSyncSource, _ relay: HubRelay) async throws {
        if let synchronizer {
            try await synchronizer.start()
            return
        }
        let session: APISession
        do {
            session = try source.syncSession(
                for: store.modelSchemas.filter(\.isSyncable), strategy: configuration.authModeStrategyType)
        } catch let error as any AmplifyError {
            throw DataStoreError.configuration(error.errorDescription, error.recoverySuggestion, error)
        }
        let synchronizer = try Synchronizer(store, with: configuration.service(session)) { relay.receive($0) }
        await relay.begin()
        let network = session.networkChanges.map { changes in
            Task { [weak synchronizer] in
                for await isUp in changes() { synchronizer?.setNetwork(isUp: isUp) }
            }
        }
        state.withLock { $0.running = Running(synchronizer: synchronizer, relay: relay, network: network) }
        try await synchronizer.start()
    }

    private func perform(
        _ queueing: Queueing = { $0() }, _ command: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queueing {
                commands.run { (result: DataStoreResult<Void>) in
                    continuation.resume(with: result)
                } _: {
                    try await command()
                }
            }
        }
    }
}

extension DataStoreConfiguration {
    /// For how long only changes are asked for: ``syncInterval`` as far as a duration can hold it.
    var syncDuration: Duration {
        .seconds(syncInterval.isNaN ? Self.defaultSyncInterval : min(max(syncInterval, 0), 1e12))
    }

    /// The service as the configuration wants it used.
    fileprivate func service(_ session: APISession) -> SyncService {
        var settings = SyncSettings()
        settings.syncInterval = syncDuration
        settings.syncMaxRecords = Int(clamping: syncMaxRecords)
        settings.syncPageSize = Int(clamping: syncPageSize)
        let (disableSubscriptions, handler) = (disableSubscriptions, conflictHandler)
        return SyncService(
            transport: session.transport, authorization: session.authorization, settings: settings,
            expressions: syncExpressions.map { SyncExpression($0.modelSchema, where: $0.modelPredicate) },
            subscribes: { !disableSubscriptions() },
            conflictHandler: { conflict in
                // The original's handlers always get both records.
                guard let local = conflict.local else { return .applyRemote }
                return await PendingDecision().decide(
                    DataStoreConflictData(local: local, remote: conflict.remote), handler)
            })
    }
}
