import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

/// A data store of a check, on the adapter under test.
final class EngineStore: Sendable {
    /// The data store.
    let data: DataStore
    /// The adapter itself, for what the engine does not show.
    let adapter: any StorageAdapter
    /// Where it lives.
    let location: any StoreLocation
    /// What it holds.
    let models: [any Model.Type]
    private let options: DataStoreOptions
    private let context: ClauseContext

    /// Everything in a store but its settings.
    struct Dump: Equatable {
        /// The rows in key order, by entity.
        var rows: [String: [StoredRow]] = [:]
    }

    fileprivate init(
        _ data: DataStore, _ adapter: any StorageAdapter, _ location: any StoreLocation, _ models: [any Model.Type],
        _ options: DataStoreOptions, _ context: ClauseContext
    ) {
        (self.data, self.adapter, self.location, self.models) = (data, adapter, location, models)
        (self.options, self.context) = (options, context)
    }

    /// Whether the store outlives its adapter, by its own declaration.
    var isPersistent: Bool { adapter.capabilities.durability > .none }

    /// Closes the store and opens it again at the same location.
    func reopen(_ models: [any Model.Type]? = nil, _ options: DataStoreOptions? = nil) async throws -> EngineStore {
        try await data.close()
        return try await context.openEngine(models ?? self.models, options ?? self.options, at: location)
    }

    /// What an entity holds, read without the engine: a scan in key order.
    func rows(of entity: String) async throws -> [StoredRow] {
        let snapshot = try await adapter.snapshot()
        var scan = try await snapshot.scan(KeyRange(entity))
        let rows = try await scan.drain()
        await snapshot.close()
        return rows
    }

    /// Everything but the settings, read without the engine.
    func dump() async throws -> Dump {
        var dump = Dump()
        var entities = options.recordsMutations ? ["__outbox"] : []
        for model in models { entities.append(model.modelName) }
        for entity in entities { dump.rows[entity] = try await rows(of: entity) }
        return dump
    }

    /// Empties the outbox, as if everything had been sent.
    func sendOutbox() async throws {
        try await data.save(
            metadata: try await data.outboxEntries().map {
                RecordMetadata(
                    model: $0.model, key: $0.key, version: 1, lastChangedAt: 0, isDeleted: $0.operation == .delete)
            })
        _ = try await adapter.commit(CommitRequest(operations: [.clear(entity: "__outbox")]))
    }

    /// What awaits the service, in order: operation, model and key.
    func outbox() async throws -> [String] {
        try await data.outboxEntries().map { "\($0.operation) \($0.model) \($0.key)" }
    }

    /// Closes the store and takes what an observer has not taken yet.
    func close<M: Model>(collecting changes: ModelChanges<M>) async throws -> [ModelChange<M>] {
        try await data.close()
        var seen: [ModelChange<M>] = []
        for try await change in changes { seen.append(change) }
        return seen
    }

    /// Compares what every way of reading says of a model's records with what was saved: by query, by key, by count,
    /// without the engine, and again after reopening where the store is persistent.
    ///
    /// - Parameter expected: The records in key order; there are no others.
    /// - Returns: The store to continue with: reopened, or this one.
    /// - Throws: ``ClauseFailure`` at the first difference, or what the store throws.
    @discardableResult
    func expectHolds<M: Model>(_ expected: [M]) async throws -> EngineStore {
        try await compare(expected, "")
        guard isPersistent else { return self }
        let again = try await reopen()
        try await again.compare(expected, " after reopening")
        return again
    }

    /// As ``expectHolds(_:)`` without reopening.
    func compare<M: Model>(_ expected: [M], _ when: String) async throws {
        let name = M.modelName
        let cells = try expected.map { Array(try $0.row()[0]) }
        let queried = try await data.query(M.self).map { Array(try $0.row()[0]) }
        try context.expectEqual(queried, cells, "\(name) read by a query\(when)")
        var loaded: [[Value]] = []
        for model in expected {
            if let one = try await data.load(M.self, key: try model.recordKey()) {
                loaded.append(Array(try one.row()[0]))
            }
        }
        try context.expectEqual(loaded, cells, "\(name) read by key\(when)")
        try context.expectEqual(try await data.count(M.self), cells.count, "the count of \(name)\(when)")
        try context.expectEqual(try await rows(of: name).map(\.cells), cells, "\(name) as it is stored\(when)")
    }
}

extension ClauseContext {
    /// Opens a data store on the adapter under test; closed when the check ends.
    ///
    /// - Parameters:
    ///   - models: The models that it holds; the ``Bookshop/models`` by default.
    ///   - options: How it behaves.
    ///   - location: Where; a fresh location by default.
    ///   - watch: What is between the engine and the adapter; nothing by default.
    /// - Returns: The open store.
    /// - Throws: What the harness or the opening throws.
    func openEngine(
        _ models: [any Model.Type] = Bookshop.models, _ options: DataStoreOptions = DataStoreOptions(),
        at location: (any StoreLocation)? = nil, watch: EngineWatch? = nil
    ) async throws -> EngineStore {
        let storeLocation: any StoreLocation
        if let location { storeLocation = location } else { storeLocation = try await makeLocation() }
        let adapter = try storeLocation.makeAdapter()
        let data = try await DataStore.open(
            watch.map { WatchedAdapter(base: adapter, watch: $0) } ?? adapter, models: models, options: options)
        closesLater { try? await data.close() }
        return EngineStore(data, adapter, storeLocation, models, options, self)
    }

    /// Runs something that must fail with a model error of a kind.
    func expectModelError(
        _ kind: ModelError.Kind, from subject: String, _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as ModelError {
            try expectEqual("\(error.kind)", "\(kind)", "the error of \(subject)")
            return
        }
        throw ClauseFailure("\(subject) must fail, but succeeded")
    }
}
