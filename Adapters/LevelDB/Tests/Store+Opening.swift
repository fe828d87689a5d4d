#if LevelDB
import HoldfastLevelDB
import HoldfastStorage

extension Store {
    /// Opens a store in a file.
    static func open(_ path: String, _ entities: EntitySchema...) async throws -> Store {
        try await Store.open(LevelDBAdapter(path: path), schema: try StorageSchema(entities: entities))
    }

    /// Opens a store in a file of its own that goes with it.
    static func temporary(_ entities: EntitySchema...) async throws -> Store {
        try await Store.open(LevelDBAdapter(.temporary), schema: try StorageSchema(entities: entities))
    }
}
#endif
