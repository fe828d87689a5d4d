public import HoldfastStorage

/// An open store of a check, with the short forms that checks need.
public final class TestStore: Sendable {
    /// The store, behind the contract's checks.
    public let store: Store
    /// The adapter itself, for what the checks of ``Store`` would hide.
    public let adapter: any StorageAdapter
    /// Where it lives.
    public let location: any StoreLocation
    private let context: ClauseContext

    init(store: Store, adapter: any StorageAdapter, location: any StoreLocation, context: ClauseContext) {
        self.store = store
        self.adapter = adapter
        self.location = location
        self.context = context
    }

    /// Writes rows in one commit.
    @discardableResult
    public func put(
        _ entity: String, _ rows: [[Value]], mode: WriteOperation.PutMode = .upsert
    ) async throws -> CommitReceipt {
        context.begin("a commit that puts \(rows.count) records of \(entity)")
        return try await store.commit(
            CommitRequest(operations: [.put(entity: entity, rows: RowBuffer(rows: rows), mode: mode)]))
    }

    /// Deletes records in one commit.
    @discardableResult
    public func delete(_ entity: String, _ keys: [RecordKey]) async throws -> CommitReceipt {
        context.begin("a commit that deletes \(keys.count) records of \(entity)")
        return try await store.commit(CommitRequest(operations: [.delete(entity: entity, keys: keys)]))
    }

    /// Commits operations under preconditions.
    @discardableResult
    public func commit(
        _ operations: [WriteOperation], if preconditions: [Precondition] = [], durability: Durability? = nil
    ) async throws -> CommitReceipt {
        context.begin("a commit of \(operations.count) operations")
        return try await store.commit(
            CommitRequest(preconditions: preconditions, operations: operations, durability: durability))
    }

    /// The cells of a record, or `nil` if there is none.
    public func row(_ entity: String, _ key: RecordKey) async throws -> [Value]? {
        context.begin("a read of \(entity) by key")
        let records = try await store.records([key], of: entity)
        try context.expectEqual(records.count, 1, "rows read for one key")
        return records[0].version == 0 ? nil : records[0].cells
    }

    /// The cells of a query's rows, in order.
    public func rows(_ plan: QueryPlan) async throws -> [[Value]] {
        context.begin("a query of \(plan.entity)")
        return try await store.rows(plan).map(\.cells)
    }

    /// Everything an entity holds, read without a query: a scan of all records in key order.
    public func everything(in entity: String) async throws -> [[Value]] {
        context.begin("a scan of \(entity)")
        let snapshot = try await adapter.snapshot()
        var scan = try await snapshot.scan(KeyRange(entity))
        var rows = RowBuffer()
        var result: [[Value]] = []
        repeat {
            try await scan.next(maximumRowCount: 256, into: &rows)
            result += rows.storedRows.map(\.cells)
        } while !rows.isEmpty
        await scan.close()
        await snapshot.close()
        return result
    }

    /// Closes the store and opens it again at the same location.
    ///
    /// - Parameter schema: The schema to open it with; its own by default.
    /// - Returns: The new store; this one is closed.
    /// - Throws: The error of closing or opening the store.
    public func reopen(_ schema: StorageSchema? = nil) async throws -> TestStore {
        context.begin("closing a store")
        try await store.close()
        return try await context.open(schema ?? store.schema, at: location)
    }

    /// A second handle on the same store.
    public func another() async throws -> TestStore { try await context.open(store.schema, at: location) }

    /// Whether the store outlives its adapter, by its own declaration.
    public var isPersistent: Bool { store.capabilities.durability > .none }

    /// Compares what every way of reading says of some records with what was written: by key, by scan, by query,
    /// by a query per record, and again after reopening where the store is persistent.
    ///
    /// - Parameters:
    ///   - entity: The entity; it holds these rows and no others.
    ///   - expected: The rows in key order, in canonical form.
    /// - Returns: The store to continue with: reopened, or this one.
    /// - Throws: ``ClauseFailure`` if a way of reading gives something else, or the error of reading or reopening.
    @discardableResult
    public func expectHolds(_ entity: String, _ expected: [[Value]]) async throws -> TestStore {
        try await compare(entity, expected, "")
        guard isPersistent else { return self }
        let again = try await reopen()
        try await again.compare(entity, expected, " after reopening")
        return again
    }

    private func compare(_ entity: String, _ expected: [[Value]], _ when: String) async throws {
        let schema = try store.schema.entity(named: entity)
        let keys = expected.map { schema.key(of: $0) }
        if !keys.isEmpty {
            let read = try await store.records(keys, of: entity)
            try context.expectEqual(read.map(\.cells), expected, "\(entity) read by key\(when)")
            try context.expect(read.allSatisfy { $0.version > 0 }, "\(entity) read by key\(when): a version is 0")
        }
        try context.expectEqual(try await everything(in: entity), expected, "\(entity) read by scan\(when)")
        try context.expectEqual(try await rows(QueryPlan(entity)), expected, "\(entity) read by query\(when)")
        let count = try await store.withSnapshot { try await $0.count(entity) }
        try context.expectEqual(count, expected.count, "the count of \(entity)\(when)")
    }
}
