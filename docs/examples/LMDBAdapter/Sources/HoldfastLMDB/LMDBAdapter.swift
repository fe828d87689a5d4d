import CLMDB
import HoldfastAdapterKit
public import HoldfastStorage

/// A store in an LMDB environment: one folder, memory mapped, with any number of readers beside one writer.
///
/// Several handles, also of several processes, may use one folder at once. Queries read the smallest range of the primary
/// key; there are no unique indexes.
public final class LMDBAdapter: StorageAdapter {
    private let path: String
    private let mapByteCount: Int
    private let lifecycle = AdapterLifecycle<LMDBStore>()

    /// Creates a handle, not yet opened.
    ///
    /// - Parameters:
    ///   - path: A folder; created when the store is opened, its parent must exist.
    ///   - mapByteCount: The most bytes the store can have, a multiple of the page size; 16 GiB by default. The file
    ///     is no larger than its content.
    public init(path: String, mapByteCount: Int = 16 << 30) {
        self.path = path
        self.mapByteCount = mapByteCount
    }

    /// Durable to the loss of power, several processes; no unique indexes, no change feed; keys of at most 240 bytes.
    public var capabilities: Capabilities { Self.declaration }

    /// Opens or creates the store.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch`, `.incompatibleStore`, `.corruption`, `.readOnly`, `.io`, with the
    ///   stored data untouched; `.unsupported` for a unique index; `.misuse` if it is open already, `.closed` if
    ///   closed.
    public func open(_ request: OpenRequest) async throws(StorageError) {
        if request.schema.entities.contains(where: { $0.indexes.contains(where: \.isUnique) }) {
            throw StorageError(.unsupported, "The adapter 'lmdb' has no unique indexes.")
        }
        try await lifecycle.open { () async throws(StorageError) in
            try await LMDBStore.open(path, mapByteCount: mapByteCount, request)
        } discard: {
            await $0.close()
        }
    }

    /// A view of everything committed so far; holds one of 4,096 places and keeps the pages it sees from being reused.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.busy` if no place is left, `.io`.
    public func snapshot() async throws(StorageError) -> any AdapterSnapshot { try lifecycle.store().snapshot() }

    /// Checks and applies a change as one writing transaction.
    ///
    /// - Throws: ``StorageError`` as the contract says; `.limitExceeded` for a key of so many components that LMDB
    ///   cannot hold it. Nothing was changed then.
    public func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try await lifecycle.store().commit(request)
    }

    /// Closes the store after commits under way have ended; idempotent.
    public func close() async throws(StorageError) { await lifecycle.close()?.close() }

    private static let declaration: Capabilities = {
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        mdb_version(&major, &minor, &patch)
        var nativeTypes: [StorageType: String] = [:]
        for type in StorageType.scalars {
            nativeTypes[type] = "tag and payload in the record's value"
            nativeTypes[.list(type)] = "tag, number of elements and elements in the record's value"
        }
        return Capabilities(
            adapterName: "lmdb", engineVersion: "\(major).\(minor).\(patch)",
            support: [.multipleProcesses: .native], durability: .powerLoss,
            // Encoded, a key takes at most twice its bytes, 3 for each component and 3 for its table; LMDB admits 511.
            limits: Capabilities.Limits(keyByteCount: 240), nativeTypes: nativeTypes)
    }()
}
