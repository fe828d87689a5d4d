/// An open store: an adapter behind a check of everything that goes in.
///
/// All layers above adapters use this type only. It holds requests to the schema and the adapter's limits, brings
/// values to canonical form, and turns task cancellation into errors, so that adapters do none of it.
///
/// ```swift
/// let store = try await Store.open(InMemoryAdapter(), schema: StorageSchema(entities: [book]))
/// let row = RowBuffer(row: [.text("b1"), .text("Moby-Dick"), .integer(635)])
/// _ = try await store.commit(CommitRequest(operations: [.put(entity: "Book", rows: row, mode: .upsert)]))
/// var found = RowBuffer()
/// try await store.get([RecordKey("b1")], of: "Book", into: &found)
/// let title = found[0, 1]  // .text("Moby-Dick")
/// try await store.close()
/// ```
public struct Store: Sendable {
    /// What the store holds.
    public let schema: StorageSchema
    /// What the adapter declares, read after opening.
    public let capabilities: Capabilities
    private let adapter: any StorageAdapter

    /// Takes an adapter that was opened with a schema.
    package init(opened adapter: any StorageAdapter, schema: StorageSchema) {
        self.schema = schema
        self.adapter = adapter
        capabilities = adapter.capabilities
    }

    /// Opens or creates a store.
    ///
    /// - Parameters:
    ///   - adapter: Not yet opened.
    ///   - schema: The entities that the store should hold.
    ///   - migration: The migration from a stored schema that differs more than additively; none by default.
    /// - Returns: The store, open with `schema`.
    /// - Throws: ``StorageError`` as ``StorageAdapter/open(_:)``; `.unsupported` if the schema has a unique index
    ///   and the adapter has none; `.incompatibleStore` for an unfinished copy (``StorageSchema/isUnfinishedCopy``);
    ///   `.unrepresentable` or `.limitExceeded` if the migration yields a record that the store cannot hold.
    public static func open(
        _ adapter: any StorageAdapter, schema: StorageSchema,
        migration: @escaping @Sendable (_ stored: StorageSchema) throws(StorageError) -> SchemaMigration? = { _ in nil }
    ) async throws(StorageError) -> Store {
        let hasUniqueIndex = schema.entities.contains { $0.indexes.contains(where: \.isUnique) }
        if hasUniqueIndex && adapter.capabilities.support(for: .uniqueIndexes) == .unsupported {
            throw StorageError(
                .unsupported, "The adapter '\(adapter.capabilities.adapterName)' has no unique indexes.")
        }
        let limits = adapter.capabilities.limits
        try await adapter.open(
            OpenRequest(schema: schema) { stored throws(StorageError) in
                try stored.checkIsWhole(for: schema)
                return try migration(stored)?.limited(to: limits)
            })
        return Store(opened: adapter, schema: schema)
    }

    /// A consistent view of everything committed so far; close it, or drop it.
    ///
    /// - Throws: As ``StorageAdapter/snapshot()``; `.cancelled` if the task is cancelled.
    public func snapshot() async throws(StorageError) -> StoreSnapshot {
        try StorageError.checkCancellation()
        return StoreSnapshot(snapshot: try await adapter.snapshot(), schema: schema, limits: capabilities.limits)
    }

    /// Opens a snapshot for the time of a closure.
    ///
    /// - Returns: What the closure returns.
    /// - Throws: What opening the snapshot or the closure throws.
    public func withSnapshot<Result>(
        _ body: (StoreSnapshot) async throws -> Result
    ) async throws -> Result {
        let snapshot = try await snapshot()
        do {
            let result = try await body(snapshot)
            await snapshot.close()
            return result
        } catch {
            await snapshot.close()
            throw error
        }
    }

