#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// What change feeds read: the changes that every line of the log of commits carries.
///
/// The log is the truth. Commits of this process wake its feeds at once, those of others through `NOTIFY`, and a
/// feed that receives no notification polls.
final class PostgreSQLChangeLog: Sendable {
    /// Wakes the feeds of this process.
    let signal = ChangeSignal()
    private let storageSchema: StorageSchema
    private let pool: PostgreSQLPool
    /// The plain name of the store's schema, and so of the channel.
    private let schemaName: String
    private let listener: PostgreSQLListener
    private let notice = Mutex(Notice())

    private struct Notice {
        var sequence: UInt64 = 0
        var isBeingSent = false
    }

    /// How often a feed looks at the log by itself: `NOTIFY` is lost with its sender or with the connection.
    static let pollInterval = Duration.seconds(1)
    /// Commits that are read at once.
    private static let batchCount = 256
    /// How long a feed waits for commits that are in progress before one that is made.
    private static let settlingMilliseconds = 5
    /// At most one notice is sent in this time, however many commits are made.
    private static let noticeMilliseconds = 5
    /// A feed reads at most once in this time, however many commits are made.
    ///
    /// While there are many, a read costs as much as some commits: most find only commits that cannot be delivered
    /// yet, and ask for all locks of the server to learn whether they can. Subscribers hear of a lone commit at once
    /// in any case.
    fileprivate static let readingMilliseconds = 10

    init(_ configuration: PostgreSQLConfiguration, _ pool: PostgreSQLPool, schema: StorageSchema) {
        storageSchema = schema
        self.pool = pool
        schemaName = configuration.schema
        listener = PostgreSQLListener(configuration, pool: pool, signal: signal)
    }

    /// The changes of a request, as the log keeps them.
    func encode(_ request: CommitRequest) throws(StorageError) -> [UInt8] {
        ChangeCodec.encode(try CommittedChange(of: request, sequence: 0, in: storageSchema))
    }

    /// Ends the feeds.
    func close() {
        signal.close()
        listener.close()
    }

    // MARK: Notifying others

    /// Wakes the feeds of this process, and soon those of others.
    ///
    /// A transaction that notifies holds a lock of the whole database until its transaction has ended. So that commits
    /// do not queue for it, notices are sent after them, many commits in one.
    func announce(_ sequence: UInt64) {
        signal.advance(to: sequence)
        let mustSend = notice.withLock { notice in
            notice.sequence = max(notice.sequence, sequence)
            defer { notice.isBeingSent = true }
            return !notice.isBeingSent
        }
        if mustSend { Task { await send() } }
    }

    private func send() async {
        var sent: UInt64 = 0
        while true {
            let next = notice.withLock { notice -> UInt64? in
                if notice.sequence > sent { return notice.sequence }
                notice.isBeingSent = false
                return nil
            }
            guard let next, let connection = try? await pool.acquire(for: .work) else { break }
            var parameters = PostgreSQLParameters()
            parameters.append(schemaName)
            parameters.append("\(next)")
            let isSent = try? await connection.perform(
                [
                    .begin(), PostgreSQLCommand("SET LOCAL synchronous_commit = off"),
                    PostgreSQLCommand("SELECT pg_notify($1::text, $2::text)", parameters),
                    .commit,
                ])
            pool.release(isSent == nil ? nil : connection, from: .work)
            sent = next
            await pool.pause(milliseconds: Self.noticeMilliseconds)
        }
        notice.withLock { $0.isBeingSent = false }
    }

    // MARK: Reading

    /// What a feed at a position delivers next.
    ///
    /// Transactions end in another order than that of their numbers, so a commit is delivered only when every
    /// transaction with a smaller number has ended.
    func element(
        after sequence: UInt64, withoutRecordsOf isKnown: (UInt64) -> Bool, _ connection: PostgreSQLConnection
    ) async throws(PostgreSQLStoreFailure) -> ChangeFeedElement? {
        let announcementCount = signal.announcementCount
        var page = try await read(after: sequence, before: nil, withoutRecordsOf: isKnown, connection)
        // Anyone who uses the database can send a notice, of any number.
        if page.element == nil && !page.isBlocked { signal.forget(after: sequence, since: announcementCount) }
        if page.isBlocked {
            let bound = try await connection.settledBound(schema: schemaName.quotedIdentifier)
            page = try await read(after: sequence, before: bound, withoutRecordsOf: isKnown, connection)
            if page.element == nil { await pool.pause(milliseconds: Self.settlingMilliseconds) }
        }
        return page.element
    }

