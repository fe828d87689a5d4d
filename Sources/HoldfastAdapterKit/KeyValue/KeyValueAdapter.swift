public import HoldfastStorage

/// Keeps a store in an ordered key-value engine: everything that an adapter does and the engine does not.
///
/// Records are encoded by ``KeyCodec`` and a codec for cells, in spaces of keys that a catalog in the store lists. A
/// commit is one batch with the records, their index entries, and the sequence. Commits are checked and written by one
/// thread; those that wait are made durable together. Snapshots are the engine's views. Indexes are chosen by a
/// planner; the reference does the rest of a query. Migrations build new spaces and then replace the catalog.
///
/// Most adapters have their own type that forwards to this one: ``KeyValueBackedAdapter``.
public final class KeyValueAdapter<Engine: KeyValueEngine>: StorageAdapter {
    private struct Opened: Sendable {
        let engine: Engine
        let store: KeyValueStore
    }

    /// What the adapter declares, with a native change feed if it keeps a change log, and without unique indexes if it
    /// keeps no index entries.
    public let capabilities: Capabilities
    private let options: KeyValueStore.Options
    private let openEngine: @Sendable (OpenRequest) throws(StorageError) -> Engine
    private let lifecycle = AdapterLifecycle<Opened>()

    /// Creates an adapter; nothing is opened before ``open(_:)``.
    ///
    /// - Parameters:
    ///   - capabilities: What is true of the engine;
    ///     `Capabilities.keyValue(adapterName:engineVersion:support:durability:limits:)` makes them.
    ///     Index entries are kept if `indexes` is native; otherwise unique indexes are declared unsupported. If
    ///     `multipleProcesses` is native, every commit looks at what other handles wrote, which takes an engine with
    ///     transactions.
    ///   - mark: A word that marks the engine's data as a store, written with it and checked when it is opened. Without
    ///     one, `openEngine` must refuse data that is not a store, and a missing store if
    ///     ``/HoldfastStorage/OpenRequest/createsStore`` is false.
    ///   - changeLogCommitCount: How many commits ``changes(after:)`` can look back; 0, the default, for no change
    ///     feed.
    ///   - openEngine: Opens or creates the engine's data; blocks, on a thread of the adapter.
    public init(
        capabilities: Capabilities, mark: String?, changeLogCommitCount: Int = 0,
        openEngine: @escaping @Sendable (OpenRequest) throws(StorageError) -> Engine
    ) {
        var capabilities = capabilities
        if changeLogCommitCount > 0 { capabilities.support[.changeFeed] = .native }
        let hasIndexes = capabilities.support(for: .indexes) == .native
        // Their entries are what finds another record with the same values.
        if !hasIndexes { capabilities.support[.uniqueIndexes] = .unsupported }
        self.capabilities = capabilities
        options = KeyValueStore.Options(
            mark: mark, changeLogCommitCount: changeLogCommitCount, hasIndexes: hasIndexes,
            isShared: capabilities.support(for: .multipleProcesses) == .native)
        self.openEngine = openEngine
    }

    /// Opens or creates the store.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.schemaMismatch`, `.uniqueViolation` if a migration gives two
    ///   records one key or equal unique values, `.incompatibleStore`, `.unsupported` for a unique index that the
    ///   adapter does not declare, what the engine's opening throws; what is stored is then as it was. `.misuse` if it
    ///   is open already, `.closed` if closed.
    public func open(_ request: OpenRequest) async throws(StorageError) {
        if capabilities.support(for: .uniqueIndexes) != .native,
            request.schema.entities.contains(where: { $0.indexes.contains(where: \.isUnique) })
        {
            throw StorageError(.unsupported, "The adapter '\(capabilities.adapterName)' has no unique indexes.")
        }
        let openEngine = openEngine
        let options = options
        try await lifecycle.open { () async throws(StorageError) in
            try await WorkQueue(label: "holdfast.keyvalue.open").run { () throws(StorageError) in
                let engine = try openEngine(request)
                return Opened(engine: engine, store: try KeyValueStore(engine, options, request))
            }
        } discard: {
            await $0.store.close()
        }
    }

    /// Takes a view of the engine.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`, `.schemaMismatch` if another handle changed the schema,
    ///   what the engine throws.
    public func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        try lifecycle.store().store.snapshot()
    }

    /// Commits with the next group; see ``/HoldfastStorage/StorageAdapter/commit(_:)``.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` as the contract says.
    public func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try await lifecycle.store().store.commit(request)
    }

    /// Closes the store after commits and reads in progress have ended; idempotent.
    public func close() async throws(StorageError) { await lifecycle.close { await $0.store.close() } }

    /// Reads records as last committed; one of them on the caller's thread.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`, `.corruption`, `.io`.
    public func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try await lifecycle.store().store.get(request, into: &rows)
    }

    /// Starts a change feed.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.unsupported` without a change log; `.closed`.
    public func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed {
        try lifecycle.store().store.changes(after: sequence)
    }

    /// Reads everything, and compares records and index entries with each other.
    ///
    /// - Returns: One sentence per defect, 100 at most; empty if the store is sound.
    /// - Complexity: O(size of the store), and a lookup per index entry.
    public func verify() async throws(StorageError) -> [String] { try await lifecycle.store().store.verify() }

    /// Copies the store by ``KeyValueEngine/backUp(_:to:)``.
    public func backUp(to destination: String) async throws(StorageError) {
        try await lifecycle.store().store.backUp(to: destination)
    }

    // MARK: The engine

    /// The open engine, for what only it can do and does in no time.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`, `.misuse` before ``open(_:)``.
    public func withEngine<Result>(
        _ body: (Engine) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        let opened = try lifecycle.store()
        return try opened.store.database.use { () throws(StorageError) in try body(opened.engine) }
    }

    /// Has the engine do something that blocks, on a thread of the adapter; closing waits for it.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`, `.misuse` before ``open(_:)``.
    public func run<Result: Sendable>(
        _ body: @escaping @Sendable (Engine) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        let opened = try lifecycle.store()
        return try await opened.store.readQueue.run { () throws(StorageError) in
            try opened.store.database.use { () throws(StorageError) in try body(opened.engine) }
        }
    }

    /// The ranges of keys of an entity: its records, and the entries of each index.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.schemaMismatch` for an unknown entity, `.closed`; `.misuse` before
    ///   ``open(_:)``.
    public func keyRanges(of entity: String) throws(StorageError) -> [ByteRange] {
        try lifecycle.store().store.table(entity).prefixes.map(ByteRange.init(prefix:))
    }
}
