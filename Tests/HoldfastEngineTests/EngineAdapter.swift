import Foundation
import HoldfastEngine
import HoldfastInMemory
import HoldfastLevelDB
import HoldfastModel
import HoldfastSQLite
import HoldfastStorage
import HoldfastTestSupport
import Testing

#if PostgreSQL
    import HoldfastPostgreSQL
#endif

/// The adapters on which every test of the engine runs.
enum EngineAdapter: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case minimal
    case memory
    #if SQLite
        case sqlite
    #endif
    #if LevelDB
        case leveldb
    #endif
    #if PostgreSQL
        case postgresql
    #endif

    /// Those that `HOLDFAST_ENGINE_ADAPTERS` names, separated by commas; without it those of the default build, since
    /// tests of all adapters at once keep each other waiting.
    static let all: [EngineAdapter] = {
        guard let names = ProcessInfo.processInfo.environment["HOLDFAST_ENGINE_ADAPTERS"] else {
            return allCases.filter { ["minimal", "memory", "sqlite"].contains($0.rawValue) }
        }
        return allCases.filter { names.split(separator: ",").contains($0.rawValue[...]) && $0.isAvailable }
    }()

    var testDescription: String { rawValue }

    /// Whether what the adapter needs is there; the adapter's own tests show a skip otherwise.
    private var isAvailable: Bool {
        #if PostgreSQL
            if self == .postgresql { return PostgreSQLServer.url != nil }
        #endif
        return true
    }

    /// A new adapter with an empty store of its own.
    func make() -> any StorageAdapter {
        switch self {
        case .minimal: MinimalAdapter()
        case .memory: InMemoryAdapter()
        #if SQLite
            case .sqlite: SQLiteAdapter(SQLiteConfiguration(.temporary))
        #endif
        #if LevelDB
            case .leveldb: LevelDBAdapter(.temporary)
        #endif
        #if PostgreSQL
            case .postgresql:
                PostgreSQLAdapter(
                    PostgreSQLConfiguration(
                        PostgreSQLServer.url ?? "", schema: PostgreSQLServer.makeSchema(), maximumConnectionCount: 2,
                        maximumSnapshotCount: 4, maximumIdleConnectionCount: 1, waitTimeout: .seconds(60)))
        #endif
        }
    }

    /// A data store with all models of the tests.
    func open(_ options: DataStoreOptions = DataStoreOptions()) async throws -> DataStore {
        try await make().dataStore(options)
    }
}

extension StorageAdapter {
    func dataStore(_ options: DataStoreOptions = DataStoreOptions()) async throws -> DataStore {
        try await dataStore(
            models: [Blog.self, Post.self, Sample.self, Order.self, OrderLine.self, Reading.self], options: options)
    }

    func dataStore(
        models: [any Model.Type], options: DataStoreOptions = DataStoreOptions()
    ) async throws -> DataStore {
        try await DataStore.open(self, models: models, options: options)
    }
}
