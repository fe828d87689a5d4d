#if SQLite
/// Where a SQLite store lives and how it is opened.
public struct SQLiteConfiguration: Sendable, Hashable {
    /// A place for the store's file.
    public enum Location: Sendable, Hashable {
        /// A file, absolute or relative to the working directory at opening; its directory must exist.
        ///
        /// While the store is open, SQLite keeps `-wal` and `-shm` files beside it, which belong to the store.
        case file(String)
        /// A private file in the directory for temporary files, deleted when the store is closed or dropped.
        case temporary
    }

    /// Where the store lives.
    public var location: Location
    /// Connections that are kept open while there are no reads; more are opened on demand; 4 by default.
    public var maximumIdleReaders: Int
    /// How long a commit waits for a writer in another process, and a snapshot while 128 are open, before it fails with
    /// `.busy`; 5 seconds by default.
    public var busyTimeout: Duration
    /// The permissions of a file that is created, `0o600` by default; SQLite gives `-wal` and `-shm` the same.
    public var fileMode: UInt16
    /// The page cache of each connection in bytes; 16 MiB by default.
    public var cacheByteCount: Int
    /// How many bytes of the file are read through a memory map; 0, the default, means none.
    public var mmapByteCount: Int
    /// Whether an existing store is opened for reading only; `false` by default.
    public var isReadOnly: Bool
    /// How many commits a change feed can look back, at least; 1,000 by default, and 0 for no change feed.
    ///
    /// With it, a `DataStore` observes what other processes commit. Without it, commits take less time, as
    /// docs/performance.md says. The log lives in the file. Commits of handles that were opened without it, before it
    /// existed, are reported as a gap.
    ///
    /// Each commit cuts the log to the number of its own handle, or to 1,000 if that is greater: give all handles of a
    /// file the same number, also those of other processes.
    public var changeLogCommitCount: Int

    /// The size of the file in pages beyond which a commit fails with `.full`; `nil`, the default, means no limit.
    ///
    /// For tests of a full disk.
    package var maximumPageCount: Int?

    /// Frames in the write-ahead log after which it is copied into the file: 8,192 by default, which are 32 MiB.
    ///
    /// A checkpoint copies a changed page once, however often it changed. With random keys, batches of a thousand
    /// records are 2.5 times as fast as with SQLite's own 1,000 frames. Another number is for tests of the log.
    package var checkpointFrameCount = 8_192

    /// Creates a configuration; everything but the location has a default.
    public init(
        _ location: Location, maximumIdleReaders: Int = 4, busyTimeout: Duration = .seconds(5),
        fileMode: UInt16 = 0o600, cacheByteCount: Int = 16 << 20, mmapByteCount: Int = 0, isReadOnly: Bool = false,
        changeLogCommitCount: Int = 1_000
    ) {
        self.location = location
        self.maximumIdleReaders = maximumIdleReaders
        self.busyTimeout = busyTimeout
        self.fileMode = fileMode
        self.cacheByteCount = cacheByteCount
        self.mmapByteCount = mmapByteCount
        self.isReadOnly = isReadOnly
        self.changeLogCommitCount = changeLogCommitCount
    }
}
#endif
