public import HoldfastStorage
import Synchronization

extension Store {
    /// Opens a store with the schema it was written with, whatever that is; nothing is created or changed.
    ///
    /// The fields' types are those of their storage: an `AWSEmail` is found as `String`. An unfinished copy can be
    /// opened in this way, too; ``StorageSchema/isUnfinishedCopy`` of its schema tells.
    ///
    /// - Parameter make: A new handle, not yet opened, that may only read where the back end has such; called twice.
    /// - Throws: ``StorageError`` `.incompatibleStore` if there is no store; as ``StorageAdapter/open(_:)`` otherwise;
    ///   what `make` throws.
    @concurrent public static func openAsStored(
        _ make: @Sendable () throws -> any StorageAdapter
    ) async throws -> Store {
        let found = StoredSchema()
        // Every store that is not empty differs from this schema, so the adapter asks what to do about it.
        let empty = try StorageSchema(entities: [])
        let first = try make()
        do {
            try await first.open(
                OpenRequest(schema: empty, createsStore: false) { stored throws(StorageError) in
                    found.set(stored)
                    throw StorageError(.misuse, "The schema was read.")
                })
            return Store(opened: first, schema: empty)
        } catch {
            guard let stored = found.schema else { throw error }
            let adapter = try make()
            try await adapter.open(
                OpenRequest(schema: stored, createsStore: false) { _ throws(StorageError) in
                    throw StorageError(.busy, "The store's schema was changed meanwhile; try again.")
                })
            return Store(opened: adapter, schema: stored)
        }
    }
}

/// Takes a stored schema out of an opening that is given up.
private final class StoredSchema: Sendable {
    private let found = Mutex<StorageSchema?>(nil)

    var schema: StorageSchema? { found.withLock { $0 } }

    func set(_ schema: StorageSchema) { found.withLock { $0 = schema } }
}
