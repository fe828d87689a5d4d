#if LevelDB
internal import HoldfastAdapterKit
public import HoldfastStorage

extension LevelDBAdapter {
    /// What opening found in the log.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.misuse` before ``open(_:)``.
    public var recovery: LevelDBRecovery {
        get throws(StorageError) { try store().recovery }
    }

    /// Starts a change feed, if the configuration asks for a log.
    ///
    /// - Throws: ``StorageError`` `.unsupported` without a log; `.closed`, `.misuse` before ``open(_:)``.
    public func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed {
        try store().changes(after: sequence)
    }

    /// Reads everything with its checksums, and compares records and index entries with each other.
    ///
    /// - Returns: One sentence per defect, 100 at most; empty if the store is sound.
    /// - Complexity: O(size of the store), and a lookup per index entry.
    public func verify() async throws(StorageError) -> [String] {
        let store = try store()
        return try await store.readQueue.run { () throws(StorageError) in
            let view = try store.database.view(fillsCache: false)
            return try store.database.use { handle throws(StorageError) in
                var verification = LevelDBVerification(handle, view.options, store.tables)
                return try verification.run()
            }
        }
    }

    /// Copies the store to a directory that can be opened like any other store, compacted.
    ///
    /// - Parameter destination: A path at which nothing exists.
    /// - Throws: ``StorageError`` `.io` if something exists there or it cannot be written, `.full`.
    public func backUp(to destination: String) async throws(StorageError) {
        let store = try store()
        try await store.readQueue.run { () throws(StorageError) in
            let view = try store.database.view(fillsCache: false)
            try store.database.use { handle throws(StorageError) in
                try LevelDBBackup(handle, view.options, store.configuration).run(to: destination)
            }
        }
    }

    /// Rewrites the files without what was overwritten or deleted; reads and commits go on meanwhile.
    ///
    /// LevelDB does this by itself bit by bit; worth calling after much was deleted.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.misuse` before ``open(_:)``.
    /// - Complexity: O(size of the store).
    public func compact() async throws(StorageError) {
        let store = try store()
        try await store.readQueue.run { () throws(StorageError) in
            try store.database.use { handle throws(StorageError) in handle.compact() }
        }
    }

    /// The bytes of the store's files.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.io`; `.misuse` before ``open(_:)``.
    public func byteCount() async throws(StorageError) -> Int {
        let store = try store()
        return try await store.readQueue.run { () throws(StorageError) in try store.directory.byteCount() }
    }

    /// About how many bytes of the files an entity's records and index entries take.
    ///
    /// - Returns: An estimate; what was written lately may not count yet.
    /// - Throws: ``StorageError`` `.schemaMismatch` for an unknown entity, `.closed`; `.misuse` before ``open(_:)``.
    public func byteCount(of entity: String) async throws(StorageError) -> Int {
        let store = try store()
        let table = try store.table(entity)
        return try await store.readQueue.run { () throws(StorageError) in
            try store.database.use { handle throws(StorageError) in
                ([table.prefix] + table.indexes.map(\.prefix)).reduce(0) { count, prefix in
                    let (lower, upper) = LevelDBTable.range(.all, in: prefix)
                    return count + handle.byteCount(from: lower, to: upper)
                }
            }
        }
    }

    /// Saves what can be read of a damaged store that nobody has open, and makes its indexes anew.
    ///
    /// Nothing does this by itself: opening a damaged store fails with `.corruption`. Files that cannot be used are
    /// put aside in the folder `lost` of the store, and what only they held is lost, be it single records, the last
    /// commits, or deletions, so that records may come back. LevelDB's repair reads a log without its checksums, so a
    /// text in it may have come out altered. Make a copy of the directory before.
    ///
    /// - Returns: What was found.
    /// - Throws: ``StorageError`` `.locked`; `.incompatibleStore` for what is no store; `.corruption` if not even the
    ///   catalog can be read; `.io`, `.full`.
    public static func repair(
        _ configuration: LevelDBConfiguration
    ) async throws(StorageError) -> LevelDBRepairReport {
        try await WorkQueue(label: "holdfast.leveldb.repair").run { () throws(StorageError) in
            try LevelDBRepair(configuration).run()
        }
    }
}
#endif
