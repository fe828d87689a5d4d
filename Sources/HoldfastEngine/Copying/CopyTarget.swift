import HoldfastStorage

/// The store that is copied to, while it is marked.
struct CopyTarget {
    let store: Store
    private let make: @Sendable () throws -> any StorageAdapter
    private let schema: StorageSchema
    /// What holds as long as no other copy has begun to write here; `nil` for a target without a mark.
    let claim: Precondition?

    private static let markKey = RecordKey("copy")

    /// Opens or creates the target, marked as unfinished, and claims it: another copy that writes to it fails.
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
        guard isMarked else { return CopyTarget(store: store, make: make, schema: schema, claim: nil) }
        let mark = EntitySchema.copyMark.name
        let put = WriteOperation.put(entity: mark, rows: RowBuffer(row: markKey.components), mode: .upsert)
        let version = try await store.commit(CommitRequest(operations: [put])).sequence
        return CopyTarget(
            store: store, make: make, schema: schema, claim: .version(entity: mark, key: markKey, version))
    }

    /// Empties what an interrupted copy of a source with another schema left.
    private static func restarting(from stored: StorageSchema, to schema: StorageSchema) -> SchemaMigration {
        SchemaMigration(
            steps: schema.entities.map { SchemaMigration.Step(from: nil, to: $0) { _ in nil } },
            removedEntities: Set(stored.entities.map(\.name)).subtracting(schema.entities.map(\.name)))
    }

    /// Takes the mark off, unless another copy has claimed the target.
    ///
    /// Without the mark, no other copy can write: its commits ask for it. One that begins in the moment between the two
    /// is not noticed.
    ///
    /// - Returns: The store, open with the source's schema.
    /// - Throws: ``StorageError`` `.conflict` if another copy has claimed it.
    func finish() async throws -> Store {
        guard let claim else { return store }
        try await Self.write([], under: claim, to: store)
        try await store.close()
        let adapter = try make()
        try await adapter.open(
            OpenRequest(schema: schema, createsStore: false) { _ in
                SchemaMigration(steps: [], removedEntities: [EntitySchema.copyMark.name])
            })
        return Store(opened: adapter, schema: schema)
    }

    /// Writes to a target, unless another copy has claimed it.
    ///
    /// - Parameters:
    ///   - operations: What to write.
    ///   - claim: ``claim``.
    ///   - store: The target's store.
    /// - Throws: ``StorageError`` `.conflict` if another copy has claimed it.
    static func write(
        _ operations: [WriteOperation], under claim: Precondition?, to store: Store
    ) async throws(StorageError) {
        do throws(StorageError) {
            _ = try await store.commit(
                CommitRequest(preconditions: claim.map { [$0] } ?? [], operations: operations))
        } catch {
            guard error.kind == .preconditionFailed, claim != nil else { throw error }
            throw StorageError(.conflict, "Another copy to the target has begun, and continues; this one ends.")
        }
    }
}
