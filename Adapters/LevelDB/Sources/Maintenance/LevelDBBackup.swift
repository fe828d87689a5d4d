#if LevelDB
internal import HoldfastStorage

/// Copies the keys and values of a view into a new database.
struct LevelDBBackup {
    private let handle: LevelDBConnection
    private let options: LevelDBReadOptions
    private let configuration: LevelDBConfiguration
    private static let batchByteCount = 1 << 20

    init(_ handle: LevelDBConnection, _ options: LevelDBReadOptions, _ configuration: LevelDBConfiguration) {
        self.handle = handle
        self.options = options
        self.configuration = configuration
    }

    func run(to destination: String) throws(StorageError) {
        // Checks the path too.
        let target = try LevelDBDirectory(.directory(destination))
        if LevelDBSystem.exists(target.path) {
            throw StorageError(.io, "Something exists at the destination already; choose another.")
        }
        // Written under another name first, so that a copy that fails or is cut short is never taken for one.
        let partial = try LevelDBDirectory(.directory(target.path + ".partial"))
        if LevelDBSystem.exists(partial.path) { LevelDBSystem.deleteDirectory(partial.path) }
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
        let copy = try LevelDBConnection(path: directory.path, configuration, creates: true)
        let writer = LevelDBWriter(copy, directory)
        let batch = LevelDBBatch()
        let place = handle.iterator(options)
        place.seekToFirst()
        while place.isValid {
            batch.put(place.key, place.value)
            try writer.flush(batch, over: Self.batchByteCount)
            place.next()
        }
        try place.check()
        try writer.write(batch, isSynced: true)
        copy.compact()
    }
}
#endif
