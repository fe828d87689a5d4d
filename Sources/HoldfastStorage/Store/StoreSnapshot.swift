/// An unchanging view of a store, behind the checks of ``Store``.
///
/// ```swift
/// let snapshot = try await store.snapshot()
/// _ = try await store.commit(CommitRequest(operations: [.clear(entity: "Book")]))
/// let count = try await snapshot.count("Book")  // 1: it shows the store as it was
/// await snapshot.close()
/// ```
public struct StoreSnapshot: Sendable {
    private let snapshot: any AdapterSnapshot
    private let schema: StorageSchema
    private let limits: Capabilities.Limits

    init(snapshot: any AdapterSnapshot, schema: StorageSchema, limits: Capabilities.Limits) {
        self.snapshot = snapshot
        self.schema = schema
        self.limits = limits
    }

    /// The sequence up to which this snapshot sees every commit; 0 for a store never written.
    ///
    /// If commits were in progress when it was taken, it may also see some with later sequences, each whole.
    public var sequence: UInt64 { snapshot.sequence }

    /// Reads records by key; as ``Store/get(_:of:into:)``, from this view.
    public func get(
        _ keys: [RecordKey], of entity: String, into rows: inout RowBuffer
    ) async throws(StorageError) {
        let keys = try schema.checked(keys, of: entity, limits: limits)
        try await snapshot.get(GetRequest(entity, keys: keys), into: &rows)
    }

    /// Reads records of several entities by key; as ``Store/get(_:)``, from this view.
    public func get(_ requests: [GetRequest]) async throws(StorageError) -> [RowBuffer] {
        try await snapshot.get(schema.checked(requests, limits: limits))
    }

    /// Whether an entity can have a record with a key.
    package func canHave(_ key: RecordKey, in entity: String) -> Bool {
        (try? schema.checked([key], of: entity, limits: limits)) != nil
    }

    /// Starts a query.
    ///
    /// - Throws: ``StorageError`` as ``StorageSchema/bind(_:limits:)->BoundQuery`` before anything is read, then as
    ///   the adapter.
    public func query(_ plan: QueryPlan) async throws(StorageError) -> StoreScan {
        try StorageError.checkCancellation()
        return StoreScan(try await snapshot.query(schema.bind(plan, limits: limits)))
    }

    /// Starts a scan of the records that a range of commits last wrote, in the order of these commits, then of keys.
    ///
    /// A record that was replaced is where its last commit put it, and nowhere else; a deleted one is gone. For an
    /// entity that is ordered by version (``EntitySchema/isOrderedByVersion``) it costs what it reads, if the adapter
    /// does that itself (``Capabilities/Feature/versionOrder``), otherwise a scan of the whole entity.
    ///
    /// - Throws: ``StorageError`` as ``StorageSchema/bind(_:limits:)->BoundVersionRange`` before anything is read,
    ///   then as the adapter.
    public func scan(_ range: VersionRange) async throws(StorageError) -> StoreScan {
        try StorageError.checkCancellation()
        return StoreScan(try await snapshot.scan(schema.bind(range, limits: limits)))
    }

    /// Computes aggregates, one value per function, in the order of the plan.
    ///
    /// - Throws: ``StorageError`` as ``StorageSchema/bind(_:limits:)->BoundAggregate``; `.unrepresentable` if a
    ///   sum leaves the range of its type.
    public func aggregate(_ plan: AggregatePlan) async throws(StorageError) -> [Value] {
        try StorageError.checkCancellation()
        return try await snapshot.aggregate(schema.bind(plan, limits: limits))
    }

    /// The number of matching records.
    ///
    /// - Throws: As ``aggregate(_:)``.
    public func count(_ entity: String, where predicate: Predicate = .all) async throws(StorageError) -> Int {
        let values = try await aggregate(AggregatePlan(entity, where: predicate, [.count]))
        guard case .integer(let count)? = values.first else { return 0 }
        return Int(count)
    }

    /// Releases the view; idempotent.
    public func close() async { await snapshot.close() }
}
