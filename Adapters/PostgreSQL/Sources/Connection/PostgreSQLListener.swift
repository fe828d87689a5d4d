#if PostgreSQL
internal import Dispatch
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Listens, on its own connection, for notices of commits that others made.
///
/// Notices only wake a feed: a lost one delays it. A lost connection is opened again the next time
/// that a feed asks for it.
final class PostgreSQLListener: Sendable {
    /// Unchecked because any thread may cancel a source, and nothing else is done with this one.
    private struct Watch: @unchecked Sendable {
        let source: any DispatchSourceRead
    }

    private struct State {
        var watch: Watch?
        var isConnecting = false
        var isClosed = false
        /// Nothing is tried before this time.
        var nextTry = ContinuousClock.now
    }

    private let configuration: PostgreSQLConfiguration
    private let pool: PostgreSQLPool
    private let signal: ChangeSignal
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "holdfast.postgresql.listener")

    private static let retryInterval = Duration.seconds(1)

    init(_ configuration: PostgreSQLConfiguration, pool: PostgreSQLPool, signal: ChangeSignal) {
        self.configuration = configuration
        self.pool = pool
        self.signal = signal
    }

    /// Begins to listen unless that is so already; does not wait for it.
    func start() {
        if configuration.listening == nil { return }
        let mustConnect = state.withLock { state in
            if state.isClosed || state.isConnecting || state.watch != nil { return false }
            if ContinuousClock.now < state.nextTry { return false }
            state.isConnecting = true
            state.nextTry = .now + Self.retryInterval
            return true
        }
        if mustConnect { pool.queue.enqueue { self.connect() } }
    }

    deinit { close() }

    /// Listens no longer.
    func close() {
        state.withLock { $0.isClosed = true }
        disconnect()
    }

    private func disconnect() {
        let watch = state.withLock { state in
            defer { state.watch = nil }
            return state.watch
        }
        watch?.source.cancel()
    }

    private func connect() {
        let connection = try? configuration.listening.map(PostgreSQLPool.connect)
        let isListening = (try? connection?.run("LISTEN \(configuration.schema.quotedIdentifier)")) != nil
        guard let connection, isListening else { return state.withLock { $0.isConnecting = false } }
        let source = DispatchSource.makeReadSource(fileDescriptor: connection.descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.receive(connection) }
        // The connection must outlive the source that watches it.
        source.setCancelHandler { withExtendedLifetime(connection) {} }
        let watch = Watch(source: source)
        let isWanted = state.withLock { state in
            state.isConnecting = false
            if !state.isClosed { state.watch = watch }
            return !state.isClosed
        }
        source.activate()
        if !isWanted { source.cancel() }
    }

    private func receive(_ connection: PostgreSQLConnection) {
        guard let notices = connection.takeNotices() else { return disconnect() }
        // The channel may have other users.
        if let last = notices.compactMap({ UInt64($0) }).max() { signal.advance(to: last) }
    }
}
#endif
