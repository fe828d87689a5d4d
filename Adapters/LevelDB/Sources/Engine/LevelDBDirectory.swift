#if LevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// The store's directory: recognized by its own file, so that another program's database is never opened.
struct LevelDBDirectory: Sendable {
    /// What is at the path.
    enum Content: Sendable, Hashable {
        /// Nothing, an empty directory, or a store whose creation was interrupted.
        case nothing
        /// A store of this format, or of an earlier one.
        case store(isOfEarlierFormat: Bool)
    }

    let path: String
    private let isTemporary: Bool
    private static let markName = "HOLDFAST"
    /// What the mark says; a store with a greater number is refused.
    ///
    /// In 1, values had the texts of their keys; both are read.
    private static let formatVersion = 2

    /// Chooses the path of a location, and creates the directory of a temporary one.
    init(_ location: LevelDBConfiguration.Location) throws(StorageError) {
        switch location {
        case .directory(let path):
            self.path = try StorePath.absolute(path)
            isTemporary = false
        case .temporary:
            path = try StorePath.temporaryDirectory()
            isTemporary = true
        }
    }

    /// Looks at the directory without changing anything.
    ///
    /// - Throws: ``StorageError`` `.incompatibleStore` if something else is there, or a newer store; `.corruption`
    ///   if the file is missing without which LevelDB would begin again.
    func content() throws(StorageError) -> Content {
        switch try LevelDBSystem.kind(of: path) {
        case .nothing: return .nothing
        case .other: throw Self.foreign()
        case .directory: break
        }
        let names = Set(try LevelDBSystem.names(in: path))
        if names.subtracting([Self.markName + LevelDBSystem.newSuffix]).isEmpty { return .nothing }
        guard names.contains(Self.markName) else { throw Self.foreign() }
        let version = try markedVersion()
        if names.contains("CURRENT") { return .store(isOfEarlierFormat: version < Self.formatVersion) }
        if names.contains(where: { $0.hasSuffix(".ldb") || $0.hasSuffix(".sst") }) {
            throw StorageError(
                .corruption,
                "The file CURRENT of the store is missing; restore the store from a copy, or repair it.")
        }
        return .nothing
    }

    /// The number that the mark has; 0 if it was not written to its end.
    private func markedVersion() throws(StorageError) -> Int {
        var text = ""
        try LevelDBSystem.read(path + "/" + Self.markName, blockByteCount: 256) { block in
            text = String(decoding: block, as: UTF8.self)
            return false
        }
        let words = text.split(whereSeparator: \.isWhitespace)
        // An empty mark belongs to a store that was never created.
        if words.isEmpty { return 0 }
        guard words.count == 2, words[0] == "holdfast-leveldb", let version = Int(words[1]) else {
            throw Self.foreign()
        }
        if version > Self.formatVersion { throw StorageError.newerFormat(version) }
        return version
    }

    private static func foreign() -> StorageError {
        StorageError(
            .incompatibleStore,
            "What is at the path is not a Holdfast store; choose another path. It was left as it was.")
    }

    /// Creates the directory and marks it.
    func create(mode: UInt16) throws(StorageError) {
        try LevelDBSystem.createDirectory(path, mode: mode)
        try mark()
    }

    /// Marks the directory as a store of this format.
    func mark() throws(StorageError) {
        try LevelDBSystem.write("holdfast-leveldb \(Self.formatVersion)\n", to: path + "/" + Self.markName)
        try LevelDBSystem.sync(path)
    }

    // MARK: Logs

    /// The logs with their numbers, the newest last.
    private func logs() throws(StorageError) -> [(number: UInt64, path: String)] {
        try LevelDBSystem.names(in: path).compactMap { name in
            guard name.hasSuffix(".log"), let number = UInt64(name.dropLast(4)) else { return nil }
            return (number, path + "/" + name)
        }.sorted { $0.number < $1.number }
    }

    /// The number of the log that LevelDB writes to; 0 if there is none.
    func newestLog() throws(StorageError) -> UInt64 { try logs().last?.number ?? 0 }

    /// Has the device keep the names of all files and the content of all logs but the newest.
    func syncLogs() throws(StorageError) {
        for log in try logs().dropLast() { try LevelDBSystem.sync(log.path) }
        try LevelDBSystem.sync(path)
    }

    /// Gets the logs of a store that is not open ready for LevelDB; see ``LevelDBLogCheck``.
    ///
    /// - Throws: ``StorageError`` `.locked` if another process has it open, `.corruption`, `.io`.
    func recover() throws(StorageError) -> LevelDBRecovery {
        try LevelDBSystem.withLock(path + "/LOCK") { () throws(StorageError) in
            let manifest = try LevelDBManifest(in: path)
            var check = LevelDBLogCheck(firstChange: manifest.lastChange + 1)
            for log in try logs() where manifest.needs(log.number) { try check.read(log.path) }
            return try check.cut()
        }
    }

    // MARK: Files

    /// The bytes of all files.
    func byteCount() throws(StorageError) -> Int {
        try LevelDBSystem.names(in: path).reduce(0) { $0 + LevelDBSystem.byteCount(of: path + "/" + $1) }
    }

    /// The number of files that a repair moved to the directory `lost`.
    func lostFileCount() -> Int { (try? LevelDBSystem.names(in: path + "/lost").count) ?? 0 }

    /// Deletes a temporary store.
    func deleteIfTemporary() {
        if isTemporary { LevelDBSystem.deleteDirectory(path) }
    }
}
#endif
