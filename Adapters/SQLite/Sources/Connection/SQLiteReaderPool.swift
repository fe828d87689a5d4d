#if SQLite
internal import CSQLite
internal import HoldfastStorage

/// The connections that read: each is acquired by one snapshot or one read at a time.
final class SQLiteReaderPool: Sendable {
    private struct State {
        var idle: [SQLiteConnection] = []
        var acquiredCount = 0
        var isClosed = false
        var snapshots: [ObjectIdentifier: WeakSnapshot] = [:]
        var closing: [UnsafeContinuation<Void, Never>] = []
    }

    /// Connections that may be in use at once.
    static let maximumAcquiredCount = 128

    private let path: String
    private let configuration: SQLiteConfiguration
    private let state = Mutex(State())

    init(path: String, configuration: SQLiteConfiguration) {
        self.path = path
        self.configuration = configuration
    }

    /// Acquires a connection that is already open, if there is one; never blocks.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.busy`.
    func acquireIdle() throws(StorageError) -> SQLiteConnection? {
        try state.withLock { state throws(StorageError) in
            if state.isClosed { throw StorageError.closedStore() }
            guard let connection = state.idle.popLast() else { return nil }
            state.acquiredCount += 1
            return connection
        }
    }

    /// Acquires a connection, opened if necessary; blocks.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.busy` if too many are in use, `.io`.
    func acquire() throws(StorageError) -> SQLiteConnection {
        if let connection = try acquireIdle() { return connection }
        try state.withLock { state throws(StorageError) in
            if state.isClosed { throw StorageError.closedStore() }
            if state.acquiredCount >= Self.maximumAcquiredCount {
                throw StorageError(
                    .busy, "\(Self.maximumAcquiredCount) snapshots are open; close some before opening another.")
            }
            state.acquiredCount += 1
        }
        do {
            return try open()
        } catch {
            returned(nil)
            throw error
        }
    }

    private func open() throws(StorageError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, configuration: configuration)
        try connection.executeOnce("PRAGMA query_only = ON")
        return connection
    }

    /// Takes over the connection with which the store was opened, so that the first read needs no other.
    func adopt(_ connection: SQLiteConnection) throws(StorageError) {
        try connection.executeOnce("PRAGMA query_only = ON")
        state.withLock { $0.idle.append(connection) }
    }

    /// Takes a connection back; it must have no open transaction and no running statement.
    func release(_ connection: SQLiteConnection) { returned(connection) }

    private func returned(_ connection: SQLiteConnection?) {
        let isKept = state.withLock { state in
            guard let connection, !state.isClosed, state.idle.count < configuration.maximumIdleReaders else {
                return false
            }
            state.idle.append(connection)
            state.acquiredCount -= 1
            return true
        }
        if isKept { return }
        // Outside the lock, since it takes a while; before the count goes down, so that closing waits for it.
        connection?.close()
        let finished = state.withLock { state -> [UnsafeContinuation<Void, Never>] in
            state.acquiredCount -= 1
            guard state.isClosed, state.acquiredCount == 0 else { return [] }
            defer { state.closing = [] }
            return state.closing
        }
        for continuation in finished { continuation.resume() }
    }

    // MARK: Closing

    private struct WeakSnapshot {
        weak var snapshot: SQLiteSnapshot?
    }

    /// Remembers a snapshot, which is closed with the pool.
    ///
    /// A snapshot can get its connection before the pool closes and begin afterwards. Closing does not know of such a
    /// snapshot, and would wait for its connection for as long as it is used.
    ///
    /// - Returns: Whether the pool is open; if not, the caller closes the snapshot.
    func register(_ snapshot: SQLiteSnapshot) -> Bool {
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

    /// Lets no one acquire connections, and returns the snapshots that are open.
    func beginClosing() -> [SQLiteSnapshot] {
        var idle: [SQLiteConnection] = []
        let snapshots = state.withLock { state in
            state.isClosed = true
            swap(&idle, &state.idle)
            return state.snapshots.values.compactMap(\.snapshot)
        }
        for connection in idle { connection.close() }
        return snapshots
    }

    /// Waits until every connection is back.
    func allReturned() async {
        await withUnsafeContinuation { continuation in
            let isDone = state.withLock { state in
                if state.acquiredCount > 0 { state.closing.append(continuation) }
                return state.acquiredCount == 0
            }
            if isDone { continuation.resume() }
        }
    }
}
#endif
