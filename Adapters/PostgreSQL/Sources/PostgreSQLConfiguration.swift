#if PostgreSQL
/// Which database a PostgreSQL store is in and how it is used.
///
/// Prints without the connection string, which may hold a password.
public struct PostgreSQLConfiguration: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// Where the server is and who logs in, as libpq reads it.
    ///
    /// `postgresql://user@host:5432/database?sslmode=verify-full`, or `host=… dbname=…`. What is not said comes from
    /// libpq's environment variables and password file. Encryption is controlled by `sslmode`; use `verify-full` for
    /// every server that is not on the same machine.
    public var connectionString: String
    /// Whether a pool such as pgbouncer is between this process and the server; ``Pooling/off`` by default.
    public var pooling: Pooling
    /// The server's own address, for a store behind a pool of ``Pooling/transaction``; as ``connectionString``.
    ///
    /// Only change feeds use it, one connection for each process, to be notified of commits of other processes. `nil`,
    /// the default, for feeds that look once a second, as they do while the address cannot be reached.
    public var directConnectionString: String?
    /// The schema of the database that the store has to itself; `holdfast` by default.
    public var schema: String
    /// Connections that commits and single reads may use at once; 8 by default, at least 1.
    public var maximumConnectionCount: Int
    /// Snapshots that may be open at once, each with its own connection; 32 by default, at least 1.
    ///
    /// More wait for up to ``waitTimeout``.
    public var maximumSnapshotCount: Int
    /// Connections that are kept open while they are not in use; 4 by default.
    ///
    /// More are closed when they were not used for some seconds.
    public var maximumIdleConnectionCount: Int
    /// How long work waits for a free connection, a session of a pool, locks, and a server that is away or starts; 10
    /// seconds by default.
    ///
    /// Opening waits for a server, too, and longer by one try, which takes up to the `connect_timeout` of the
    /// connection string.
    public var waitTimeout: Duration
    /// How long the server may work on one statement; `nil`, the default, for what its own `statement_timeout` says.
    ///
    /// That of the server may be set for the user or the database; it does not count for creating and migrating a
    /// store. A statement that takes longer fails with `.busy`, and changes nothing.
    public var statementTimeout: Duration?
    /// How long the server may say nothing while it owes an answer; 60 seconds by default.
    ///
    /// After that the connection counts as lost: a read is tried again elsewhere, and a commit is settled by its token
    /// within ``waitTimeout`` or ends as `outcomeUnknown`. Allow more for statements that take longer before their
    /// first row. Creating and migrating a store is exempt. A server whose machine or network is gone is noticed
    /// within a minute in any case: keep-alive probes begin after 30 seconds (`keepalives_idle` and `tcp_user_timeout`
    /// in the connection string change that).
    public var silenceTimeout: Duration
    /// How often a commit that met a concurrent one is retried before it fails with `.conflict`; 20 by default.
    public var maximumRetryCount: Int
    /// How many commits a change feed can look back, at least; 1,000 by default, and 0 for no change feed.
    ///
    /// With it, a `DataStore` observes what other processes commit. Once a store has the log, every handle opened after
    /// that keeps it, regardless of its own configuration. Commits of handles that were opened before it existed are
    /// reported as a gap.
    public var changeLogCommitCount: Int
    /// How long a request to stop a statement is waited for; only tests allow it another time than other answers.
    var cancelTimeout: Duration?
    /// How long more connections than are kept must be without use until they are closed; longer in tests only.
    var surplusInterval = Duration.seconds(5)

    /// Creates a configuration; everything but the server has a default.
    public init(
        _ connectionString: String, schema: String = "holdfast", maximumConnectionCount: Int = 8,
        maximumSnapshotCount: Int = 32, maximumIdleConnectionCount: Int = 4,
        waitTimeout: Duration = .seconds(10), statementTimeout: Duration? = nil,
        silenceTimeout: Duration = .seconds(60), maximumRetryCount: Int = 20, changeLogCommitCount: Int = 1_000,
        pooling: Pooling = .off, directConnectionString: String? = nil
    ) {
        self.connectionString = connectionString
        self.schema = schema
        self.maximumConnectionCount = maximumConnectionCount
        self.maximumSnapshotCount = maximumSnapshotCount
        self.maximumIdleConnectionCount = maximumIdleConnectionCount
        self.waitTimeout = waitTimeout
        self.statementTimeout = statementTimeout
        self.silenceTimeout = silenceTimeout
        self.maximumRetryCount = maximumRetryCount
        self.changeLogCommitCount = changeLogCommitCount
        self.pooling = pooling
        self.directConnectionString = directConnectionString
    }

    /// How a pool shares the sessions of the server.
    public enum Pooling: String, Sendable, Hashable, CaseIterable {
        /// There is no pool. Opening a store through one fails, since a pool that is not declared breaks commits.
        case off
        /// Each connection keeps a session of the server to itself as long as it is open.
        case session
        /// Each connection has a session for one transaction at a time. Statements are not prepared, and each
        /// transaction brings its settings.
        case transaction
    }

    /// How a change feed connects to be notified of commits; `nil` if it can only look for itself.
    var listening: PostgreSQLConfiguration? {
        guard pooling == .transaction else { return self }
        guard let directConnectionString else { return nil }
        var direct = self
        direct.connectionString = directConnectionString
        direct.directConnectionString = nil
        direct.pooling = .off
        return direct
    }

    /// For `poll`; at least 1, since 0 would not wait at all.
    var silenceMilliseconds: Int32 { Int32(clamping: max(1, silenceTimeout.milliseconds)) }
    var waitMilliseconds: Int32 { Int32(clamping: max(1, waitTimeout.milliseconds)) }

    /// The schema alone.
    public var description: String { "PostgreSQLConfiguration(schema: \(schema))" }

    /// Shows the schema alone, also to `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["schema": schema]) }
}

extension Duration {
    /// Whole milliseconds, rounded down and held within what the server takes.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        let total = seconds.multipliedReportingOverflow(by: 1_000)
        let sum = total.overflow ? Int64.max / 2 : total.partialValue + attoseconds / 1_000_000_000_000_000
        return Int(min(max(0, sum), Int64(Int32.max)))
    }
}
#endif
