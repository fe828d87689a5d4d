extension Store {
    /// Opens a store with the schema it was written with; nothing is created or changed.
    ///
    /// The fields' types are those of their storage: an `AWSEmail` is found as `String`. An unfinished copy can be
    /// opened in this way, too; ``StorageSchema/isUnfinishedCopy`` of its schema says so.
    ///
    /// ```swift
    /// let store = try await Store.openAsStored { SQLiteAdapter(path: path) }
    /// let entities = store.schema.entities.map(\.name)  // what is in the file
    /// try await store.close()
    /// ```
    ///
    /// - Parameter make: A new handle, not yet opened, that may only read where the back end has such; called twice.
    /// - Returns: The open store; its ``schema`` is the stored one.
    /// - Throws: ``StorageError`` `.incompatibleStore` if there is no store; as ``StorageAdapter/open(_:)`` otherwise;
    ///   what `make` throws.
    @concurrent public static func openAsStored(
        _ make: @Sendable () throws -> any StorageAdapter
    ) async throws -> Store {
        // Every store that is not empty differs from this schema, so the adapter asks what to do about it.
        let empty = try StorageSchema(entities: [])
        let found = StoredSchema()
        let first = try make()
        do {
            try await first.open(
                OpenRequest(schema: empty, createsStore: false) { stored throws(StorageError) in
                    throw found.take(stored)
                })
            return Store(opened: first, schema: empty)
        } catch {
            guard let stored = found.schema else { throw error }
            let adapter = try make()
            try await adapter.open(
                OpenRequest(schema: stored, createsStore: false) { _ throws(StorageError) in
                    throw StoredSchema.changedMeanwhile
                })
            return Store(opened: adapter, schema: stored)
        }
    }

    /// Opens or creates a store with a schema that depends on the stored one, such as the union of both.
    ///
    /// - Parameters:
    ///   - make: A new handle, not yet opened; called a second time if the stored schema has more than the first
    ///     answer.
    ///   - schema: The schema to open with. Asked for a new store first (`nil`); then, if the stored schema cannot
    ///     become that one additively, or has indexes which that one lacks, for the stored one, which must be able to
    ///     become the answer.
    /// - Returns: The open store, with the last answer of `schema` as its schema.
    /// - Throws: As ``open(_:schema:migration:)``, `.busy` if the stored schema was changed meanwhile; what `make` and
    ///   `schema` throw.
    @concurrent public static func open(
        _ make: @Sendable () throws -> any StorageAdapter,
        schema: @Sendable (_ stored: StorageSchema?) throws -> StorageSchema
    ) async throws -> Store {
        let wanted = try schema(nil)
        let found = StoredSchema()
        do {
            return try await open(make(), schema: wanted) { stored throws(StorageError) in
                let change = SchemaChange(from: stored, to: wanted)
                let removesIndexes = change.differences.contains { difference in
                    if case .indexRemoved = difference { true } else { false }
                }
                if change.isAdditive && !removesIndexes { return nil }
                throw found.take(stored)
            }
        } catch {
            guard let stored = found.schema else { throw error }
            return try await open(make(), schema: schema(stored)) { now throws(StorageError) in
                if now != stored { throw StoredSchema.changedMeanwhile }
                return nil
            }
        }
    }
}

/// Takes a stored schema out of an opening that is given up.
///
/// Unchecked because the calls are serial: the opening fails with what this returns, and `open` returns after that.
private final class StoredSchema: @unchecked Sendable {
    private(set) var schema: StorageSchema?

    /// Keeps a schema; returns the error with which the opening should fail.
    func take(_ schema: StorageSchema) -> StorageError {
        self.schema = schema
        return StorageError(.misuse, "The schema was read.")
    }

    static var changedMeanwhile: StorageError {
        StorageError(.busy, "The store's schema was changed meanwhile; try again.")
    }
}
