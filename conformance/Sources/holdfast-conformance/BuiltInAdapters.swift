import HoldfastConformance

#if SQLite
    import HoldfastSQLite
#endif

/// The adapters that come with Holdfast, as far as this build has them.
enum BuiltInAdapters {
    static var harnesses: [any AdapterHarness] {
        var harnesses: [any AdapterHarness] = [InMemoryHarness()]
        #if SQLite
            harnesses.append(SQLiteHarness())
        #endif
        return harnesses
    }
}
