import HoldfastInMemory
package import HoldfastStorage
import HoldfastTestSupport
import Testing

#if SQLite
import HoldfastSQLite
#endif
#if LevelDB
import HoldfastLevelDB
#endif
#if PostgreSQL
import HoldfastPostgreSQL
#endif

/// The adapters of this build.
package enum TestedAdapter: String, Sendable, CaseIterable, CustomTestStringConvertible {
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

    /// Those that come with Holdfast.
    package static let shipped = allCases.filter { $0 != .minimal }

    /// Those of them whose needs are met: PostgreSQL only where a server is named.
    package static let available = shipped.filter(\.isAvailable)

    /// Those of them that need only this build.
    package static let local = shipped.filter { $0.rawValue != "postgresql" }

    /// Those of these whose stores outlive their handles.
    package static let lasting = local.filter { $0 != .memory }

    package var testDescription: String { rawValue }

    /// Whether what the adapter needs is there; the adapter's own tests show a skip otherwise.
    package var isAvailable: Bool { rawValue != "postgresql" || PostgreSQLServer.url != nil }

    /// Whether the sequence of a store grows by one with each of its commits and with nothing else.
    ///
    /// A PostgreSQL server numbers the commits of all stores, which tests make beside each other.
    package var countsOwnCommits: Bool { rawValue != "postgresql" }

    /// A new handle on the store at a place.
    ///
    /// - Parameters:
    ///   - path: The store's file or directory; without one, the store is new and goes with the handle.
    ///   - schema: PostgreSQL's place; without one, the store is new.
    ///   - isReadOnly: Whether SQLite may not write; false by default.
    /// - Returns: An adapter of this kind; ``minimal`` and ``memory`` use none of the parameters.
    package func make(
        at path: String? = nil, schema: String = PostgreSQLServer.makeSchema(), isReadOnly: Bool = false
    ) -> any StorageAdapter {
        switch self {
        case .minimal: MinimalAdapter()
        case .memory: InMemoryAdapter()
        #if SQLite
        case .sqlite:
            SQLiteAdapter(SQLiteConfiguration(path.map { .file($0) } ?? .temporary, isReadOnly: isReadOnly))
        #endif
        #if LevelDB
        case .leveldb: LevelDBAdapter(path.map { .directory($0) } ?? .temporary)
        #endif
        #if PostgreSQL
        case .postgresql:
            PostgreSQLAdapter(
                PostgreSQLConfiguration(
                    PostgreSQLServer.url ?? "", schema: schema, maximumConnectionCount: 2,
                    maximumSnapshotCount: 8, maximumIdleConnectionCount: 1, waitTimeout: .seconds(600)))
        #endif
        }
    }
}
