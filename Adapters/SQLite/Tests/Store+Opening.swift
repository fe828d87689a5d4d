#if SQLite
import HoldfastSQLite
import HoldfastStorage

extension Store {
    /// Opens a store in a file.
    static func open(_ path: String, _ entities: EntitySchema...) async throws -> Store {
        try await Store.open(SQLiteAdapter(path: path), schema: try StorageSchema(entities: entities))
    }

    /// Opens a store in a file of its own that goes with it.
    static func temporary(_ entities: EntitySchema...) async throws -> Store {
        try await Store.open(SQLiteAdapter(.temporary), schema: try StorageSchema(entities: entities))
    }
}
#endif
