#if SQLite
internal import HoldfastAdapterKit
public import HoldfastStorage

/// Keeps a store in a SQLite database with real tables, columns and indexes.
///
/// Commits are made by one connection on its own thread; those that wait share a transaction. Each snapshot reads
/// through its own connection, so that readers and the writer never wait for each other. Several adapters, also
/// in several processes, may have one file open. What is in the file can be read with the `sqlite3` program;
/// `Adapters/SQLite/README.md` describes it.
///
/// ```swift
/// let adapter = SQLiteAdapter(path: path)
/// let store = try await Store.open(adapter, schema: schema)
/// ```
public final class SQLiteAdapter: StorageAdapter {
    /// How the store is opened.
    public let configuration: SQLiteConfiguration
    private let lifecycle = AdapterLifecycle<SQLiteStore>()

    /// Creates an adapter; nothing is touched before ``open(_:)``.
    public init(_ configuration: SQLiteConfiguration) {
        self.configuration = configuration
    }

    /// Creates an adapter for a place, everything else as usual.
    public convenience init(_ location: SQLiteConfiguration.Location) {
        self.init(SQLiteConfiguration(location))
    }

    /// Creates an adapter for a file, everything else as usual.
    ///
    /// - Parameter path: Absolute or relative to the working directory at opening; the directory must exist.
    public convenience init(path: String) {
        self.init(.file(path))
    }

    /// What the adapter declares; the same before and after opening.
    public var capabilities: Capabilities {
        var capabilities = Capabilities.sqlite
        if configuration.changeLogCommitCount > 0 { capabilities.support[.changeFeed] = .native }
        return capabilities
    }

    /// Opens or creates the store.
    ///
    /// - Throws: ``StorageError`` `.incompatibleStore` for a file that is not a store or that a newer version wrote,
    ///   `.schemaMismatch`, `.corruption`, `.io`, `.readOnly`, `.busy`, `.full`; the file is then as it was. `.misuse`
    ///   if already open, `.closed` if closed.
    public func open(_ request: OpenRequest) async throws(StorageError) {
        let configuration = configuration
        try await lifecycle.open { () async throws(StorageError) in
            try await WorkQueue(label: "holdfast.sqlite.open").run { () throws(StorageError) in
                try SQLiteStore(configuration, request)
            }
        } discard: {
            await $0.close()
        }
    }

    private func store() throws(StorageError) -> SQLiteStore { try lifecycle.store() }

    /// Opens a read transaction; waits its turn if 128 snapshots are open.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.cancelled`, `.schemaMismatch` if another handle has migrated the store,
    ///   `.busy` if too many snapshots stay open for longer than the configured time, `.io`.
    public func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        try await store().snapshot()
    }

    /// Commits with the next group; see ``StorageAdapter/commit(_:)``.
    ///
    /// - Throws: ``StorageError`` as the contract says; `.schemaMismatch` if another handle has migrated the store,
    ///   `.busy` if another process writes for longer than the configured time; `.rolledBack` as its state where SQLite
    ///   had begun.
    public func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        guard let commits = try store().commits else {
            throw StorageError(
                .readOnly, "The store was opened for reading only; allow writing to the file and open it again.")
        }
        return try await commits.commit(request)
    }

    /// Closes the store; idempotent.
    ///
    /// The write-ahead log is gone then unless another process has the store open.
    public func close() async throws(StorageError) {
        await lifecycle.close { await $0.close() }
    }

    /// Reads records as last committed; a few keys on the caller's thread, in a few microseconds.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.schemaMismatch` if another handle has migrated the store, `.corruption`,
    ///   `.io`.
    public func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try await store().get(request, into: &rows)
    }

    /// Reads a page as last committed; a small one on the caller's thread, in tens of microseconds.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.schemaMismatch` if another handle has migrated the store, `.corruption`,
    ///   `.io`.
    public func page(_ query: BoundQuery, into rows: inout RowBuffer) async throws(StorageError) {
        try await store().page(query, into: &rows)
    }

    /// Runs SQLite's integrity check, and compares the tables with the catalog.
    ///
    /// - Returns: One sentence per defect; empty if the store is sound.
    /// - Complexity: O(size of the store).
    public func verify() async throws(StorageError) -> [String] {
        try await store().verify()
    }

    /// Starts a change feed, if the configuration asks for a log; commits of other processes are delivered too, within
    /// a tenth of a second while there are some, and within a second after a time without any.
    ///
    /// - Throws: ``StorageError`` `.unsupported` without a log; `.closed`, `.io`.
    public func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed {
        try await store().changes(after: sequence)
    }

    /// Copies the store to a file that can be opened like any other store.
    ///
    /// - Parameter destination: A path at which nothing exists.
    /// - Throws: ``StorageError`` `.io` if something exists there or it cannot be written, `.full`.
    public func backUp(to destination: String) async throws(StorageError) {
        try await store().backUp(to: destination)
    }
}
#else
/// Not in this build: enable the trait `SQLite` of the package `holdfast` to use it.
@available(*, unavailable, message: "Enable the trait 'SQLite' of the package 'holdfast'.")
public enum SQLiteAdapter {}

/// Not in this build: enable the trait `SQLite` of the package `holdfast` to use it.
@available(*, unavailable, message: "Enable the trait 'SQLite' of the package 'holdfast'.")
public enum SQLiteConfiguration {}
#endif
