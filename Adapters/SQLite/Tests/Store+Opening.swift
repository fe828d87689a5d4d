#if SQLite
import HoldfastSQLite
import HoldfastStorage

extension Store {
    /// Opens a store in a file, and waits as long as it takes for others that have it open.
    static func open(_ path: String, _ entities: EntitySchema...) async throws -> Store {
        let configuration = SQLiteConfiguration(.file(path), busyTimeout: .seconds(600))
        return try await Store.open(SQLiteAdapter(configuration), schema: try StorageSchema(entities: entities))
    }

    /// Opens a store in a file of its own that goes with it.
    static func temporary(_ entities: EntitySchema...) async throws -> Store {
        try await Store.open(SQLiteAdapter(.temporary), schema: try StorageSchema(entities: entities))
    }
}
#endif
