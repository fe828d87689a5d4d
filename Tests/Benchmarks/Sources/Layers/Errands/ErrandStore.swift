import HoldfastBenchmarkSupport
import HoldfastLevelDB
import HoldfastModel
import HoldfastSQLite
import HoldfastStorage

/// A store that takes in pages of a service's errands: records, their index, and what the service says of them.
protocol ErrandStore: Sendable {
    /// Merges the newer ones of some records with the store in one commit that survives a loss of power.
    ///
    /// - Returns: How many records changed.
    func apply(_ page: ErrandPage) async throws -> Int

    /// Ends the use of the store.
    func close() async throws
}

/// A page of errands, as each layer takes it.
struct ErrandPage: Sendable {
    /// The cells of each record.
    let rows: [[Value]]
    /// The service's version of all records.
    let version: Int64
    /// The same for the engine.
    let remote: RemoteRows

    /// The page of some numbers.
    init(_ numbers: Range<Int>, version: Int) {
        rows = numbers.map { Errands.row($0, version: version) }
        self.version = Int64(version)
        remote = RemoteRows(model: Errand.modelName, rows: rows, version: Int64(version))
    }
}

/// The engine on an adapter.
struct EngineErrandStore: ErrandStore {
    private let store: RemoteStore

    init(_ adapter: any StorageAdapter) async throws {
        store = try await RemoteStore.open(adapter, models: [Errand.self])
    }

    func apply(_ page: ErrandPage) async throws -> Int { try await store.apply(page.remote) }

    func close() async throws { try await store.close() }
}

/// The back ends that a device keeps its records in.
enum DeviceAdapter: String, CaseIterable {
    case sqlite, leveldb

    /// An adapter in a directory.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - keepsLittle: Whether LevelDB has caches and buffers that are soon full; SQLite's always are.
    /// - Returns: The adapter.
    func make(in directory: String, keepsLittle: Bool = false) -> any StorageAdapter {
        switch self {
        case .sqlite: return SQLiteAdapter(path: directory + "/store.sqlite")
        case .leveldb:
            var configuration = LevelDBConfiguration(.directory(directory + "/store.leveldb"))
            if keepsLittle {
                configuration.cacheByteCount = 1 << 20
                configuration.writeBufferByteCount = 1 << 20
            }
            return LevelDBAdapter(configuration)
        }
    }

    /// The C API in a directory.
    ///
    /// SQLite's has the tables that the adapter makes, which are read from a store in another directory.
    func makeRaw(in directory: String, tablesFrom model: String) async throws -> any ErrandStore {
        switch self {
        case .sqlite:
            try await EngineErrandStore(make(in: model)).close()
            let tables = try RawDatabase(path: model + "/store.sqlite")
                .definitions(of: ["Errand", "__record_metadata", "__model_state"])
            return try RawErrandStore(path: directory + "/store.sqlite", tables: tables)
        case .leveldb: return try RawLevelDBErrandStore(path: directory + "/store.leveldb")
        }
    }
}
