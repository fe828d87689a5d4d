#if LevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// What LevelDB's manifest says of the logs.
struct LevelDBManifest {
    /// Logs with smaller numbers are in the files already.
    private(set) var firstLog: UInt64 = 0
    /// A log beside them that is not in the files yet; 0 for none.
    private var olderLog: UInt64 = 0
    /// The number of the last change that was in the files, or later.
    private(set) var lastChange: UInt64 = 0

    /// Reads the manifest that is in use.
    ///
    /// What of it cannot be read is left to LevelDB, which refuses to open it.
    init(in directory: String) throws(StorageError) {
        var name = ""
        try LevelDBSystem.read(directory + "/CURRENT", blockByteCount: 256) { block in
            name = String(decoding: block, as: UTF8.self)
            return false
        }
        guard name.hasPrefix("MANIFEST-"), name.hasSuffix("\n") else { return }
        let path = directory + "/" + name.dropLast()
        guard LevelDBSystem.exists(path) else { return }
        var read = self
        try LevelDBLogReader.read(path) { piece in
            if case .whole(let edit, _) = piece { try? read.apply(edit) }
        }
        self = read
    }

    /// Whether a log has changes that are not in the files yet.
    func needs(_ log: UInt64) -> Bool { log >= firstLog || log == olderLog }

    private mutating func apply(_ edit: UnsafeRawBufferPointer) throws(StorageError) {
        var reader = KeyValueCellReader(edit)
        while !reader.isAtEnd {
            switch try reader.unsigned() {
            case 1: try reader.skip(try reader.unsigned())
            case 2: firstLog = try reader.unsigned()
            case 3: _ = try reader.unsigned()
            case 4: lastChange = try reader.unsigned()
            case 5:
                _ = try reader.unsigned()
                try reader.skip(try reader.unsigned())
            case 6: for _ in 0..<2 { _ = try reader.unsigned() }
            case 7:
                for _ in 0..<3 { _ = try reader.unsigned() }
                for _ in 0..<2 { try reader.skip(try reader.unsigned()) }
            case 9: olderLog = try reader.unsigned()
            default: return
            }
        }
    }
}
#endif
