import HoldfastConformance

/// The adapters that come with Holdfast, as far as this build has them.
enum BuiltInAdapters {
    static var harnesses: [any AdapterHarness] {
        var harnesses: [any AdapterHarness] = [InMemoryHarness()]
        #if SQLite
        harnesses.append(SQLiteHarness())
        #endif
        #if LevelDB
        harnesses.append(LevelDBHarness())
        #endif
        #if PostgreSQL
        if let postgreSQL = PostgreSQLHarness() { harnesses.append(postgreSQL) }
        #endif
        return harnesses
    }
}
