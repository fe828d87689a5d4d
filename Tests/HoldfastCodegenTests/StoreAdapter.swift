import HoldfastInMemory
import HoldfastLevelDB
import HoldfastSQLite
import HoldfastStorage
import HoldfastTestSupport
import Testing

#if PostgreSQL
    import HoldfastPostgreSQL
#endif

/// The adapters through which the models of the golden schemas go.
struct StoreAdapter: Sendable, CustomTestStringConvertible {
    let name: String
    /// A new adapter with an empty store of its own.
    let make: @Sendable () -> any StorageAdapter

    var testDescription: String { name }

    /// One line for each adapter.
    static let all: [StoreAdapter] = {
        var all = [StoreAdapter(name: "memory") { InMemoryAdapter() }]
        #if SQLite
            all.append(StoreAdapter(name: "sqlite") { SQLiteAdapter(SQLiteConfiguration(.temporary)) })
        #endif
        #if LevelDB
            all.append(StoreAdapter(name: "leveldb") { LevelDBAdapter(.temporary) })
        #endif
        #if PostgreSQL
            if let url = PostgreSQLServer.url {
                all.append(
                    StoreAdapter(name: "postgresql") {
                        PostgreSQLAdapter(PostgreSQLConfiguration(url, schema: PostgreSQLServer.makeSchema()))
                    })
            }
        #endif
        return all
    }()
}
