#if PostgreSQL
internal import Dispatch
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// The connections to the server: each is acquired by one snapshot, one commit or one read at a time.
///
/// Snapshots are counted apart from everything else: a transaction holds one while it commits, and would wait for
/// itself otherwise. If all connections are in use, callers wait in the order in which they asked.
final class PostgreSQLPool: Sendable {
    /// What a connection is acquired for.
    enum Purpose: Sendable {
        /// A commit or its own read; ends by itself.
        case work
        /// A snapshot; ends when its holder ends it.
        case snapshot
    }

    private struct State {
        var idle = PostgreSQLIdleList<PostgreSQLConnection>()
        var acquiredCount = 0
        var isClosed = false
        var snapshots: [ObjectIdentifier: WeakSnapshot] = [:]
        var closing: [UnsafeContinuation<Void, Never>] = []
    }

    private struct WeakSnapshot {
        weak var snapshot: PostgreSQLSnapshot?
    }

    private let configuration: PostgreSQLConfiguration
    private let timeline: PostgreSQLTimeline?
    private let state = Mutex(State())
    private let work: PlaceQueue
    private let snapshots: PlaceQueue
    /// Runs what blocks and has no connection yet, or none any longer.
    let queue = WorkQueue(label: "holdfast.postgresql", width: .concurrent)
    private let timer = DispatchQueue(label: "holdfast.postgresql.timer")

    private static let tooManyInUse = StorageError(
        .busy, "All connections are in use; close snapshots or allow more of them.")

    init(_ configuration: PostgreSQLConfiguration, timeline: PostgreSQLTimeline?) {
        self.configuration = configuration
        self.timeline = timeline
        work = PlaceQueue(placeCount: max(1, configuration.maximumConnectionCount))
        snapshots = PlaceQueue(placeCount: max(1, configuration.maximumSnapshotCount))
    }

    /// Takes over a connection that was made elsewhere.
    func adopt(_ connection: PostgreSQLConnection) { state.withLock { $0.idle.put(connection) } }

    // MARK: Acquiring

    /// Acquires a connection, opened if necessary.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.cancelled`, `.busy` if all are in use for too long, `.connectionLost`
    ///   if the server is away, `.io` if it refuses.
    func acquire(for purpose: Purpose) async throws(StorageError) -> PostgreSQLConnection {
        let places = places(for: purpose)
        try await places.acquire(waiting: configuration.waitTimeout, orThrow: Self.tooManyInUse)
        let idle: PostgreSQLConnection?
        do throws(StorageError) {
            idle = try state.withLock { state throws(StorageError) in
                // The pool may have been closed since the place was free.
                if state.isClosed { throw StorageError.closedStore() }
                state.acquiredCount += 1
                return state.idle.take()
            }
        } catch {
            places.release()
            throw error
        }
        if let idle { return idle }
        do throws(StorageError) {
            let (configuration, timeline) = (configuration, timeline)
            return try await queue.run { () throws(StorageError) in
                let connection = try Self.connect(configuration)
                try timeline?.hold(connection)
                do throws(PostgreSQLStoreFailure) {
                    try connection.readSequenceBase(schema: configuration.schema.quotedIdentifier)
                } catch {
                    throw error.error
                }
                return connection
            }
        } catch {
            release(nil, from: purpose)
            throw error
        }
    }

