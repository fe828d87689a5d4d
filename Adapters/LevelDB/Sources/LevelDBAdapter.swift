#if LevelDB
internal import HoldfastAdapterKit
public import HoldfastStorage

/// Keeps a store in a LevelDB database, a directory that one process at a time has open.
///
/// A commit is one write batch with the records, their index entries and the sequence. Commits are checked and
/// written by one thread; those that wait are synced together. Snapshots are LevelDB's own: they cost nothing and
/// never wait. Indexes are chosen by a planner, the rest of a query is run by the reference.
/// `Adapters/LevelDB/README.md` describes what is in the database.
public final class LevelDBAdapter: StorageAdapter {
    /// How the store is opened.
    public let configuration: LevelDBConfiguration
    private let lifecycle = AdapterLifecycle<LevelDBStore>()

    /// Creates an adapter; nothing is touched before ``open(_:)``.
    public init(_ configuration: LevelDBConfiguration) {
        self.configuration = configuration
    }

    /// Creates an adapter for a place, everything else as usual.
    public convenience init(_ location: LevelDBConfiguration.Location) {
        self.init(LevelDBConfiguration(location))
    }

    /// Creates an adapter for a directory, everything else as usual.
    ///
    /// - Parameter path: Absolute or relative to the working directory; its parent must exist.
    public convenience init(path: String) {
        self.init(.directory(path))
    }

    /// What the adapter declares; the same before and after opening.
    ///
    /// A change feed only if the configuration keeps a change log.
    public var capabilities: Capabilities {
        var capabilities = Capabilities.levelDB
        if configuration.changeLogCommitCount > 0 { capabilities.support[.changeFeed] = .native }
        return capabilities
    }

    /// Opens or creates the store.
    ///
    /// - Throws: ``StorageError`` `.locked` if it is open already, here or in another process; `.incompatibleStore`
    ///   for a directory that is no store or that a newer version wrote, `.schemaMismatch`, `.uniqueViolation` if a
    ///   migration gives two records one key or equal unique values, `.corruption`, `.io`, `.full`; what is stored is
    ///   then as it was. `.misuse` if this adapter is open already, `.closed` if closed.
    public func open(_ request: OpenRequest) async throws(StorageError) {
        let configuration = configuration
        try await lifecycle.open { () async throws(StorageError) in
            try await WorkQueue(label: "holdfast.leveldb.open").run { () throws(StorageError) in
                try LevelDBStore(configuration, request)
            }
        } discard: {
            await $0.close()
        }
    }

    /// The open store.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.misuse` before ``open(_:)``.
    func store() throws(StorageError) -> LevelDBStore { try lifecycle.store() }

    /// Takes a snapshot, in some microseconds.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.io`.
    public func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        try store().snapshot()
    }

    /// Commits with the next group; see ``StorageAdapter/commit(_:)``.
    ///
    /// - Throws: ``StorageError`` as the contract says. After an `.io` or `.full` with an unknown outcome every commit
    ///   fails until the store is opened again, since LevelDB cannot say what of the write is in its log.
    public func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try await store().commit(request)
    }

    /// Closes the store; idempotent.
    public func close() async throws(StorageError) {
        await lifecycle.close()?.close()
    }

    /// Reads records as last committed; a few keys on the caller's thread, in some microseconds.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.corruption`, `.io`.
    public func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try await store().get(request, into: &rows)
    }
}
#else
/// Not in this build: enable the trait `LevelDB` of the package `holdfast` to use it.
@available(*, unavailable, message: "Enable the trait 'LevelDB' of the package 'holdfast'.")
public enum LevelDBAdapter {}

/// Not in this build: enable the trait `LevelDB` of the package `holdfast` to use it.
@available(*, unavailable, message: "Enable the trait 'LevelDB' of the package 'holdfast'.")
public enum LevelDBConfiguration {}
#endif
