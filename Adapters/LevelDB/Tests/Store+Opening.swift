#if LevelDB
import HoldfastLevelDB
import HoldfastStorage

extension Store {
    /// Opens a store in a directory.
    static func open(_ path: String, _ entities: EntitySchema...) async throws -> Store {
        try await Store.open(LevelDBAdapter(path: path), schema: try StorageSchema(entities: entities))
    }

    /// Opens a store in a directory of its own, which is deleted with it.
    static func temporary(_ entities: EntitySchema...) async throws -> Store {
        try await Store.open(LevelDBAdapter(.temporary), schema: try StorageSchema(entities: entities))
    }
}
#endif
