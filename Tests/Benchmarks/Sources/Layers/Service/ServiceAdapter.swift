import Foundation
import HoldfastLevelDB
import HoldfastPostgreSQL
import HoldfastSQLite
import HoldfastStorage

/// The back ends that a service keeps its records in.
enum ServiceAdapter: String, CaseIterable {
    case sqlite, leveldb, postgresql

    /// Makes adapters of one store.
    func maker(_ directory: String) -> @Sendable () throws -> any StorageAdapter {
        switch self {
        case .sqlite: return { SQLiteAdapter(path: directory + "/service.sqlite") }
        case .leveldb: return { LevelDBAdapter(path: directory + "/service.leveldb") }
        case .postgresql:
            let schema = Self.postgreSQLSchema(directory)
            return { PostgreSQLAdapter(PostgreSQLConfiguration(Self.postgreSQLAddress, schema: schema)) }
        }
    }

    /// Where the server is.
    static var postgreSQLAddress: String { ProcessInfo.processInfo.environment["HOLDFAST_POSTGRESQL_URL"] ?? "" }

    /// The schema of the store of a directory.
    static func postgreSQLSchema(_ directory: String) -> String {
        "service_" + directory.lowercased().filter { $0.isLetter || $0.isNumber }.suffix(40)
    }
}
