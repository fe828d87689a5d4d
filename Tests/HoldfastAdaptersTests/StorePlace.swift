import Foundation
import HoldfastInMemory
import HoldfastLevelDB
import HoldfastSQLite
import HoldfastStorage
import HoldfastTestSupport
import Testing

#if PostgreSQL
    import HoldfastPostgreSQL
#endif

/// The adapters of this build.
enum TestedAdapter: String, Sendable, CaseIterable, CustomTestStringConvertible {
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

    var testDescription: String { rawValue }

    /// Those that need nothing but this build.
    static let local = allCases.filter { $0.rawValue != "postgresql" }

    /// Those whose stores outlive their handles.
    static let lasting = local.filter { $0 != .memory }
}

/// A place for one store of an adapter, with any number of handles; what is at it goes with this object.
final class StorePlace: Sendable {
    let adapter: TestedAdapter
    let directory: String
    private let schemaName = PostgreSQLServer.makeSchema()

    init(_ adapter: TestedAdapter) throws {
        self.adapter = adapter
        directory = FileManager.default.temporaryDirectory.path + "/holdfast-adapters-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// The store's file or folder.
    var path: String { directory + "/store" }

    /// A new handle.
    func make(isReadOnly: Bool = false) -> any StorageAdapter {
        switch adapter {
        case .memory: InMemoryAdapter()
        #if SQLite
            case .sqlite: SQLiteAdapter(SQLiteConfiguration(.file(path), isReadOnly: isReadOnly))
        #endif
        #if LevelDB
            case .leveldb: LevelDBAdapter(path: path)
        #endif
        #if PostgreSQL
            case .postgresql:
                PostgreSQLAdapter(
                    PostgreSQLConfiguration(
                        PostgreSQLServer.url ?? "", schema: schemaName, maximumConnectionCount: 2,
                        maximumSnapshotCount: 8, maximumIdleConnectionCount: 1, waitTimeout: .seconds(60)))
        #endif
        }
    }

    /// As ``files()``, without what SQLite keeps beside a file while somebody reads it.
    func storeFiles() throws -> [String: Data] {
        try files().filter { !($0.key == "store-shm" || $0.key == "store-wal" && $0.value.isEmpty) }
    }

    /// Every file at the place, to see that nothing came to be and nothing was changed.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory) {
            files[name] = FileManager.default.contents(atPath: directory + "/" + name) ?? Data()
        }
        return files
    }
}

/// The error that a closure throws, or `nil`.
func storageError(_ body: () async throws -> Void) async -> StorageError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? StorageError
    }
}
