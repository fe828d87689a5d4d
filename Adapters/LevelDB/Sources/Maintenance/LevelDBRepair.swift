#if LevelDB
internal import CLevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// What a repair found and did.
public struct LevelDBRepairReport: Sendable, Hashable {
    /// Records that the store holds now.
    public var recordCount = 0
    /// Records that were dropped because they could not be read.
    public var droppedRecordCount = 0
    /// Files that are in the directory `lost` of the store now; whole logs are among them after any repair.
    public var lostFileCount = 0
    /// One sentence per unique index that has records with equal values now.
    public var conflicts: [String] = []

    /// Creates an empty report.
    public init() {}
}

/// Has LevelDB save what it can, then makes all indexes again from the records.
struct LevelDBRepair {
    private let configuration: LevelDBConfiguration
    private let directory: LevelDBDirectory

    init(_ configuration: LevelDBConfiguration) throws(StorageError) {
        self.configuration = configuration
        directory = try LevelDBDirectory(configuration.location)
    }

    func run() throws(StorageError) -> LevelDBRepairReport {
        try requireUnused()
        try repairFiles()
        let engine = try LevelDBEngine(directory, configuration, creates: false, checksLog: false)
        defer { engine.close() }
        let rebuild = try KeyValueRebuild(engine)
        var report = LevelDBRepairReport()
        report.recordCount = rebuild.recordCount
        report.droppedRecordCount = rebuild.droppedRecordCount
        report.lostFileCount = directory.lostFileCount()
        report.conflicts = rebuild.conflicts
        return report
    }

    /// Fails unless there is a store that is not open; LevelDB's own repair does not look.
    private func requireUnused() throws(StorageError) {
        do throws(StorageError) {
            if try directory.content() == .nothing {
                throw StorageError(.incompatibleStore, "There is no store at the path.")
            }
            _ = try LevelDBConnection(path: directory.path, configuration, creates: false) {
                () throws(StorageError) in _ = try directory.recover()
            }
        } catch  where error.kind == .corruption || error.kind == .io {
            // This is what the repair is for.
        }
    }

    private func repairFiles() throws(StorageError) {
        let options = leveldb_options_create()
        defer { leveldb_options_destroy(options) }
        var message: UnsafeMutablePointer<CChar>?
        leveldb_repair_db(options, directory.path, &message)
        if let error = LevelDBErrorMapping.take(message) { throw error }
    }
}
#endif
