#if SQLite
internal import CSQLite
internal import HoldfastStorage

extension SQLiteConnection {
    /// Opens another connection to a store.
    convenience init(path: String, configuration: SQLiteConfiguration) throws(StorageError) {
        try self.init(path: path, flags: configuration.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
        setBusyTimeout(configuration.busyTimeout)
        try configure(configuration)
    }

    /// Settings of every connection.
    func configure(_ configuration: SQLiteConfiguration) throws(StorageError) {
        try executeOnce("PRAGMA cache_size = \(-max(64, configuration.cacheByteCount / 1_024))")
        try executeOnce("PRAGMA mmap_size = \(max(0, configuration.mmapByteCount))")
        try executeOnce("PRAGMA secure_delete = OFF")
        try executeOnce("PRAGMA journal_size_limit = \(64 << 20)")
        if let limit = configuration.maximumPageCount { try executeOnce("PRAGMA max_page_count = \(limit)") }
        #if canImport(Darwin)
        try executeOnce("PRAGMA fullfsync = ON")
        try executeOnce("PRAGMA checkpoint_fullfsync = ON")
        #endif
    }
}
#endif
