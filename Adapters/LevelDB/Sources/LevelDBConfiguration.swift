#if LevelDB
/// Where a LevelDB store lives and how it is opened.
public struct LevelDBConfiguration: Sendable, Hashable {
    /// A place for the store's directory.
    public enum Location: Sendable, Hashable {
        /// A directory of the store's own, absolute or relative to the working directory at opening.
        ///
        /// Its parent must exist.
        case directory(String)
        /// A private directory among the temporary files, deleted when the store is closed or dropped.
        case temporary
    }

    /// How blocks of the files are compressed.
    public enum Compression: Sendable, Hashable {
        /// By Snappy.
        case snappy
        /// Not at all.
        case none
    }

    /// Where the store lives.
    public var location: Location
    /// The permissions of a directory that is created, which protect the files in it; `0o700` by default.
    public var directoryMode: UInt16
    /// Memory for blocks that were read, uncompressed, in bytes; 32 MiB by default.
    public var cacheByteCount: Int
    /// Memory for what was written and is in the log only, in bytes; 16 MiB by default.
    ///
    /// For a time, up to twice as much is used. After a crash, this much of the log is read again.
    public var writeBufferByteCount: Int
    /// Bits of the Bloom filter for each key, by which most lookups of absent records read no file; 0 for none;
    /// 10 by default; about 1 in 100 such lookups then still reads a file.
    public var bloomBitsPerKey: Int
    /// How blocks are compressed; `.snappy` by default.
    public var compression: Compression
    /// Files that are kept open; 500 by default.
    public var maximumOpenFileCount: Int
    /// How many commits ``LevelDBAdapter/changes(after:)`` can look back; 0, the default, for no change feed.
    ///
    /// With a feed every commit writes one more small entry, in the same batch.
    public var changeLogCommitCount: Int

    /// Creates a configuration; everything but the location has a default.
    public init(
        _ location: Location, directoryMode: UInt16 = 0o700, cacheByteCount: Int = 32 << 20,
        writeBufferByteCount: Int = 16 << 20, bloomBitsPerKey: Int = 10, compression: Compression = .snappy,
        maximumOpenFileCount: Int = 500, changeLogCommitCount: Int = 0
    ) {
        self.location = location
        self.directoryMode = directoryMode
        self.cacheByteCount = cacheByteCount
        self.writeBufferByteCount = writeBufferByteCount
        self.bloomBitsPerKey = bloomBitsPerKey
        self.compression = compression
        self.maximumOpenFileCount = maximumOpenFileCount
        self.changeLogCommitCount = changeLogCommitCount
    }
}
#endif
