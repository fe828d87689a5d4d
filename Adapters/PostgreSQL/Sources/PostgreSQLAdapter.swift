#if PostgreSQL
internal import HoldfastAdapterKit
public import HoldfastStorage

/// Keeps a store in a schema of a PostgreSQL database with real tables, typed columns and indexes.
///
/// Each commit is one transaction, sent in one round trip, and commits of one or several processes run side by side;
/// each snapshot is a repeatable-read transaction on its own connection. A commit whose connection is lost is
/// settled by its token when the server is back. `Adapters/PostgreSQL/README.md` describes the tables.
///
/// ```swift
/// let adapter = PostgreSQLAdapter("postgresql://app@db.example.com/app?sslmode=verify-full")
/// let store = try await Store.open(adapter, schema: schema)
/// ```
public final class PostgreSQLAdapter: StorageAdapter {
    /// How the store is opened.
    public let configuration: PostgreSQLConfiguration
    private let lifecycle = AdapterLifecycle<PostgreSQLStore>()

    /// Creates an adapter; nothing is connected before ``open(_:)``.
    public init(_ configuration: PostgreSQLConfiguration) {
        self.configuration = configuration
    }

    /// Creates an adapter for a server, everything else as usual.
    ///
    /// - Parameter connectionString: Such as `postgresql://user@host/database?sslmode=verify-full`.
    public convenience init(_ connectionString: String) {
        self.init(PostgreSQLConfiguration(connectionString))
    }

    /// What the adapter declares; the server's version is known once the store is open.
    public var capabilities: Capabilities {
        .postgreSQL(configuration, serverVersion: (try? lifecycle.store())?.serverVersion)
    }

    /// The timeline that the server was on when the store was opened; another one after a replica became the primary.
    ///
    /// `nil` if the store is not open, or if the server is a replica or does not say. On a server with another timeline
    /// everything fails with `.closed`: commits may be missing there, and the numbers of those are given out again.
    public var timeline: String? { (try? lifecycle.store())?.timeline?.name }

    /// Opens or creates the store.
    ///
    /// A server that is away or starts is tried again, after pauses that grow from 10 to 500 milliseconds, for
    /// ``PostgreSQLConfiguration/waitTimeout``.
    ///
    /// - Throws: ``StorageError`` `.connectionLost` if the server stays away, `.io` if it refuses,
    ///   `.incompatibleStore` for a schema that holds something else or that a newer version wrote,
    ///   `.schemaMismatch`, `.corruption`, `.busy`, `.unsupported` for a server older than PostgreSQL 13, `.misuse`
    ///   if already open, `.closed` if closed, `.cancelled`. The database is then as it was.
    public func open(_ request: OpenRequest) async throws(StorageError) {
        let configuration = configuration
        try await lifecycle.open { () async throws(StorageError) in
            let queue = WorkQueue(label: "holdfast.postgresql.open")
            var retries = PostgreSQLRetries(for: configuration.waitTimeout)
            while true {
                do throws(StorageError) {
                    return try await queue.run { () throws(StorageError) in
                        try PostgreSQLStore(configuration, request)
                    }
                } catch {
                    try await retries.wait(after: error)
                }
            }
        } discard: {
            await $0.close()
        }
    }

    private func store() throws(StorageError) -> PostgreSQLStore { try lifecycle.store() }

    /// Opens a read transaction.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.schemaMismatch` if another handle has migrated the store, `.busy` if too
    ///   many snapshots stay open, `.connectionLost` if the server stays away, `.cancelled`.
    public func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        try await store().snapshot()
    }

    /// Commits in its own transaction; see ``StorageAdapter/commit(_:)``.
    ///
    /// - Throws: ``StorageError`` as the contract says; `.schemaMismatch` if another handle has migrated the store,
    ///   `.conflict` if it met concurrent commits too often, `.busy` if no lock or connection became available,
    ///   `.limitExceeded` for values too large for an index, `.connectionLost` with `outcomeUnknown` as its state if
    ///   the server did not come back to say what became of it.
    public func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try await store().commit(request)
    }

    /// Closes the store and its connections; idempotent.
    public func close() async throws(StorageError) {
        await lifecycle.close { await $0.close() }
    }

    /// Reads records as last committed.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.schemaMismatch` if another handle has migrated the store,
    ///   `.connectionLost`, `.busy`, `.corruption`, `.io`.
    public func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try await store().get(request, into: &rows)
    }

    /// Reads records of several entities as last committed, all in one round trip.
    ///
    /// - Throws: As ``get(_:into:)``.
    public func get(_ requests: [GetRequest]) async throws(StorageError) -> [RowBuffer] {
        try await store().get(requests)
    }

    /// Reads a page as last committed, with one statement in most cases.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.schemaMismatch` if another handle has migrated the store, `.busy`,
    ///   `.connectionLost`, `.corruption`, `.io`, `.cancelled`.
    public func page(_ query: BoundQuery, into rows: inout RowBuffer) async throws(StorageError) {
        try await store().page(query, into: &rows)
    }

    /// Starts a change feed; see ``StorageAdapter/changes(after:)``.
    ///
    /// - Throws: ``StorageError`` `.unsupported` if the configuration keeps no change log, `.closed`, `.busy`,
    ///   `.connectionLost`, `.io`.
    public func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed {
        try await store().changes(after: sequence)
    }

    /// Compares the tables and indexes with the catalog.
    ///
    /// - Returns: One sentence per defect; empty if the store is sound. Detecting damaged pages is the server's job:
    ///   `pg_amcheck` finds them.
    public func verify() async throws(StorageError) -> [String] {
        try await store().verify()
    }
}
#else
/// Not in this build: enable the trait `PostgreSQL` of the package `holdfast` to use it.
@available(*, unavailable, message: "Enable the trait 'PostgreSQL' of the package 'holdfast'.")
public enum PostgreSQLAdapter {}

/// Not in this build: enable the trait `PostgreSQL` of the package `holdfast` to use it.
@available(*, unavailable, message: "Enable the trait 'PostgreSQL' of the package 'holdfast'.")
public enum PostgreSQLConfiguration {}
#endif
