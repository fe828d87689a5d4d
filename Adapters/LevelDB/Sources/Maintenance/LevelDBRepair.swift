#if LevelDB
internal import CLevelDB
internal import HoldfastStorage

/// What a repair found and did.
public struct LevelDBRepairReport: Sendable, Hashable {
    /// Records that the store holds now.
    public var recordCount = 0
    /// Records that were dropped because they could not be read.
    public var droppedRecordCount = 0
    /// Files that stand in the folder `lost` of the store now; whole logs are among them after any repair.
    public var lostFileCount = 0
    /// One sentence per unique index that has records with equal values now.
    public var conflicts: [String] = []

    /// Creates an empty report.
    public init() {}
}

/// Has LevelDB save what it can, then makes all indexes anew from the records.
struct LevelDBRepair {
    private let configuration: LevelDBConfiguration
    private let directory: LevelDBDirectory
    private static let batchByteCount = 1 << 20

    init(_ configuration: LevelDBConfiguration) throws(StorageError) {
        self.configuration = configuration
        directory = try LevelDBDirectory(configuration.location)
    }

    func run() throws(StorageError) -> LevelDBRepairReport {
        try requireUnused()
        try repairFiles()
        let handle = try LevelDBConnection(path: directory.path, configuration, creates: false)
        guard let catalog = try LevelDBOpening.catalog(of: handle) else {
            throw StorageError(.corruption, "Nothing can be saved of the store; restore it from a copy.")
        }
        let writer = LevelDBWriter(handle, directory)
        var report = LevelDBRepairReport()
        report.lostFileCount = directory.lostFileCount()
        var sequence = try LevelDBOpening.sequence(of: handle, .latest)
        for table in try catalog.tables(try catalog.schema()).values {
            for index in table.indexes { try deleteEntries(of: index, writer) }
            sequence = max(sequence, try rebuild(table, writer, &report))
        }
        let batch = LevelDBBatch()
        // What is lost was told by no commit.
        try LevelDBChangeLog.forget(handle, batch)
        try writer.write(batch, sequence: sequence, isSynced: true)
        return report
    }

    /// Fails unless there is a store that nobody has open; LevelDB's own repair does not look.
    private func requireUnused() throws(StorageError) {
        do throws(StorageError) {
            guard try directory.content() == .store else {
                throw StorageError(.incompatibleStore, "There is no store at the path.")
            }
            _ = try LevelDBConnection(path: directory.path, configuration, creates: false) {
                () throws(StorageError) in _ = try directory.recover()
            }
        } catch  where error.kind == .corruption || error.kind == .io {
            // What is to be repaired.
        }
    }

    private func repairFiles() throws(StorageError) {
        let options = leveldb_options_create()
        defer { leveldb_options_destroy(options) }
        var message: UnsafeMutablePointer<CChar>?
        leveldb_repair_db(options, directory.path, &message)
        if let error = LevelDBErrorMapping.take(message) { throw error }
    }

    private func deleteEntries(of index: LevelDBTable.Index, _ writer: LevelDBWriter) throws(StorageError) {
        let batch = LevelDBBatch()
        let place = writer.handle.iterator(LevelDBReadOptions(fillsCache: false))
        place.seek(index.prefix)
        while place.isValid && place.key.starts(with: index.prefix) {
            batch.delete(place.key)
            try writer.flush(batch, over: Self.batchByteCount)
            place.next()
        }
        try place.check()
        try writer.flush(batch, over: 0)
    }

    /// Writes the entries of all records and drops those that cannot be read; returns the greatest version.
    private func rebuild(
        _ table: LevelDBTable, _ writer: LevelDBWriter, _ report: inout LevelDBRepairReport
    ) throws(StorageError) -> UInt64 {
        var change = LevelDBCommit(writer.handle)
        var greatest: UInt64 = 0
        var cells: [Value] = []
        var conflicts: Set<String> = []
        let place = writer.handle.iterator(LevelDBReadOptions(fillsCache: false))
        place.seek(table.prefix)
        while place.isValid && place.key.starts(with: table.prefix) {
            do throws(StorageError) {
                greatest = max(greatest, try table.read(place.value, into: &cells))
                report.recordCount += 1
            } catch {
                change.batch.delete(place.key)
                report.droppedRecordCount += 1
                place.next()
                continue
            }
            conflicts.formUnion(try addEntries(cells, table, &change))
            if change.batch.byteCount > Self.batchByteCount {
                try writer.write(change.batch, isSynced: false)
                change = LevelDBCommit(writer.handle)
            }
            place.next()
        }
        try place.check()
        try writer.write(change.batch, isSynced: false)
        report.conflicts += conflicts.sorted()
        return greatest
    }

    /// Writes the entries of a record; returns what it has in common with others and should not.
    private func addEntries(
        _ cells: [Value], _ table: LevelDBTable, _ change: inout LevelDBCommit
    ) throws(StorageError) -> [String] {
        let outcome = cells.withUnsafeBufferPointer { row -> Result<[String], StorageError> in
            do throws(StorageError) {
                var conflicts: [String] = []
                for index in table.indexes where try !change.addEntry(row, to: index, in: table) {
                    conflicts.append(
                        "Records of '\(table.entity.name)' have equal values in unique index '\(index.schema.name)'."
                    )
                }
                return .success(conflicts)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}
#endif
