#if LevelDB
public import HoldfastAdapterKit
internal import HoldfastStorage

/// Keeps a store in a LevelDB database, a directory that one process at a time has open.
///
/// Records, indexes, commits, and migrations are those of ``HoldfastAdapterKit/KeyValueAdapter``. Snapshots are
/// LevelDB's own: they cost nothing and never wait. After an `.io` or `.full` with an unknown outcome every commit
/// fails until the store is opened again, since LevelDB cannot say what of the write is in its log. Opening also
/// fails with `.locked` if the store is open already, here or in another process. `Adapters/LevelDB/README.md`
/// describes what is in the database.
///
/// ```swift
/// let store = try await Store.open(LevelDBAdapter(path: "app.leveldb"), schema: schema)
/// ```
public final class LevelDBAdapter: KeyValueBackedAdapter {
    /// How the store is opened.
    public let configuration: LevelDBConfiguration
    /// What keeps records in the database.
    public let base: KeyValueAdapter<LevelDBEngine>

    /// Creates an adapter; nothing is touched before it is opened.
    public init(_ configuration: LevelDBConfiguration) {
        self.configuration = configuration
        base = KeyValueAdapter(
            capabilities: .levelDB, mark: nil, changeLogCommitCount: configuration.changeLogCommitCount
        ) { request throws(StorageError) in
            try LevelDBEngine(configuration, creates: request.createsStore)
        }
    }

    /// Creates an adapter for a place, everything else as usual.
    public convenience init(_ location: LevelDBConfiguration.Location) {
        self.init(LevelDBConfiguration(location))
    }

    /// Creates an adapter for a directory, everything else as usual.
    ///
    /// - Parameter path: Absolute or relative to the working directory at opening; its parent must exist.
    public convenience init(path: String) {
        self.init(.directory(path))
    }
}
#else
/// Not in this build: enable the trait `LevelDB` of the package `holdfast` to use it.
@available(*, unavailable, message: "Enable the trait 'LevelDB' of the package 'holdfast'.")
public enum LevelDBAdapter {}

/// Not in this build: enable the trait `LevelDB` of the package `holdfast` to use it.
@available(*, unavailable, message: "Enable the trait 'LevelDB' of the package 'holdfast'.")
public enum LevelDBConfiguration {}
#endif
