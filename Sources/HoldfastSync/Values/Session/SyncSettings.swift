/// How a sync session behaves.
///
/// Every value has a default.
///
/// ```swift
/// var settings = SyncSettings()
/// settings.syncPageSize = 200
/// settings.syncMaxRecords = 50_000
/// let service = SyncService(transport: transport, authorization: authorization, settings: settings)
/// ```
public struct SyncSettings: Sendable, Hashable {
    /// The time after which a model is read in full again; 24 hours.
    ///
    /// This is judged whenever models are read: at a start, after a lost connection, and again in a session that lasts,
    /// there no more than once an hour while sockets are open.
    public var syncInterval: Duration = .seconds(24 * 60 * 60)
    /// How many records of a model a base query reads at most; 10,000.
    ///
    /// With a sync expression it stops after the page that reaches that number.
    ///
    /// A model that was read in part is read as a whole once the service no longer knows what has changed since, or a
    /// delta query is given up (``deltaPageLimit``).
    public var syncMaxRecords = 10_000
    /// How many records a page has at most; 1,000, which is also the service's limit.
    public var syncPageSize = 1_000
    /// How long a service keeps tombstones at least; 25 days.
    ///
    /// A model whose last full sync is older is read in full, since its deltas may have lost deletions.
    public var tombstoneLife: Duration = .seconds(25 * 24 * 60 * 60)
    /// How far a delta query reaches back before the watermark; 2 minutes, for services that answer it from a table
    /// that is filled late.
    public var watermarkOverlap: Duration = .seconds(120)
    /// How many mutations are in progress at once; 8.
    ///
    /// With 1 they are sent in strict order. Otherwise, mutations that are never answered while their records can be
    /// read do not count, so that they do not block others; there are at most four times as many in all. Mutations that
    /// wait for the conflict handler or for the service's schema (``SyncProblem/Kind/schemaMismatch``) do not count
    /// either, up to 1,000 of them.
    public var sendWindow = 8
    /// How many models are read at once; 4.
    public var fetchWindow = 4
    /// After how many pages an unfiltered delta query of a model with a sync expression is given up for a filtered base
    /// query; 20.
    public var deltaPageLimit = 20
    /// How many subscriptions share a socket; 100, which is the service's limit.
    public var subscriptionsPerSocket = 100
    /// How many changed records a model keeps in memory until it is synchronized; 10,000.
    ///
    /// Further changes are left to a delta query.
    public var eventLimit = 10_000
    /// How many times a conflict handler may decide about one mutation; 10.
    ///
    /// Then the remote record wins.
    public var conflictRounds = 10
    /// How long after `ready` all models are asked for changes once more; 30 seconds.
    public var trailingDelay: Duration = .seconds(30)
    /// How long a socket or a subscription may take to be confirmed; 15 seconds.
    public var handshakeTimeout: Duration = .seconds(15)
    /// How long the lease of a store lasts; 2 minutes.
    ///
    /// It is renewed at half of that time.
    public var leaseLife: Duration = .seconds(120)

    /// Creates the default settings.
    public init() {}
}
