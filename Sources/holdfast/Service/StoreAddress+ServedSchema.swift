#if CLI && Server
import HoldfastGraphQL
import HoldfastSchema
import HoldfastServer
import HoldfastStorage

extension StoreAddress {
    /// Checks that the store was served with a schema, since a service makes what the store lacks.
    ///
    /// - Parameters:
    ///   - schema: The annotated schema. It need not have all that the store has.
    ///   - advice: What to do if the store lacks something.
    /// - Throws: `SchemaError` with the problems of the schema; `StorageError` `.incompatibleStore` if there is no
    ///   store, `.schemaMismatch` if it lacks something, or as `Store.openAsStored`.
    func requireServed(with schema: [Source], advice: String) async throws {
        let store = try await Store.openAsStored { try makeAdapter(isReadOnly: true) }
        let stored = store.schema
        try await store.close()
        // What is stored is the same for all modes.
        let served = try ServerSchema(sources: schema, defaultMode: .apiKey, stored: stored)
        // What the service keeps for itself is not in the schema, and another version of it may keep more.
        let differences = SchemaChange(from: stored, to: served.storage).differences
            .filter { served.model($0.entity) != nil }
        guard differences.isEmpty else {
            throw StorageError(
                .schemaMismatch,
                "The store was not served with this schema: " + differences.map(\.description).joined(separator: "; ")
                    + ". " + advice)
        }
    }
}
#endif
