#if SQLite
internal import CSQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// The connections that read: each is acquired by one snapshot or one read at a time.
///
/// Only snapshots have a limit: their holders end them when they like. A read that ends by itself never waits for them,
/// and holds its connection no longer than a thread; there are only so many threads.
final class SQLiteReaderPool: Sendable {
    private struct State {
        var idle: [SQLiteConnection] = []
        var acquiredCount = 0
        var isClosed = false
        var snapshots: [ObjectIdentifier: WeakSnapshot] = [:]
        var closing: [UnsafeContinuation<Void, Never>] = []
    }

    /// Snapshots that may be open at once.
    static let maximumSnapshotCount = 128
    private static let tooManySnapshots = StorageError(
        .busy, "\(maximumSnapshotCount) snapshots are open; close some before opening another.")

    private let path: String
    private let configuration: SQLiteConfiguration
    private let migrationCount: Int64
    private let state = Mutex(State())
    private let places = PlaceQueue(placeCount: SQLiteReaderPool.maximumSnapshotCount)

    init(path: String, configuration: SQLiteConfiguration, migrationCount: Int64) {
        self.path = path
        self.configuration = configuration
        self.migrationCount = migrationCount
    }

    /// How many tasks wait until another snapshot may be open.
    var waitingCount: Int { places.waitingCount }

    /// Waits until another snapshot may be open; a connection with this place is to be acquired then.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.cancelled`, `.busy` if too many snapshots stay open.
    func acquirePlace() async throws(StorageError) {
        try await places.acquire(waiting: configuration.busyTimeout, orThrow: Self.tooManySnapshots)
    }

    /// Acquires a connection that is already open, if there is one; never blocks.
    ///
    /// - Parameter hasPlace: Whether a place was acquired for it, which is released with it.
    /// - Returns: The connection; `nil` if none is idle.
    /// - Throws: ``StorageError`` `.closed`.
    func acquireIdle(hasPlace: Bool = false) throws(StorageError) -> SQLiteConnection? {
        let connection = try state.withLock { state throws(StorageError) -> SQLiteConnection? in
            if state.isClosed { throw StorageError.closedStore() }
            guard let connection = state.idle.popLast() else { return nil }
            state.acquiredCount += 1
            return connection
        }
        connection?.hasPlace = hasPlace
        return connection
    }

    /// Acquires a connection, opened if necessary; blocks.
    ///
    /// - Parameter hasPlace: Whether a place was acquired for it, which is released with it, or if it cannot be opened.
    /// - Returns: The connection.
    /// - Throws: ``StorageError`` `.closed`, `.io`.
    func acquire(hasPlace: Bool = false) throws(StorageError) -> SQLiteConnection {
        if let connection = try acquireIdle(hasPlace: hasPlace) { return connection }
        try state.withLock { state throws(StorageError) in
            if state.isClosed { throw StorageError.closedStore() }
            state.acquiredCount += 1
        }
        do {
            let connection = try open()
            connection.hasPlace = hasPlace
            return connection
        } catch {
            returned(nil)
            if hasPlace { places.release() }
            throw error
        }
    }

    private func open() throws(StorageError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, configuration: configuration)
        connection.migrationCount = migrationCount
        try connection.executeOnce("PRAGMA query_only = ON")
        return connection
    }

    /// Takes over the connection with which the store was opened, so that the first read needs no other.
    func adopt(_ connection: SQLiteConnection) throws(StorageError) {
        try connection.executeOnce("PRAGMA query_only = ON")
        connection.migrationCount = migrationCount
        state.withLock { $0.idle.append(connection) }
    }

    /// Takes a connection back; it must have no open transaction and no running statement.
    func release(_ connection: SQLiteConnection) {
        let hadPlace = connection.hasPlace
        connection.hasPlace = false
        // A caller who waits for the place goes on with the connection.
        returned(connection, isWanted: hadPlace && places.waitingCount > 0)
        if hadPlace { places.release() }
    }

    private func returned(_ connection: SQLiteConnection?, isWanted: Bool = false) {
        let isKept = state.withLock { state in
            guard let connection, !state.isClosed, isWanted || state.idle.count < configuration.maximumIdleReaders
            else { return false }
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

    /// Lets no one acquire connections, turns away those who wait, and returns the snapshots that are open.
    func beginClosing() -> [SQLiteSnapshot] {
        var idle: [SQLiteConnection] = []
        let snapshots = state.withLock { state in
            state.isClosed = true
            swap(&idle, &state.idle)
            return state.snapshots.values.compactMap(\.snapshot)
        }
        places.close()
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
