#if LevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Copies the keys and values of a view into a new database.
struct LevelDBBackup {
    private let view: any KeyValueView
    private let configuration: LevelDBConfiguration
    private static let batchByteCount = 1 << 20

    init(_ view: any KeyValueView, _ configuration: LevelDBConfiguration) {
        self.view = view
        self.configuration = configuration
    }

    func run(to destination: String) throws(StorageError) {
        // Checks the path too.
        let target = try LevelDBDirectory(.directory(destination))
        if LevelDBSystem.exists(target.path) { throw StorageError.existingDestination() }
        let partial = try LevelDBDirectory(.directory(BackupPath.partial(of: target.path)))
        do {
            try partial.create(mode: configuration.directoryMode)
            try copy(to: partial)
            try LevelDBSystem.move(partial.path, to: target.path)
        } catch {
            LevelDBSystem.deleteDirectory(partial.path)
            throw error
        }
    }

    private func copy(to directory: LevelDBDirectory) throws(StorageError) {
        let copy = try LevelDBEngine(directory, configuration, creates: true, checksLog: false)
        defer { copy.close() }
        var batch = KeyValueBatch()
        try view.scan(.all, isReversed: false) { (key, value) throws(StorageError) in
            // Without what the engine adds to it, since the engine adds that again.
            batch.put(key, key.elementsEqual(KeyValueCatalog.sequenceKey) ? value.prefix(8) : value[...])
            if batch.byteCount > Self.batchByteCount {
                try copy.write(batch, isSynced: false)
                batch = KeyValueBatch()
            }
            return true
        }
        try copy.write(batch, isSynced: true)
        copy.compact()
    }
}
#endif