    /// Starts to listen for what others do, if that is not done yet.
    func listen() { listener.start() }

    /// Waits until a feed may read again, and notes that it does.
    func wait(for pace: PostgreSQLFeedPace) async {
        let waiting = pace.next() - .now
        if waiting > .zero { await pool.pause(milliseconds: waiting.milliseconds) }
    }

    private struct Page {
        var element: ChangeFeedElement?
        /// Whether there are commits that cannot be delivered yet, and none that can.
        var isBlocked = false
    }

    /// Reads the commits after a position that can be delivered.
    ///
    /// - Parameters:
    ///   - sequence: The position; commits with a greater sequence are read.
    ///   - bound: Every transaction whose commit has a smaller sequence is known to have ended; `nil` to ask the
    ///     snapshot itself.
    ///   - isKnown: Whether the records of a commit are not needed.
    ///   - connection: The connection to read with.
    /// - Returns: The next commits, or a gap if their changes are not in the log; no element if there is neither.
    /// - Throws: ``PostgreSQLStoreFailure`` if the query fails, or if the catalog or a change is damaged.
    private func read(
        after sequence: UInt64, before bound: Int64?, withoutRecordsOf isKnown: (UInt64) -> Bool,
        _ connection: PostgreSQLConnection
    ) async throws(PostgreSQLStoreFailure) -> Page {
        let schema = schemaName.quotedIdentifier
        var parameters = PostgreSQLParameters()
        parameters.append(Int64(clamping: sequence))
        parameters.append(bound ?? .max)
        parameters.append(Int64(Self.batchCount))
        let result = try await connection.perform(
            [
                PostgreSQLCommand(
                    "SELECT s.forgotten_through, pg_snapshot_xmin(pg_current_snapshot())::text::int8, c.sequence, "
                        + "c.changes FROM \(schema).holdfast_store AS s LEFT JOIN (SELECT sequence, changes "
                        + "FROM \(schema).holdfast_commit WHERE sequence > $1 AND sequence < $2 AND put_count >= 0 "
                        + "ORDER BY sequence LIMIT $3) AS c ON TRUE ORDER BY c.sequence", parameters)
            ])[0]
        guard result.rowCount > 0 else {
            throw PostgreSQLStoreFailure(StorageError.damagedCatalog())
        }
        let forgotten = UInt64(bitPattern: result.integer(0, 0))
        if forgotten > sequence { return Page(element: .gap(through: forgotten)) }
        if result.isNull(0, 2) { return Page() }
        let settled = bound ?? result.integer(0, 1) + connection.sequenceBase
        var commits: [CommittedChange] = []
        var unknown: UInt64?
        for row in 0..<result.rowCount where result.integer(row, 2) < settled {
            let number = UInt64(bitPattern: result.integer(row, 2))
            if result.isNull(row, 3) {
                if !commits.isEmpty { break }
                unknown = number
                continue
            }
            if unknown != nil { break }
            if isKnown(number) {
                commits.append(CommittedChange(sequence: number, records: []))
                continue
            }
            let change = try PostgreSQLStoreFailure.of { () throws(StorageError) in
                try ChangeCodec.decode([UInt8](result.bytes(row, 3)), sequence: number)
            }
            commits.append(change)
        }
        if let unknown { return Page(element: .gap(through: unknown)) }
        if commits.isEmpty { return Page(isBlocked: true) }
        return Page(element: .commits(commits))
    }
}

/// When a feed reads.
final class PostgreSQLFeedPace: Sendable {
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    /// When the feed may read now.
    fileprivate func next() -> ContinuousClock.Instant {
        last.withLock { last in
            var next = ContinuousClock.now
            if let last { next = max(next, last + .milliseconds(PostgreSQLChangeLog.readingMilliseconds)) }
            last = next
            return next
        }
    }
}
#endif