    /// Reads records of one entity as last committed.
    ///
    /// - Parameters:
    ///   - keys: Any number of keys.
    ///   - entity: Their entity.
    ///   - rows: Reset and filled with one row per key, in the order asked; version 0 for an absent record.
    /// - Throws: ``StorageError`` `.schemaMismatch`, `.unrepresentable` or `.limitExceeded` for a key the entity
    ///   cannot have; `.closed`, `.corruption`, `.io`.
    public func get(
        _ keys: [RecordKey], of entity: String, into rows: inout RowBuffer
    ) async throws(StorageError) {
        let keys = try schema.checked(keys, of: entity, limits: capabilities.limits)
        try await adapter.get(GetRequest(entity, keys: keys), into: &rows)
    }

    /// Reads records of several entities as last committed, each request as ``get(_:of:into:)`` does.
    ///
    /// An adapter whose store is far away sends all requests at once; their answers need not be from one moment.
    ///
    /// - Returns: One buffer for each request, in the order asked.
    /// - Throws: As ``get(_:of:into:)``.
    public func get(_ requests: [GetRequest]) async throws(StorageError) -> [RowBuffer] {
        try await adapter.get(schema.checked(requests, limits: capabilities.limits))
    }

    /// Reads the rows of a query as last committed, all at once; costs less than a snapshot of its own.
    ///
    /// ```swift
    /// var page = RowBuffer()
    /// try await store.page(QueryPlan("Book", sort: [SortKey("title")], limit: 50), into: &page)
    /// ```
    ///
    /// - Parameters:
    ///   - plan: With a limit of at most ``BoundQuery/maximumPageSize``.
    ///   - rows: Reset and filled.
    /// - Throws: ``StorageError`` `.misuse` for a plan without such a limit; otherwise as
    ///   ``StoreSnapshot/query(_:)`` and its scan.
    public func page(_ plan: QueryPlan, into rows: inout RowBuffer) async throws(StorageError) {
        try StorageError.checkCancellation()
        let query = try schema.bind(plan, limits: capabilities.limits)
        guard let limit = query.limit, limit <= BoundQuery.maximumPageSize else {
            throw StorageError(
                .misuse, "A page has a limit of at most \(BoundQuery.maximumPageSize) rows; scan a snapshot for more.")
        }
        try await adapter.page(query, into: &rows)
    }

    /// Checks a change, brings it to canonical form and commits it.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch`, `.unrepresentable` and `.limitExceeded` before anything is
    ///   touched, with the operation's position; otherwise as ``StorageAdapter/commit(_:)``.
    /// - Complexity: O(cells) for the check.
    public func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try StorageError.checkCancellation()
        return try await adapter.commit(schema.checked(request, capabilities: capabilities))
    }

    /// Rows in the form in which ``commit(_:)`` stores them.
    ///
    /// - Parameters:
    ///   - rows: All cells in the order of the entity's fields.
    ///   - entity: Their entity.
    /// - Returns: The rows, checked and in canonical form.
    /// - Throws: ``StorageError`` `.schemaMismatch`, `.unrepresentable` and `.limitExceeded`, as a commit of them.
    /// - Complexity: O(cells).
    package func canonical(_ rows: RowBuffer, of entity: EntitySchema) throws(StorageError) -> RowBuffer {
        var rows = rows
        try entity.check(&rows, limits: capabilities.limits)
        return rows
    }

    /// Checks the store's integrity; see ``StorageAdapter/verify()``.
    public func verify() async throws(StorageError) -> [String] { try await adapter.verify() }

    /// Copies the store while it stays in use; see ``StorageAdapter/backUp(to:)``.
    public func backUp(to destination: String) async throws(StorageError) {
        try await adapter.backUp(to: destination)
    }

    /// Starts a change feed; see ``StorageAdapter/changes(after:)``.
    public func changes(after sequence: UInt64? = nil) async throws(StorageError) -> any ChangeFeed {
        try await adapter.changes(after: sequence)
    }

    /// Closes the store; idempotent.
    ///
    /// Every later call fails with `.closed`.
    ///
    /// - Throws: What the adapter throws; those of Holdfast throw nothing here.
    public func close() async throws(StorageError) { try await adapter.close() }
}
