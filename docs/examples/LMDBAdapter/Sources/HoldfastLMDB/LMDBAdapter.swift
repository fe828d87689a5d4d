import CLMDB
public import HoldfastAdapterKit
internal import HoldfastStorage

/// A store in an LMDB environment: one directory, memory mapped, with any number of readers beside one writer.
///
/// Several handles, also of several processes, may use one directory at once. Queries read the smallest range of the
/// primary key; there are no unique indexes. A snapshot takes one of 4,096 places for readers. The pages that it
/// sees are not reused while it is open.
public final class LMDBAdapter: KeyValueBackedAdapter {
    /// What keeps records in the environment.
    public let base: KeyValueAdapter<LMDBEngine>

    /// Creates a handle, not yet opened.
    ///
    /// - Parameters:
    ///   - path: A directory; created when the store is opened, its parent must exist.
    ///   - mapByteCount: The most bytes the store can have, a multiple of the page size; 16 GiB by default. The file
    ///     is no larger than its content.
    public init(path: String, mapByteCount: Int = 16 << 30) {
        base = KeyValueAdapter(
            capabilities: Self.declaration, mark: "holdfast-lmdb", changeLogCommitCount: 1_000
        ) { request throws(StorageError) in
            if !request.createsStore && !LMDBEnvironment.exists(path) { throw OpenRequest.missingStore }
            return LMDBEngine(try LMDBEnvironment.acquire(path, mapByteCount: mapByteCount))
        }
    }

    /// Durable to the loss of power, several processes; no indexes, since their keys would be longer than LMDB admits.
    private static let declaration: Capabilities = {
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        mdb_version(&major, &minor, &patch)
        return .keyValue(
            adapterName: "lmdb", engineVersion: "\(major).\(minor).\(patch)",
            support: [.indexes: .emulated, .uniqueIndexes: .unsupported, .multipleProcesses: .native],
            // Encoded, a key takes at most twice its bytes, 3 for each component and 4 for its table; LMDB admits 511.
            limits: Capabilities.Limits(keyByteCount: 240))
    }()
}
