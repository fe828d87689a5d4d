#if LevelDB
internal import HoldfastAdapterKit
public import HoldfastStorage

extension LevelDBAdapter {
    /// What opening found in the log.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.misuse` before the store is open.
    public var recovery: LevelDBRecovery {
        get throws(StorageError) { try base.withEngine { $0.recovery } }
    }

    /// Rewrites the files without what was overwritten or deleted; reads and commits continue meanwhile.
    ///
    /// LevelDB does this by itself bit by bit; worth calling after much was deleted.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.misuse` before the store is open.
    /// - Complexity: O(size of the store).
    public func compact() async throws(StorageError) {
        try await base.run { $0.compact() }
    }

    /// The bytes of the store's files.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.io`; `.misuse` before the store is open.
    public func byteCount() async throws(StorageError) -> Int {
        try await base.run { engine throws(StorageError) in try engine.directory.byteCount() }
    }

    /// About how many bytes of the files an entity's records and index entries take.
    ///
    /// - Returns: An estimate; what was written lately may not count yet.
    /// - Throws: ``StorageError`` `.schemaMismatch` for an unknown entity, `.closed`; `.misuse` before the store is
    ///   open.
    public func byteCount(of entity: String) async throws(StorageError) -> Int {
        let ranges = try base.keyRanges(of: entity)
        return try await base.run { engine in ranges.reduce(0) { $0 + engine.byteCount($1) } }
    }

    /// Saves what can be read of a damaged store that is not open, and makes its indexes again.
    ///
    /// This never happens automatically: opening a damaged store fails with `.corruption`. Files that cannot be used
    /// are moved to the directory `lost` of the store, and what only they held is lost: single records, the last
    /// commits, or deletions, so that records may come back. LevelDB's repair reads a log without its checksums, so a
    /// text in it may have come out altered. Make a copy of the directory before.
    ///
    /// - Returns: What was found.
    /// - Throws: ``StorageError`` `.locked`; `.incompatibleStore` for what is not a store; `.corruption` if not even
    ///   the catalog can be read; `.io`, `.full`.
    public static func repair(
        _ configuration: LevelDBConfiguration
    ) async throws(StorageError) -> LevelDBRepairReport {
        try await WorkQueue(label: "holdfast.leveldb.repair").run { () throws(StorageError) in
            try LevelDBRepair(configuration).run()
        }
    }
}
#endif
