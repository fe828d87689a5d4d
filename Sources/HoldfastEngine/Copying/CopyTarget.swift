import HoldfastStorage

/// The store that is copied to, while it is marked.
struct CopyTarget {
    let store: Store
    private let make: @Sendable () throws -> any StorageAdapter
    private let schema: StorageSchema
    private let isMarked: Bool

    /// Opens or creates the target, marked as unfinished.
    ///
    /// - Parameters:
    ///   - make: A new handle on it.
    ///   - schema: What the source holds.
    /// - Returns: The open target; it has no mark if it lives in memory alone.
    /// - Throws: ``StorageError`` `.incompatibleStore` if it holds something else; what `make` throws.
    static func open(
        _ make: @escaping @Sendable () throws -> any StorageAdapter, schema: StorageSchema
    ) async throws -> CopyTarget {
        let adapter = try make()
        // What lives in memory alone ends with this process, finished or not, and cannot be opened twice.
        let isMarked = adapter.capabilities.durability > .none
        let held = isMarked ? try StorageSchema(entities: schema.entities + [.copyMark]) : schema
        let store = try await Store.open(adapter, schema: held) { stored throws(StorageError) in
            if stored.entities.isEmpty { return nil }
            guard stored.isUnfinishedCopy else {
                throw StorageError(
                    .incompatibleStore,
                    "The target holds a store already; name a place that holds none. It was left as it was.")
            }
            return restarting(from: stored, to: held)
        }
        return CopyTarget(store: store, make: make, schema: schema, isMarked: isMarked)
    }

    /// Empties what an interrupted copy of a source with another schema left.
    private static func restarting(from stored: StorageSchema, to schema: StorageSchema) -> SchemaMigration {
        SchemaMigration(
            steps: schema.entities.map { SchemaMigration.Step(from: nil, to: $0) { _ in nil } },
            removedEntities: Set(stored.entities.map(\.name)).subtracting(schema.entities.map(\.name)))
    }

    /// Takes the mark off.
    ///
    /// - Returns: The store, open with the source's schema.
    func finish() async throws -> Store {
        guard isMarked else { return store }
        try await store.close()
        let adapter = try make()
        try await adapter.open(
            OpenRequest(schema: schema, createsStore: false) { _ in
                SchemaMigration(steps: [], removedEntities: [EntitySchema.copyMark.name])
            })
        return Store(opened: adapter, schema: schema)
    }
}
