/// What a back end must do to hold a Holdfast store.
///
/// Four operations are required; all others have correct defaults built on them and are overridden where the back
/// end does better, which ``capabilities`` then declares. Semantics live above the adapter: requests arrive checked
/// against the schema and in canonical form (``Store``), so an adapter neither validates nor reinterprets values.
///
/// Every method may be called from any task, also concurrently. A call that may block for long, such as a query or
/// a commit, must not block its caller's executor; a bounded point read may run on the caller's thread.
///
/// In short: after a put is committed, a new snapshot returns the row, with the receipt's sequence as its version, and
/// a snapshot taken before the commit does not.
///
/// ```swift
/// try await adapter.open(OpenRequest(schema: StorageSchema(entities: [book])))
/// let row = RowBuffer(row: [.text("b1"), .text("Moby-Dick"), .integer(635)])
/// let put = WriteOperation.put(entity: "Book", rows: row, mode: .upsert)
/// let receipt = try await adapter.commit(CommitRequest(operations: [put]))
/// let snapshot = try await adapter.snapshot()
/// var rows = RowBuffer()
/// try await snapshot.get(GetRequest("Book", keys: [RecordKey("b1")]), into: &rows)
/// let isTheVersion = rows.versions[0] == receipt.sequence  // true
/// await snapshot.close()
/// try await adapter.close()
/// ```
public protocol StorageAdapter: Sendable {
    /// What the adapter declares about itself. Constant once open; before that its limits and name must be right.
    var capabilities: Capabilities { get }

    /// Opens or creates the store, once, before any other call.
    ///
    /// A persistent adapter keeps the schema with the data. If the stored schema differs it makes additive changes
    /// in place (``SchemaChange/isAdditive``) and refuses others.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch` listing the differences, or naming a new unique index that old
    ///   records break; `.incompatibleStore`, `.corruption`, `.io`, `.readOnly`, `.full`, `.locked`, `.busy`,
    ///   `.connectionLost`. What the migration throws; `.uniqueViolation` if it gives two records one key or equal
    ///   unique values, `.limitExceeded` if it yields a record beyond the declared limits. The stored data is then
    ///   untouched. `.unsupported` if the schema has a unique index and the adapter declares none. `.misuse` if already
    ///   open, `.closed` if closed.
    func open(_ request: OpenRequest) async throws(StorageError)

    /// A consistent, unchanging view of everything committed so far.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.busy`, `.io`; `.schemaMismatch` if another handle has migrated the
    ///   store, as all other reads and commits do.
    func snapshot() async throws(StorageError) -> any AdapterSnapshot

    /// Checks and applies a change as a whole.
    ///
    /// Preconditions and uniqueness are judged against everything committed before, without a gap in which another
    /// commit could slip in. When this returns, the change is visible to every later snapshot and as durable as
    /// asked. Cancelled before it is begun it has no effect; after that it is carried through.
    ///
    /// A commit without preconditions must not fail only because another one was in progress: the adapter tries it
    /// again. It fails as `.conflict` only after many tries, and for that reason as `.busy` only after a wait.
    ///
    /// - Throws: ``StorageError`` `.preconditionFailed`, `.uniqueViolation`, both with ``StorageError/position``;
    ///   `.schemaMismatch` if another handle has migrated the store; `.limitExceeded` for what the back end cannot
    ///   hold; `.unsupported` for a durability beyond the declared; `.conflict`, `.busy`, `.full`, `.readOnly`,
    ///   `.io`, `.corruption`, `.connectionLost`, `.closed`, `.cancelled`. Unless the error says `outcomeUnknown`,
    ///   nothing was changed.
    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt

    /// Closes the store after operations in progress have ended; open snapshots become closed. Idempotent.
    ///
    /// When a call returns, nothing of the handle is left, also if another call closes it or it was being opened.
    ///
    /// - Throws: What the back end reports; the adapters of Holdfast throw nothing here.
    func close() async throws(StorageError)

    // MARK: Refinements, each with a default

    /// Reads records of one entity as last committed, without an explicit snapshot.
    ///
    /// Default: a snapshot that is opened, asked and closed.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.busy`, `.corruption`, `.io`.
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError)

    /// Reads records of several entities as last committed, each request as ``get(_:into:)`` does.
    ///
    /// Several requests need not be answered from one moment.
    ///
    /// Default: one request after the other. An adapter whose store is far away sends all of them at once.
    ///
    /// - Returns: One buffer for each request, in the order asked.
    /// - Throws: As ``get(_:into:)``.
    func get(_ requests: [GetRequest]) async throws(StorageError) -> [RowBuffer]

    /// Reads the rows of a query as last committed, all at once, without an explicit snapshot.
    ///
    /// All of them are from one moment. For pages that an application shows: what opening and closing a snapshot costs
    /// would be a good part of such a query.
    ///
    /// Default: a snapshot that is opened, asked and closed.
    ///
    /// - Parameters:
    ///   - query: With a limit of at most ``BoundQuery/maximumPageSize``.
    ///   - rows: Reset and filled with the query's projected fields, in its total order.
    /// - Throws: ``StorageError`` `.closed`, `.busy`, `.corruption`, `.io`, `.cancelled`.
    func page(_ query: BoundQuery, into rows: inout RowBuffer) async throws(StorageError)

    /// Checks the store's integrity.
    ///
    /// - Returns: One sentence per defect found; empty if the store is sound.
    /// - Throws: ``StorageError`` `.unsupported` by default.
    func verify() async throws(StorageError) -> [String]

    /// Copies the store, as it is at one moment, to a new place while it stays in use.
    ///
    /// - Parameter destination: A path or address in the adapter's form; must not exist.
    /// - Throws: ``StorageError`` `.unsupported` by default; `.io` if the destination exists or cannot be written,
    ///   which leaves nothing behind there.
    func backUp(to destination: String) async throws(StorageError)

    /// Starts a change feed.
    ///
    /// - Parameter sequence: The feed begins with the first commit after this one; `nil` for those still to come.
    /// - Returns: A feed; it holds no resources of the back end beyond what waiting needs.
    /// - Throws: ``StorageError`` `.unsupported` by default; `.closed`, `.io`.
    func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed
}

extension StorageAdapter {
    /// Opens a snapshot, reads from it and closes it.
    public func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        let snapshot = try await snapshot()
        do {
            try await snapshot.get(request, into: &rows)
        } catch {
            await snapshot.close()
            throw error
        }
        await snapshot.close()
    }

    /// Answers one request after the other.
    public func get(_ requests: [GetRequest]) async throws(StorageError) -> [RowBuffer] {
        try await requests.answers { (request, rows) async throws(StorageError) in
            try await get(request, into: &rows)
        }
    }

    /// Opens a snapshot, reads the page from it and closes it.
    public func page(_ query: BoundQuery, into rows: inout RowBuffer) async throws(StorageError) {
        try await snapshot().page(query, into: &rows)
    }

    /// Refuses: the adapter declares no verification.
    public func verify() async throws(StorageError) -> [String] {
        throw StorageError(.unsupported, "The adapter '\(capabilities.adapterName)' cannot verify a store.")
    }

    /// Refuses: the adapter declares no backup.
    public func backUp(to destination: String) async throws(StorageError) {
        throw StorageError(.unsupported, "The adapter '\(capabilities.adapterName)' cannot back up a store.")
    }

    /// Refuses: the adapter declares no change feed.
    public func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed {
        throw StorageError(.unsupported, "The adapter '\(capabilities.adapterName)' has no change feed.")
    }
}
