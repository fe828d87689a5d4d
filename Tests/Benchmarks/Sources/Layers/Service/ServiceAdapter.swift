import Foundation
import HoldfastLevelDB
import HoldfastPostgreSQL
import HoldfastSQLite
import HoldfastStorage

/// The back ends that a service keeps its records in.
enum ServiceAdapter: String, CaseIterable {
    case sqlite, leveldb, postgresql

    /// Makes adapters of one store.
    ///
    /// - Parameters:
    ///   - directory: Where the store is, or what names it.
    ///   - commitCount: How many commits a change log keeps, as `holdfast serve` has one on SQLite and PostgreSQL; 0
    ///     for no log.
    /// - Returns: What makes a handle on the store.
    func maker(_ directory: String, commitCount: Int = 0) -> @Sendable () throws -> any StorageAdapter {
        switch self {
        case .sqlite:
            let path = directory + "/service.sqlite"
            return { SQLiteAdapter(SQLiteConfiguration(.file(path), changeLogCommitCount: commitCount)) }
        case .leveldb: return { LevelDBAdapter(path: directory + "/service.leveldb") }
        case .postgresql:
            let schema = Self.postgreSQLSchema(directory)
            return {
                PostgreSQLAdapter(
                    PostgreSQLConfiguration(Self.postgreSQLAddress, schema: schema, changeLogCommitCount: commitCount))
            }
        }
    }

    /// Where the server is.
    static var postgreSQLAddress: String { ProcessInfo.processInfo.environment["HOLDFAST_POSTGRESQL_URL"] ?? "" }

    /// The schema of the store of a directory.
    static func postgreSQLSchema(_ directory: String) -> String {
        "service_" + directory.lowercased().filter { $0.isLetter || $0.isNumber }.suffix(40)
    }
}