    /// A new connection with the store's settings; blocks.
    ///
    /// - Throws: ``StorageError`` `.connectionLost`, `.io`, `.busy` if a pool has no session left, `.misuse` for a pool
    ///   that the configuration does not declare.
    static func connect(_ configuration: PostgreSQLConfiguration) throws(StorageError) -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(configuration)
        do throws(PostgreSQLFailure) {
            if configuration.pooling != .off { connection.sessionWait = configuration.waitMilliseconds }
            if configuration.pooling == .transaction {
                try prepareTransactions(of: connection, configuration)
                return connection
            }
            var commands = (timeouts(configuration) + probes).map { PostgreSQLCommand("SET " + $0, isKept: false) }
            // What was acknowledged must be in the server's log, regardless of the server's settings.
            commands.append(
                PostgreSQLCommand(
                    "SELECT pg_backend_pid()::int8, set_config('synchronous_commit', "
                        + "CASE s WHEN 'off' THEN 'on' ELSE s END, false) "
                        + "FROM current_setting('synchronous_commit') AS s", isKept: false))
            let process = try connection.run(commands)[commands.count - 1].integer(0, 0)
            // From now on the session is the connection's own.
            connection.sessionWait = nil
            if configuration.pooling == .session || !connection.isPooled(process: process) { return connection }
        } catch {
            throw error.storageError
        }
        throw StorageError(.misuse, PostgreSQLErrorMapping.undeclaredPool)
    }

    /// With these the server notices within a minute that a client is gone, and releases its locks.
    private static let probes = [
        "tcp_keepalives_idle = 30", "tcp_keepalives_interval = 10", "tcp_keepalives_count = 3",
    ]

    private static func timeouts(_ configuration: PostgreSQLConfiguration) -> [String] {
        [
            // 0 would be no limit.
            "lock_timeout = \(configuration.waitMilliseconds)",
            // By default what the administrator set for the user or the database.
            "statement_timeout = \(configuration.statementTimeout.map { "\(max(1, $0.milliseconds))" } ?? "DEFAULT")",
        ]
    }

    /// Gives the connection what each of its transactions sets for itself.
    ///
    /// Others may have changed the settings of the session, so what counts is what it began with.
    private static func prepareTransactions(
        of connection: PostgreSQLConnection, _ configuration: PostgreSQLConfiguration
    ) throws(PostgreSQLFailure) {
        connection.transactionSettings = []
        let setting = try connection.run(
            "SELECT CASE reset_val WHEN 'off' THEN 'on' ELSE reset_val END "
                + "FROM pg_catalog.pg_settings WHERE name = 'synchronous_commit'"
        ).text(0, 0)
        let settings = timeouts(configuration) + ["synchronous_commit = \(setting.quotedIdentifier)"]
        connection.transactionSettings = settings.map { "SET LOCAL " + $0 }
    }

    private func places(for purpose: Purpose) -> PlaceQueue {
        switch purpose {
        case .work: work
        case .snapshot: snapshots
        }
    }

    /// Takes a connection back; it must have no open transaction.
    ///
    /// - Parameters:
    ///   - connection: `nil` if it cannot be used again.
    ///   - purpose: What it was acquired for.
    func release(_ connection: PostgreSQLConnection?, from purpose: Purpose) {
        var surplus: PostgreSQLConnection?
        var beginsWatch = false
        let finished = state.withLock { state -> [UnsafeContinuation<Void, Never>] in
            if let connection {
                if state.isClosed {
                    surplus = connection
                } else {
                    state.idle.put(connection)
                    beginsWatch = state.idle.beginWatch(above: configuration.maximumIdleConnectionCount)
                }
            }
            state.acquiredCount -= 1
            guard state.isClosed, state.acquiredCount == 0 else { return [] }
            defer { state.closing = [] }
            return state.closing
        }
        places(for: purpose).release()
        if let surplus { close([surplus]) }
        if beginsWatch { watchSurplus() }
        for continuation in finished { continuation.resume() }
    }

    /// Closes connections; sends a message to the server for each, which should not delay any task.
    private func close(_ connections: [PostgreSQLConnection]) {
        queue.enqueue { withExtendedLifetime(connections) {} }
    }

    /// Closes later what is not used until then.
    ///
    /// The server starts a process for each connection, which then plans every statement for the first time. That costs
    /// more than hundreds of commits, so connections that load comes back for within seconds stay open.
    private func watchSurplus() {
        timer.asyncAfter(deadline: .now() + .milliseconds(configuration.surplusInterval.milliseconds)) { [weak self] in
            guard let self else { return }
            let (surplus, continues) = state.withLock { state in
                let surplus = state.idle.takeSurplus(above: self.configuration.maximumIdleConnectionCount)
                return (surplus, state.idle.beginWatch(above: self.configuration.maximumIdleConnectionCount))
            }
            if !surplus.isEmpty { close(surplus) }
            if continues { watchSurplus() }
        }
    }

    /// Closes the connections that are not in use, since the server is known to have gone.
    func dropIdle() {
        let idle = state.withLock { $0.idle.takeAll() }
        withExtendedLifetime(idle) {}
    }

    /// Waits without blocking a thread, also in a task that is cancelled.
    func pause(milliseconds: Int) async {
        await withUnsafeContinuation { continuation in
            timer.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { continuation.resume() }
        }
    }

    /// Runs a closure when a request to cancel that is sent now has been unanswered for too long.
    func afterSilence(_ body: @escaping @Sendable () -> Void) {
        let limit = configuration.cancelTimeout?.milliseconds ?? Int(configuration.silenceMilliseconds)
        timer.asyncAfter(deadline: .now() + .milliseconds(limit), execute: body)
    }

    // MARK: Closing

    /// Remembers a snapshot, which is closed with the pool.
    ///
    /// A snapshot can get its connection before the pool closes and begin afterwards. Closing does not know of such a
    /// snapshot, and would wait for its connection for as long as it is used.
    ///
    /// - Returns: Whether the pool is open; if not, the caller closes the snapshot.
    func register(_ snapshot: PostgreSQLSnapshot) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.snapshots[ObjectIdentifier(snapshot)] = WeakSnapshot(snapshot: snapshot)
            return true
        }
    }

    /// Forgets a snapshot.
    func unregister(_ snapshot: ObjectIdentifier) {
        state.withLock { _ = $0.snapshots.removeValue(forKey: snapshot) }
    }

    /// Lets no one acquire connections, turns away those who wait, and returns the snapshots that are open.
    func beginClosing() -> [PostgreSQLSnapshot] {
        let (idle, open) = state.withLock { state in
            state.isClosed = true
            return (state.idle.takeAll(), state.snapshots.values.compactMap(\.snapshot))
        }
        withExtendedLifetime(idle) {}
        for places in [work, snapshots] { places.close() }
        return open
    }

    /// Waits until every connection is back.
    func allReturned() async {
        await withUnsafeContinuation { continuation in
            let isDone = state.withLock { state in
                let isDone = state.acquiredCount == 0
                if !isDone { state.closing.append(continuation) }
                return isDone
            }
            if isDone { continuation.resume() }
        }
    }
}
#endif
